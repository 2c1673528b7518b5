// Takes pictures of a report page, to be looked at.
//   node screenshots.mjs FILE.html FOLDER      writes first-screen, light, dark and narrow as .png, and print.pdf
import { mkdirSync } from "node:fs";
import path from "node:path";

import { launchBrowser, openReport } from "./browser.mjs";

const [file, folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const browser = await launchBrowser();

async function shoot(name, options, screenshot) {
  const page = await openReport(browser, file, options);
  await page.screenshot({ path: path.join(folder, `${name}.png`), animations: "disabled", ...screenshot });
  await page.close();
}

await shoot("first-screen", { colorScheme: "light" }, {});
await shoot("light", { colorScheme: "light" }, { fullPage: true });
await shoot("dark", { colorScheme: "dark" }, { fullPage: true });
await shoot("narrow", { colorScheme: "light", viewport: { width: 360, height: 740 } }, { fullPage: true });
const page = await openReport(browser, file, { colorScheme: "dark" });
await page.pdf({ path: path.join(folder, "print.pdf"), format: "A4" });
await browser.close();
