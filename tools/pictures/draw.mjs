// Draws the pictures of the pages below. There each has a comment above it, which says what it shows, and below it the commands
// that make the page:
//   <!-- picture: report.html -->              the first screen of the page
//   <!-- picture: report.html #every-dollar --> one part of it
import { execSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { launchBrowser, openReport } from "../../tests/tools/page/report_page/browser.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const picture = /<!-- picture: (\S+)(?: (#\S+))? -->\n!\[[^\]]*\]\((\S+)\)\n\n((?: {4}.*\n)+)/g;
const pages = ["README.md", "tools/report/README.md", "models/sweep/README.md"];
const picturesOf = (page) =>
  [...readFileSync(path.join(root, page), "utf8").matchAll(picture)].map((match) => ({ match, folder: path.dirname(page) }));

const folder = mkdtempSync(path.join(tmpdir(), "stockout-pictures-"));
symlinkSync(path.join(root, "scenarios"), path.join(folder, "scenarios"));
const environment = { ...process.env, PATH: `${path.join(root, "build/release")}:${process.env.PATH}` };
const browser = await launchBrowser();
try {
  for (const { match: [, page, part, image, commands], folder: home } of pages.flatMap(picturesOf)) {
    const file = path.join(home, image);
    execSync(`set -e\n${commands}`, { cwd: folder, env: environment, stdio: ["ignore", "ignore", "inherit"] });
    const shown = await openReport(browser, path.join(folder, page), { colorScheme: "light", viewport: { width: 1280, height: 800 } });
    const target = part ? shown.locator(part) : shown;
    await target.screenshot({ path: path.join(root, file), animations: "disabled" });
    await shown.close();
    console.log(`${file}: ${page}${part ? ` ${part}` : ""}`);
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
