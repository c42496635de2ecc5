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
// At the top of the page: whose answers, and whether with intervals. Without a script, the strongest bots', with them.
const form = document.querySelector(".switches"), answers = document.querySelector(".answers");
if (form) {
  const show = () => {
    const chosen = new FormData(form), bots = chosen.get("bots");
    answers.classList.toggle("plain", !chosen.get("intervals"));
    for (const item of answers.children) {
      const said = [...item.querySelectorAll("[data-bots]")];
      const wanted = said.find(text => text.dataset.bots === bots) || said[0];
      for (const text of said) text.hidden = text !== wanted;
    }
  };
  form.hidden = false;
  form.addEventListener("change", show);
  form.addEventListener("submit", event => event.preventDefault());
  show();
}
// Printed, everything is open but long tables.
const closed = [...document.querySelectorAll("details:not([open], .folded)")];
addEventListener("beforeprint", () => closed.forEach(details => { details.open = true; }));
addEventListener("afterprint", () => closed.forEach(details => { details.open = false; }));
