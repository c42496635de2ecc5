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
// Play: parts of the drawing show the choices that are about them.
const picked = new Set();
const namesOf = (one) => one.dataset.names.split(" ");
const about = (choice, parts) => [...parts].every((part) => namesOf(part).some((name) => namesOf(choice).includes(name)));
function showPicked() {
  const choices = [...document.querySelectorAll("#options [data-names]")];
  if (!choices.some((choice) => about(choice, picked))) [...picked].slice(0, -1).forEach((part) => picked.delete(part));
  choices.forEach((choice) => { choice.hidden = !about(choice, picked); });
  document.querySelectorAll("#options :is(.row, fieldset)").forEach((box) => { box.hidden = !box.querySelector("[data-names]:not([hidden])"); });
  document.querySelectorAll(".board [data-names]").forEach((part) => part.classList.toggle("picked", picked.has(part)));
  document.querySelectorAll("#options details").forEach((one) => { one.open = picked.size > 0; });
  const left = choices.filter((choice) => !choice.hidden);
  document.getElementById("picked").textContent = picked.size ? `${left.length} of ${choices.length} choices` : "";
  document.getElementById("all-choices").hidden = !picked.size;
  if (picked.size && left.length === 1) left[0].focus();
}
document.addEventListener("click", ({ target }) => {
  const part = target.closest(".board .can");
  if (part && !picked.delete(part)) picked.add(part);
  if (target.id === "all-choices") picked.clear();
  if (part || target.id === "all-choices") showPicked();
});
document.querySelectorAll(".board [data-names]").forEach((part) => {
  const choices = document.querySelectorAll("#options [data-names]");
  part.classList.toggle("can", [...choices].some((choice) => about(choice, [part])));
});
// A page that waits asks again each second, until there is another one.
const waiting = document.querySelector("[data-wait]");
if (waiting) setInterval(async () => {
  const text = await (await fetch(location.href)).text();
  const now = text.includes("data-wait") && new DOMParser().parseFromString(text, "text/html").querySelector("[data-wait]");
  if (!now || now.childElementCount !== waiting.childElementCount) return location.reload();
  waiting.querySelector("p").textContent = now.querySelector("p").textContent;
}, 1000);
