/** What a row of the first table is told about the limit that was chosen: words, not only a colour. */
function mark(row, kind, words) {
  row.querySelector(".badge")?.remove();
  row.classList.remove("cheapest", "same", "misses");
  if (!kind) return;
  row.classList.add(kind);
  const badge = document.createElement("span");
  badge.className = "badge";
  badge.textContent = words;
  row.cells[0].append(badge);
}

/** Of a strategy, by its place in the choice. */
function standing(answer, place) {
  if (place === answer.cheapest) return ["cheapest", "cheapest"];
  if (answer.same.includes(place)) return ["same", "same cost"];
  return answer.misses.includes(place) ? ["misses", "misses"] : [];
}

/** The first row of every strategy in the first table that has any. */
function firstRows() {
  const rowByStrategy = new Map();
  for (const row of document.querySelector("tr[data-strategy]")?.parentElement.rows ?? []) {
    const { strategy } = row.dataset;
    if (strategy && !rowByStrategy.has(strategy)) rowByStrategy.set(strategy, row);
  }
  return [...rowByStrategy.values()];
}

/** The two selects decide the sentence below them, the marks of the first table, and `limit_h` and `limit_share`. */
export function followChoice(choice, strategies, charts) {
  const limit = document.getElementById("choice_limit");
  const share = document.getElementById("choice_share");
  const sentence = document.getElementById("choice_answer");
  const rows = firstRows();

  const follow = () => {
    const answer = choice.answers[limit.value][share.value];
    if (sentence.textContent !== answer.text) sentence.textContent = answer.text;
    for (const row of rows) mark(row, ...standing(answer, choice.strategies.indexOf(strategies[row.dataset.strategy])));
    charts.set("limit_h", choice.within_h[limit.value]);
    return charts.set("limit_share", choice.shares[share.value]);
  };
  document.getElementById("choice").addEventListener("change", follow);
  document.getElementById("choice_asked").hidden = false;
  follow();
}
