// A slider and the number beside it show the same value.
document.addEventListener("input", ({ target }) => {
  const beside = target.dataset.beside && document.getElementById(target.dataset.beside);
  if (beside) beside.value = target.value;
  const slider = target.id && document.querySelector(`[data-beside="${CSS.escape(target.id)}"]`);
  if (slider) slider.value = target.value;
});
