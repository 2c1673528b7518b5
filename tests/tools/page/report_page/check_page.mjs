// Opens a report page in a Chromium and checks what a reader relies on. Exit: 0 all is well, 1 not, 77 no Chromium here.
//   node check_page.mjs FILE.html [CHECK...]     of checks.mjs; all of them unless some are named
import { chromiumPath, launchBrowser, openReport } from "./browser.mjs";
import { checks } from "./checks.mjs";

if (!chromiumPath) {
  console.log("skipped, no Chromium here: apt-get install chromium");
  process.exit(77);
}
const [file, ...named] = process.argv.slice(2);
const unknown = named.filter((name) => !(name in checks));
if (unknown.length > 0) throw new Error(`no such check: ${unknown}`);
const chosen = named.length > 0 ? named : Object.keys(checks);
const problems = [];
const browser = await launchBrowser();

/** Whatever the browser complains of, and whatever it asks for but the file itself, is a problem. */
function watch(name) {
  return (page) => {
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) problems.push(`${name}: console: ${message.text()}`);
    });
    page.on("pageerror", (error) => problems.push(`${name}: ${error}`));
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith("file:") && !url.startsWith("data:") && !url.startsWith("blob:")) problems.push(`${name}: fetched ${url}`);
    });
  };
}

for (const name of chosen) {
  const { options, steps } = checks[name];
  const began = performance.now();
  try {
    const page = await openReport(browser, file, options, watch(name));
    for (const step of steps) {
      await step(page, (holds, what) => {
        if (!holds) problems.push(`${name}: ${what}`);
      });
    }
    await page.close();
  } catch (error) {
    problems.push(`${name}: ${error}`);
  }
  console.log(`${name}: ${Math.round(performance.now() - began)} ms`);
}
await browser.close();
for (const problem of problems) console.log(`FAILED ${problem}`);
process.exit(problems.length === 0 ? 0 : 1);
