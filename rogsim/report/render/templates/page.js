"use strict";
const sorted = (rows, place, sign) => {
  const value = row => {
    const cell = row.cells[place], text = cell.dataset.value;
    return text === undefined ? cell.textContent : text === "" ? null : Number(text);
  };
  const compare = (a, b) => a === b ? 0 : a === null ? 1 : b === null ? -1
    : typeof a === "string" ? sign * a.localeCompare(b, "en", { numeric: true }) : sign * (a - b);
  return [...rows].sort((a, b) => compare(value(a), value(b)));
};
for (const button of document.querySelectorAll("th button")) {
  button.addEventListener("click", () => {
    const head = button.parentElement, body = head.closest("table").tBodies[0];
    const first = head.classList.contains("number") ? "descending" : "ascending";
    const other = first === "ascending" ? "descending" : "ascending";
    const order = head.getAttribute("aria-sort") === first ? other : first;
    for (const cell of head.parentElement.cells) cell.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", order);
    body.append(...sorted(body.rows, head.cellIndex, order === "ascending" ? 1 : -1));
  });
}
// A link to a section opens it.
const reveal = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.matches("details")) target.open = true;
};
addEventListener("hashchange", reveal);
for (const link of document.querySelectorAll('a[href^="#"]')) link.addEventListener("click", () => setTimeout(reveal));
reveal();
// Printed, everything is open.
let closed = [];
addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("details:not([open])")];
  for (const box of closed) box.open = true;
});
addEventListener("afterprint", () => closed.forEach(box => { box.open = false; }));
