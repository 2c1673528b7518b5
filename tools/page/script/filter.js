/** Ticks of the filter decide which strategies are seen, in tables and in charts that declare `shown`. */
export function followFilter(strategies, charts) {
  const filter = document.getElementById("filter");
  const boxes = [...filter.querySelectorAll("input")];
  const note = document.getElementById("not_shown");
  const rows = [...document.querySelectorAll("[data-strategy]")]; // of tables, and keys of charts

  const follow = () => {
    const ticked = new Set(boxes.filter((box) => box.checked).map((box) => Number(box.value)));
    for (const row of rows) row.hidden = !ticked.has(Number(row.dataset.strategy));
    const left = strategies.filter((_, place) => !ticked.has(place));
    note.textContent = left.length > 0 ? `Not shown: ${left.join(", ")}.` : "";
    return charts.set("shown", strategies.filter((_, place) => ticked.has(place)));
  };
  filter.addEventListener("change", follow);
  filter.hidden = false;
  follow();
}
