// Shows the steps of a game that are in this file.
(async () => {
  const bytes = Uint8Array.from(atob(document.getElementById("steps").textContent), (sign) => sign.charCodeAt(0));
  const text = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const { frames, headings, turns } = JSON.parse(await new Response(text).text());
  const [frame, heading, slider, play] = ["frame", "heading", "step", "play"].map((id) => document.getElementById(id));
  const last = frames.length - 1, slow = matchMedia("(prefers-reduced-motion: reduce)").matches ? 3000 : 1000;
  let step = 0, timer = 0;
  const places = {
    first: () => 0, last: () => last, back: () => step - 1, on: () => step + 1,
    "turn-back": () => turns.findLast((turn) => turn < step) ?? 0,
    "turn-on": () => turns.find((turn) => turn > step) ?? last,
  };
  const show = (wanted) => {
    step = Math.max(0, Math.min(last, wanted));
    frame.innerHTML = frames[step];
    heading.textContent = headings[step];
    slider.value = step;
    document.getElementById("of").value = `${step} of ${last}`;
    for (const line of document.querySelectorAll(".now")) {
      line.setAttribute("x1", `${100 * step / last}%`);
      line.setAttribute("x2", `${100 * step / last}%`);
    }
    if (step === last) stop();
  };
  const stop = () => { clearInterval(timer); timer = 0; play.textContent = "▶ Play"; play.setAttribute("aria-pressed", "false"); };
  play.addEventListener("click", () => {
    if (timer) return stop();
    play.textContent = "❚❚ Pause";
    play.setAttribute("aria-pressed", "true");
    timer = setInterval(() => show(step + 1), slow);
  });
  for (const button of document.querySelectorAll("[data-to]"))
    button.addEventListener("click", () => { stop(); show(places[button.dataset.to]()); });
  slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input") || event.ctrlKey || event.metaKey || event.altKey) return;
    const button = document.querySelector(`[data-key="${CSS.escape((event.shiftKey ? "Shift+" : "") + event.key)}"]`);
    if (button) { event.preventDefault(); button.click(); }
  });
  document.addEventListener("click", (event) => {
    const chart = event.target.closest(".chart");
    if (!chart) return;
    const box = chart.getBoundingClientRect();
    stop();
    show(Math.round(last * (event.clientX - box.left) / box.width));
  });
  show(0);
})();
