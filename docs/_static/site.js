// What the theme lacks for people who use a screen reader or a keyboard.
document.addEventListener("DOMContentLoaded", () => {
  for (const caption of document.querySelectorAll(".caption[role=heading]")) caption.setAttribute("aria-level", "2");
  for (const list of document.querySelectorAll("dt.sig > dl")) {
    const parameters = document.createElement("div"); // a list of definitions without a term is none
    parameters.className = "parameters";
    for (const item of [...list.children]) {
      const parameter = document.createElement("div");
      parameter.append(...item.childNodes);
      parameters.append(parameter);
    }
    list.replaceWith(parameters);
  }
  for (const head of document.querySelectorAll(".cell_output th:empty")) head.outerHTML = "<td></td>"; // as pandas has it
  document.querySelector("aside.sidebar-drawer")?.setAttribute("aria-label", "Pages");
  document.querySelector("aside.toc-drawer")?.setAttribute("aria-label", "On this page");
  for (const block of document.querySelectorAll("pre, .table-wrapper, div.math, .cell_output .output")) {
    if (block.scrollWidth > block.clientWidth) block.tabIndex = 0;
  }
});
