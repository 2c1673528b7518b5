// Pictures are as wide as the page lets them. Vega-Lite can fit a single view; of several, each needs its own width,
// and what stands beside them (axes, headers) is known only once they are drawn.

const views = (spec) => spec.hconcat ?? spec.vconcat ?? spec.concat ?? (spec.spec ? [spec.spec] : undefined);

function isSingle(spec) {
  const { row, column, facet } = spec.encoding ?? {};
  return !views(spec) && !row && !column && !facet;
}

/** The views of `spec` side by side. */
function columns(spec) {
  if (spec.hconcat) return spec.hconcat.length;
  return spec.columns ?? spec.encoding?.facet?.columns ?? 1;
}

/** `spec`, each of whose views is `width` pixels wide unless it says otherwise (as steps of a band). */
export function withWidth(spec, width) {
  const inner = views(spec);
  if (!inner) return typeof spec.width === "object" ? spec : { ...spec, width };
  const resized = inner.map((view) => withWidth(view, width));
  for (const kind of ["hconcat", "vconcat", "concat"]) if (spec[kind]) return { ...spec, [kind]: resized };
  return { ...spec, spec: resized[0] };
}

/** Views one below the other where there is no room for them side by side. */
function stacked(spec) {
  if (spec.hconcat) {
    const { hconcat, ...rest } = spec;
    return { ...rest, vconcat: hconcat };
  }
  return spec.columns ? { ...spec, columns: 1 } : spec;
}

// Said of the Vega specification: Vega-Lite warns of it where the height is in steps, and the width is not concerned.
const fitted = (vega) => ({ ...vega, autosize: { type: "fit-x", contains: "padding" } });

/** Shows `spec` as wide as `width`; returns what the last `show` gave. */
export async function fitWidth(spec, width, show) {
  if (isSingle(spec)) {
    const sized = withWidth(spec, width);
    return show(sized, typeof sized.width === "number" ? fitted : undefined);
  }
  const narrow = width < 600 ? stacked(spec) : spec;
  const side = columns(narrow);
  const guess = Math.max(60, Math.floor(width / side) - 80);
  const drawn = await show(withWidth(narrow, guess));
  const beside = drawn.view.container().querySelector("svg").getBoundingClientRect().width - side * guess;
  drawn.finalize();
  return show(withWidth(narrow, Math.max(60, Math.floor((width - beside) / side))));
}
