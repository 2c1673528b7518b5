// Bundles the script and the style of the report page into one file each, with the licences of what is in them, and
// the content policy that lets exactly this script run.
//   node bundle.mjs FOLDER      FOLDER holds node_modules; page.js, page.css, charts.json and content_policy.txt are written there
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const folder = path.resolve(process.argv[2]);
const esbuild = createRequire(path.join(folder, "package.json"))("esbuild");
const options = { absWorkingDir: folder, bundle: true, minify: true, write: false, charset: "ascii", legalComments: "inline", logLevel: "warning" };

/** Folders of the packages that are in the bundle. */
function bundledPackages(metafile) {
  const packages = new Set();
  for (const output of Object.values(metafile.outputs)) {
    for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
      const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
      if (found && bytesInOutput > 0) packages.add(path.resolve(folder, found[1]));
    }
  }
  return [...packages].sort();
}

/** A text and the packages that it is the licence of: many have the same one. */
function licences(packages) {
  const packagesByText = new Map();
  for (const home of packages) {
    const { name, version, license } = JSON.parse(readFileSync(path.join(home, "package.json"), "utf8"));
    const file = readdirSync(home).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file ? readFileSync(path.join(home, file), "utf8").trim() : `License: ${license}`;
    packagesByText.set(text, [...(packagesByText.get(text) ?? []), `${name} ${version}`]);
  }
  const parts = [...packagesByText].map(([text, names]) => `${names.join(", ")}\n\n${text}`);
  return `/*! Built in, unchanged but for size:\n\n${parts.join("\n\n---\n\n").replaceAll("*/", "* /")}\n*/\n`;
}

/** What the HTML parser takes for the end of a script or the start of another must not be in one. */
function checkedForHtml(text, name) {
  if (/<\/(script|style)|<!--|<script/i.test(text)) throw new Error(`${name} would end or change the element that holds it`);
  return text;
}

/** Every specification by its name, without what only an editor reads. */
function charts(home) {
  const names = readdirSync(home).filter((file) => file.endsWith(".vl.json"));
  const spec = (file) => {
    const { $schema, description, ...rest } = JSON.parse(readFileSync(path.join(home, file), "utf8"));
    return rest;
  };
  return Object.fromEntries(names.sort().map((file) => [file.replace(".vl.json", ""), spec(file)]));
}

const script = await esbuild.build({
  ...options,
  entryPoints: [path.join(here, "script", "page.js")],
  outfile: "page.js",
  format: "iife",
  target: "es2020",
  metafile: true,
  nodePaths: [path.join(folder, "node_modules")],
});
const style = await esbuild.build({ ...options, entryPoints: [path.join(here, "page.css")], outfile: "page.css" });

const js = checkedForHtml(licences(bundledPackages(script.metafile)) + script.outputFiles[0].text, "page.js");
const css = checkedForHtml(style.outputFiles[0].text, "page.css");
const hash = createHash("sha256").update(js).digest("base64");
const policy = ["default-src 'none'", `script-src 'sha256-${hash}'`, "style-src 'unsafe-inline'", "img-src data: blob:", "base-uri 'none'", "form-action 'none'"];
writeFileSync(path.join(folder, "page.js"), js);
writeFileSync(path.join(folder, "page.css"), css);
writeFileSync(path.join(folder, "charts.json"), JSON.stringify(charts(path.join(here, "charts"))));
writeFileSync(path.join(folder, "content_policy.txt"), policy.join("; "));
