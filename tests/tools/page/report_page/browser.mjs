// A Chromium that is on this machine, with a report page in it.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));

/** Where playwright-core was installed: given by CTest; by hand, the release build of this tree. */
const packages = process.env.STOCKOUT_PAGE_TEST_PACKAGES ?? path.join(here, "../../../../build/release/tests/tools/page/report_page/packages");

/** The first Chromium there is; undefined if there is none. */
export const chromiumPath = [process.env.STOCKOUT_CHROMIUM, "/usr/bin/chromium"].find((file) => file && existsSync(file));

export async function launchBrowser() {
  const { chromium } = createRequire(path.join(packages, "package.json"))("playwright-core");
  const quiet = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];
  return chromium.launch({
    executablePath: chromiumPath,
    args: ["--headless", "--no-sandbox", ...quiet, "--disable-component-update", "--disable-sync"],
  });
}

/** Opens `file` and waits until every picture is drawn. `watch(page)` is called before anything is loaded. */
export async function openReport(browser, file, options = {}, watch = () => {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
  watch(page);
  await page.goto(pathToFileURL(path.resolve(file)).href);
  if (options.javaScriptEnabled ?? true) await page.waitForSelector("html[data-drawn]", { state: "attached", timeout: 60000 });
  return page;
}
