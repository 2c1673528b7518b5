import embed from "vega-embed";
import { expressionInterpreter } from "vega-interpreter";

import { chartConfig, lightColour, pageColour, withDashes, withLegends } from "./chart_config.js";
import { fitWidth, withWidth } from "./chart_width.js";
import { offerDownloads } from "./download.js";
import { parseData } from "./names.js";

/** Rows of the page for every data set that `part` of a specification names. */
function namedData(part, rowsByName, found = {}) {
  if (Array.isArray(part)) {
    for (const one of part) namedData(one, rowsByName, found);
  } else if (part && typeof part === "object") {
    const name = part.data?.name;
    // A copy: a view writes into its rows.
    if (name && Object.hasOwn(rowsByName, name)) found[name] ??= structuredClone(rowsByName[name]);
    for (const [key, one] of Object.entries(part)) if (key !== "values") namedData(one, rowsByName, found);
  }
  return found;
}

function options(width, colour) {
  return {
    mode: "vega-lite",
    renderer: "svg",
    actions: false,
    defaultStyle: false,
    tooltip: { disableDefaultStyle: true },
    ast: true, // no expression is compiled: the content policy forbids it
    expr: expressionInterpreter,
    config: chartConfig(width, colour),
  };
}

class Chart {
  constructor(figure, rowsByName) {
    this.picture = figure.querySelector(".picture");
    this.title = figure.querySelector("figcaption").textContent;
    this.spec = withDashes(parseData(figure.querySelector("script.spec").textContent));
    this.rowsByName = rowsByName;
    if (this.boundNames().length > 0) this.makeRoomForControls();
    offerDownloads(figure, (kind) => this.image(kind));
  }

  boundNames() {
    return (this.spec.params ?? []).filter((param) => param.bind).map((param) => param.name);
  }

  /** Above the picture: it is an image to a screen reader, and would hide what is in it. */
  makeRoomForControls() {
    this.controls = document.createElement("div");
    this.controls.className = "controls";
    this.picture.before(this.controls);
  }

  /** What the reader has set in the controls of this chart stays through a new drawing. */
  keepBound() {
    if (!this.result) return;
    const { view } = this.result;
    for (const name of this.boundNames()) this.bound = { ...this.bound, [name]: view.signal(name) };
  }

  /** The specification with everything that the page knows: data, values of parameters. */
  whole(values) {
    const spec = structuredClone(this.spec);
    spec.datasets = { ...spec.datasets, ...namedData(this.spec, this.rowsByName) };
    spec.params = spec.params?.map((param) => (Object.hasOwn(values, param.name) ? { ...param, value: values[param.name] } : param));
    return spec;
  }

  async draw(values, width = this.picture.clientWidth) {
    if (width === 0) return;
    this.values = values;
    this.width = width;
    const show = (spec, patch) => {
      this.controls?.replaceChildren();
      return embed(this.picture, spec, { ...options(width, pageColour), patch, bind: this.controls });
    };
    this.keepBound();
    this.result?.finalize();
    try {
      this.result = await fitWidth(this.whole({ ...values, ...this.bound }), width, show);
    } catch (error) {
      this.result = undefined;
      this.picture.textContent = "This picture cannot be drawn. Its numbers are below.";
      console.error(this.title, error);
    }
  }

  async set(name, value) {
    this.values = { ...this.values, [name]: value };
    if (this.result && this.spec.params?.some((param) => param.name === name)) {
      await this.result.view.signal(name, value).runAsync();
    }
  }

  /** A link to the picture as a file, always on white: it goes into somebody's slides. */
  async image(kind) {
    const width = 800;
    const host = document.createElement("div");
    this.keepBound();
    const values = { ...this.values, ...this.bound };
    const whole = withLegends(this.whole(values));
    const title = { text: this.title, ...(whole.title && { subtitle: whole.title.text }) };
    const spec = withWidth({ ...whole, title }, width);
    const result = await embed(host, spec, options(width, lightColour));
    const link = await result.view.toImageURL(kind, 2);
    result.finalize();
    return link;
  }
}

// Of a sheet of paper, between its margins, in pixels: smaller than a window, so that letters keep their size.
const paperWidth = 690;

/** All the pictures of the page, and the values that are set in those that declare them. */
export class Charts {
  constructor(rowsByName) {
    this.values = {};
    this.charts = [...document.querySelectorAll("figure")].map((figure) => new Chart(figure, rowsByName));
    this.drawing = Promise.resolve();
    const observer = new ResizeObserver(() => this.redrawSoon());
    for (const chart of this.charts) observer.observe(chart.picture);
    // Nothing in drawing waits for anything but promises, so it is done before the browser lays the paper out.
    addEventListener("beforeprint", () => this.charts.forEach((chart) => chart.draw(this.values, paperWidth)));
    addEventListener("afterprint", () => this.redrawSoon());
  }

  draw(charts = this.charts) {
    this.drawing = this.drawing.then(async () => {
      for (const chart of charts) await chart.draw(this.values);
    });
    return this.drawing;
  }

  set(name, value) {
    this.values = { ...this.values, [name]: value };
    this.drawing = this.drawing.then(() => Promise.all(this.charts.map((chart) => chart.set(name, value))));
    return this.drawing;
  }

  redrawSoon() {
    clearTimeout(this.timer);
    const changed = () => this.charts.filter((chart) => chart.picture.clientWidth !== chart.width);
    this.timer = setTimeout(() => this.drawing.then(() => this.draw(changed())), 150);
  }
}
