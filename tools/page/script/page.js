// What a report page runs in the browser. Without it the page still holds every sentence and number.
import { Charts } from "./charts.js";
import { followChoice } from "./choice.js";
import { followFilter } from "./filter.js";
import { parseData } from "./names.js";
import { followTheme } from "./theme.js";
import { reachTablesByKeyboard } from "./tables.js";

const page = parseData(document.getElementById("page_data").textContent);
const charts = new Charts(page.data);

followTheme();
reachTablesByKeyboard();
if (page.strategies.length > 0) followFilter(page.strategies, charts);
if (page.choice) followChoice(page.choice, page.strategies, charts);
charts.draw().then(() => document.documentElement.setAttribute("data-drawn", ""));
