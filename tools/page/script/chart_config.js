// How pictures look, whoever specified them.

/** A colour that follows the theme of the page: a custom property of page.css. */
export const pageColour = (name) => `var(--${name})`;

/** The same colour as a value, in the light theme. */
export function lightColour(name) {
  const probe = document.createElement("span");
  probe.style.colorScheme = "light";
  probe.style.color = pageColour(name);
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

// The orders of strategy_key.cpp.
const symbols = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down"];
const dashes = [[1, 0], [8, 3], [2, 3], [9, 3, 2, 3], [14, 4]];
const places = [1, 2, 3, 4, 5, 6, 7, 8];

/** `width` in pixels: in a narrow picture, names are cut sooner. */
export function chartConfig(width, colour) {
  const narrow = width < 500;
  const ink = colour("ink");
  const soft = colour("ink-soft");
  const rule = colour("rule");
  const font = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
  const accent = colour("c1");
  const text = { labelColor: soft, titleColor: ink, labelFontSize: 12, titleFontSize: 12, titleFontWeight: 600 };
  return {
    background: colour("surface"),
    font,
    padding: { left: 2, right: 8, top: 6, bottom: 2 },
    axis: {
      ...text,
      domainColor: soft,
      tickColor: soft,
      gridColor: rule,
      labelLimit: narrow ? 90 : 220,
      titleLimit: width,
      labelOverlap: "greedy",
      labelFlush: true,
    },
    axisQuantitative: { tickCount: narrow ? 4 : 8 },
    axisTemporal: { tickCount: narrow ? 4 : 8 },
    legend: {
      ...text,
      orient: "bottom",
      labelLimit: narrow ? width - 60 : 240,
      columns: narrow ? 1 : Math.max(1, Math.floor(width / 280)),
      symbolStrokeWidth: 2,
      symbolBaseFillColor: soft,
      symbolBaseStrokeColor: soft,
      symbolOpacity: 1,
    },
    header: { ...text, labelLimit: narrow ? 120 : 260, labelFontWeight: 600, labelColor: ink },
    title: { color: ink, anchor: "start", fontSize: 14, fontWeight: 600, limit: width },
    view: { stroke: rule, continuousHeight: 280, discreteHeight: { step: 26 } },
    range: {
      category: places.map((place) => colour(`c${place}`)),
      symbol: symbols,
    },
    mark: { color: accent, tooltip: true },
    tooltipFormat: { numberFormat: ",.6~r" },
    line: { strokeWidth: 2 },
    point: { size: 110, filled: true, opacity: 1 },
    bar: { stroke: colour("surface"), strokeWidth: 1 },
    rule: { color: soft, strokeWidth: 1.5 },
    errorbar: { rule: { strokeWidth: 1.5 } },
    text: { color: ink, fontSize: 12, limit: narrow ? 120 : 260 },
    tick: { color: ink, thickness: 2 },
  };
}

/** `part` of a specification with each of its channels (colour, shape, ...) changed by `change(channel, name)`. */
function withChannels(part, change) {
  if (Array.isArray(part)) return part.map((one) => withChannels(one, change));
  if (!part || typeof part !== "object") return part;
  const changed = ([key, one]) => [key, key === "values" ? one : change(withChannels(one, change), key)];
  return Object.fromEntries(Object.entries(part).map(changed));
}

/** Dashes that can be told apart: Vega-Lite has no setting for them, so each scale of dashes is given its range. */
export function withDashes(spec) {
  return withChannels(spec, (channel, name) => {
    if (name !== "strokeDash" || !channel?.field) return channel;
    return { ...channel, scale: { range: dashes, ...channel.scale } };
  });
}

/** For a picture that leaves the page and the keys below it: with the legends of strategies. */
export function withLegends(spec) {
  return withChannels(spec, (channel) => {
    if (channel?.field !== "strategy" || channel.legend !== null) return channel;
    const { legend, ...rest } = channel;
    return rest;
  });
}
