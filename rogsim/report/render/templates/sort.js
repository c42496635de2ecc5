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
// Printed, everything is open but long tables.
const closed = [...document.querySelectorAll("details:not([open], .folded)")];
addEventListener("beforeprint", () => closed.forEach(details => { details.open = true; }));
addEventListener("afterprint", () => closed.forEach(details => { details.open = false; }));
