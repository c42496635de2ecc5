// A slider and the number beside it show the same value.
document.addEventListener("input", ({ target }) => {
  const beside = target.dataset.beside && document.getElementById(target.dataset.beside);
  if (beside) beside.value = target.value;
  const slider = target.id && document.querySelector(`[data-beside="${CSS.escape(target.id)}"]`);
  if (slider) slider.value = target.value;
});
// Keys follow the links that name them.
document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  const key = (event.shiftKey ? "Shift+" : "") + event.key;
  const link = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (link) { event.preventDefault(); link.click(); }
});
// A text is copied where the browser allows it.
const offerCopies = () => navigator.clipboard && document.querySelectorAll("[data-copy]").forEach((one) => { one.hidden = false; });
document.addEventListener("DOMContentLoaded", offerCopies);
document.addEventListener("htmx:after:swap", offerCopies);
document.addEventListener("click", async ({ target }) => {
  if (!target.dataset.copy) return;
  await navigator.clipboard.writeText(document.getElementById(target.dataset.copy).textContent);
  target.textContent = "Copied";
});
