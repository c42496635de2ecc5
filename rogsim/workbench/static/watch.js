// A chart leads to the step under the pointer.
document.addEventListener("click", ({ target, clientX }) => {
  const chart = target.closest("[data-steps] .chart"), slider = document.getElementById("step");
  if (!chart || !slider) return;
  const box = chart.getBoundingClientRect();
  slider.value = Math.round((slider.max * (clientX - box.left)) / box.width);
  slider.form.requestSubmit();
});
// "Play" follows a link once a second, with reduced motion less often, until it leads nowhere or something is clicked.
let playing = 0;
function showPlaying() {
  const button = document.querySelector("[data-play]"), link = button && played(button);
  if (playing && (!link || link.ariaDisabled === "true")) stopPlaying();
  if (!button) return;
  button.hidden = false;
  button.textContent = playing ? "❚❚ Pause" : "▶ Play";
  button.setAttribute("aria-pressed", playing ? "true" : "false");
}
function played(button) {
  return document.querySelector(`[data-key="${button.dataset.play}"]`);
}
function stopPlaying() {
  clearInterval(playing);
  playing = 0;
}
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-play]");
  if (playing && event.isTrusted) stopPlaying();
  else if (button) {
    const wait = matchMedia("(prefers-reduced-motion: reduce)").matches ? 3000 : 1000;
    playing = setInterval(() => played(button)?.click(), wait);
  }
  showPlaying();
});
document.addEventListener("htmx:after:swap", showPlaying);
showPlaying();
