// What a reader relies on. A check gets the opened page and expect(holds, what is wrong if not).

const wide = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Titles of the figures without a drawn mark. */
const notDrawn = (page) =>
  page.$$eval("figure", (figures) =>
    figures
      .filter((figure) => !figure.querySelector(".picture svg [class*='mark-'] path, .picture svg [class*='mark-'] text, .picture svg line"))
      .map((figure) => figure.querySelector("figcaption").textContent),
  );

/** The first figure that declares `param`, as an index; -1 if there is none. */
const figureWith = (page, param) =>
  page.$$eval("figure script.spec", (specs, name) => specs.findIndex((spec) => JSON.parse(spec.textContent).params?.some((one) => one.name === name)), param);

const pictures = (page) => page.$$eval(".picture", (all) => all.map((one) => one.innerHTML));

/** Long enough for the page to redraw what it wants to redraw. */
const settled = (page) => page.waitForTimeout(400);

async function pictureChanged(page, place, before) {
  await page.waitForFunction(([at, html]) => document.querySelectorAll(".picture")[at].innerHTML !== html, [place, before[place]], { timeout: 20000 });
}

/** Relative luminance contrast of WCAG 2.2 between the colours of text and ground, both as "rgb(...)". */
function contrast(text, ground) {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\d.]+/g).slice(0, 3).map((value) => {
      const part = Number(value) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [high, low] = [light(text), light(ground)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

/** Text of the page and of its pictures that stands out too little from what it stands on. */
async function faintText(page) {
  const texts = await page.evaluate(() => {
    const ground = (element) => {
      const colour = getComputedStyle(element).backgroundColor;
      return colour !== "rgba(0, 0, 0, 0)" || !element.parentElement ? colour : ground(element.parentElement);
    };
    const found = {};
    for (const element of document.querySelectorAll("body *:not(script)")) {
      if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) || element.getClientRects().length === 0) continue;
      const style = getComputedStyle(element);
      const colour = element instanceof SVGElement ? style.fill : style.color;
      if (!colour.startsWith("rgb")) continue;
      found[`${colour} on ${ground(element)}`] ??= element.textContent.slice(0, 40);
    }
    return Object.entries(found);
  });
  return texts.filter(([colours]) => contrast(...colours.split(" on ")) < 4.5).map(([colours, text]) => `${text}: ${colours}`);
}

async function checkLooks(page, expect) {
  const missing = await notDrawn(page);
  expect(missing.length === 0, `not drawn: ${missing}`);
  const faint = await faintText(page);
  expect(faint.length === 0, `too faint to read: ${faint.join("; ")}`);
}

async function checkStructure(page, expect) {
  const found = await page.evaluate(() => ({
    headings: document.querySelectorAll("h1").length,
    unnamed: [...document.querySelectorAll("figure .picture, .table")].filter((one) => !one.getAttribute("aria-label") && !one.getAttribute("aria-labelledby")).length,
    ids: [...document.querySelectorAll("[id]")].map((one) => one.id),
    targets: [...document.querySelectorAll("a[href^='#']")].map((link) => link.getAttribute("href").slice(1)),
    tables: [...document.querySelectorAll("figure")].filter((one) => !one.querySelector("details table")).length,
    hacked: "hacked" in window,
    scripts: [...document.scripts].filter((script) => script.type !== "application/json").length,
  }));
  expect(found.headings === 1, `${found.headings} first headings`);
  expect(found.unnamed === 0, `${found.unnamed} tables or pictures without a name`);
  expect(new Set(found.ids).size === found.ids.length, "an id stands twice");
  expect(found.targets.every((target) => found.ids.includes(target)), "a link to nowhere");
  expect(found.tables === 0, `${found.tables} pictures without their numbers`);
  expect(!found.hacked && found.scripts === 1, "a name was run as a script");
  await checkLooks(page, expect);
}

async function checkFirstScreen(page, expect) {
  const below = await page.evaluate(() => {
    const parts = [document.querySelector("#answer .answer"), document.getElementById("choice"), document.querySelector("tr[data-strategy]")];
    return parts.filter((part) => part && part.getBoundingClientRect().bottom > innerHeight).length;
  });
  expect(below === 0, "the answer, the limit or the first strategy is not on the first screen");
}

async function checkFilter(page, expect) {
  const boxes = await page.$$("#filter input");
  if (boxes.length < 2) return;
  const place = await figureWith(page, "shown");
  const before = await pictures(page);
  await boxes[0].focus();
  await page.keyboard.press("Space");
  if (place >= 0) await pictureChanged(page, place, before);
  const rows = await page.$$eval("tr[data-strategy='0']", (all) => all.filter((row) => row.getClientRects().length > 0).length);
  expect(rows === 0, "rows of a strategy that is not ticked are shown");
  expect((await page.textContent("#not_shown")).length > 0, "nothing says that a strategy is not shown");
  await page.keyboard.press("Space");
  await settled(page);
  expect((await page.textContent("#not_shown")) === "", "the note of the filter stays");
}

async function checkChoice(page, expect) {
  if (!(await page.$("#choice"))) return;
  const answers = await page.evaluate(() => JSON.parse(document.getElementById("page_data").textContent).choice.answers);
  const limits = answers.length;
  for (let limit = 0; limit < limits; ++limit) {
    for (const share of [0, answers[limit].length - 1]) {
      await page.selectOption("#choice_limit", String(limit));
      await page.selectOption("#choice_share", String(share));
      const { text, cheapest } = answers[limit][share];
      expect((await page.textContent("#choice_answer")) === text, `not the answer to limit ${limit}, share ${share}`);
      const marked = await page.$$eval("tr.cheapest", (rows) => rows.map((row) => row.textContent));
      expect(marked.length === (cheapest === null ? 0 : 1), `${marked.length} rows are the cheapest`);
    }
  }
  const place = await figureWith(page, "limit_h");
  const before = await pictures(page);
  await page.focus("#choice_limit");
  await page.keyboard.press("Home");
  await page.keyboard.press("End");
  if (limits < 2) return;
  await page.keyboard.press("Home");
  expect((await page.textContent("#choice_answer")) === answers[0].at(-1).text, "the limit cannot be chosen by keyboard");
  if (place >= 0) await pictureChanged(page, place, before);
}

async function checkTheme(page, expect) {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.focus("#theme");
  await page.keyboard.press("Enter");
  expect((await ground()) !== light, "the button does not change the colours");
  await checkLooks(page, expect);
  await page.emulateMedia({ media: "print" });
  expect((await ground()) === light, "dark on paper");
}

async function checkPrint(page, expect) {
  await page.emulateMedia({ media: "print" });
  const seen = await page.evaluate(() => {
    const visible = (selector) => [...document.querySelectorAll(selector)].some((one) => one.getClientRects().length > 0);
    return { controls: visible("#filter, #theme, #choice select, button, nav"), answer: visible("#answer .answer"), sentence: !document.getElementById("choice") || visible("#choice_answer") };
  });
  expect(!seen.controls, "controls on paper");
  expect(seen.answer && seen.sentence, "the answer is not on paper");
  await checkLooks(page, expect);
}

/** What sums up the answer stands on one sheet with it, and nothing of it is cut off at the edge of the paper. */
async function checkSheet(page, expect) {
  const margins = { across: 24, down: 28 };
  await page.emulateMedia({ media: "print" });
  for (const [name, width, height] of [["A4", 210, 297], ["Letter", 215.9, 279.4]]) {
    const pixels = (millimetres) => Math.floor((millimetres * 96) / 25.4);
    const sheet = { width: pixels(width - margins.across), height: pixels(height - margins.down) };
    await page.setViewportSize(sheet);
    await settled(page);
    const seen = await page.evaluate(() => {
      const all = [...document.querySelectorAll("section.summary")];
      const rect = (one) => one.getBoundingClientRect();
      const next = all.at(-1)?.nextElementSibling;
      return {
        any: all.length > 0,
        bottom: Math.max(0, ...all.map((one) => rect(one).bottom + window.scrollY)),
        right: Math.max(0, ...all.flatMap((one) => [...one.querySelectorAll("table, svg, li, p")]).map((one) => rect(one).right)),
        breaks: !next || getComputedStyle(next).breakBefore === "page",
      };
    });
    if (!seen.any) return;
    expect(seen.bottom <= sheet.height, `the summary is ${Math.round(seen.bottom)} pixels long on ${name}, of ${sheet.height}`);
    expect(seen.right <= sheet.width + 1, `the summary is ${Math.round(seen.right)} pixels wide on ${name}, of ${sheet.width}`);
    expect(seen.breaks, "what follows the summary is on its sheet");
  }
}

async function checkNarrow(page, expect) {
  const over = await wide(page);
  expect(over <= 0, `${over} pixels too wide`);
  await page.$$eval("details", (all) => all.forEach((one) => (one.open = true)));
  await settled(page);
  const opened = await wide(page);
  expect(opened <= 0, `${opened} pixels too wide with all tables open`);
  const cut = await page.$$eval(".picture", (all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length);
  expect(cut === 0, `${cut} pictures are wider than the window`);
  await page.setViewportSize({ width: 1024, height: 740 });
  const followed = () => [...document.querySelectorAll(".picture")].every((one) => one.querySelector("svg")?.clientWidth > 600);
  await page.waitForFunction(followed, null, { timeout: 20000 }).catch(() => expect(false, "pictures did not follow the window"));
}

async function checkKeyboard(page, expect) {
  await page.keyboard.press("Tab");
  const skip = await page.evaluate(() => ({ text: document.activeElement.textContent, left: document.activeElement.getBoundingClientRect().left }));
  expect(/^Skip/.test(skip.text) && skip.left >= 0, "the first stop is not the visible link to the answer");
  await page.keyboard.press("Tab");
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  expect(outline !== "none", "where the keyboard is cannot be seen");
  await page.$eval("figure details summary", (one) => one.focus()).catch(() => {});
  await page.keyboard.press("Enter");
  expect(!(await page.$("figure")) || (await page.$("figure details[open]")), "numbers behind a picture cannot be opened by keyboard");
}

async function checkDownload(page, expect) {
  for (const button of (await page.$$("figure:first-of-type .downloads button")).slice(0, 2)) {
    const [download] = await Promise.all([page.waitForEvent("download", { timeout: 20000 }), button.click()]);
    expect(/\.(svg|png)$/.test(download.suggestedFilename()), `saved as ${download.suggestedFilename()}`);
    const chunks = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk);
    const file = Buffer.concat(chunks);
    expect(file.length > 1000 && !file.includes("var(--"), `${download.suggestedFilename()} is not a picture by itself`);
  }
}

/** Without scripts: every number and sentence is there, and no control that would do nothing. */
async function checkWithoutScripts(page, expect) {
  expect(await page.isVisible("#answer .answer"), "no answer without scripts");
  expect((await page.$$("select:visible, button:visible, input:visible")).length === 0, "controls that do nothing");
}

export const checks = {
  "light": {
    options: { colorScheme: "light", acceptDownloads: true },
    steps: [checkFirstScreen, checkKeyboard, checkStructure, checkFilter, checkChoice, checkDownload, checkTheme],
  },
  "sheet": { options: { colorScheme: "light" }, steps: [checkSheet] },
  "print": { options: { colorScheme: "dark" }, steps: [checkLooks, checkPrint] },
  "narrow": { options: { viewport: { width: 360, height: 740 } }, steps: [checkNarrow] },
  "without scripts": { options: { javaScriptEnabled: false }, steps: [checkWithoutScripts] },
};
