// A table in every format: they say the same, since they are written from the same relation.

#include <catch2/catch.hpp>

#include "tools/table/csv_text.h"
#include "tools/table/report_format.h"
#include "tools/table/text_table.h"
#include "tools/table/write_csv.h"
#include "tools/table/write_html.h"
#include "tools/table/write_json.h"
#include "tools/table/write_text.h"

using namespace stockout;

namespace {

Cell known(double mean, double half_width) {
  return Estimate{.mean = mean, .half_width = half_width, .count = 2};
}

Cell at_least(double mean) {
  Cell cell{mean};
  cell.at_least = true;
  return cell;
}

// One of everything: a name, an estimate, a bound, a share, a truth, what is for people or files only.
Relation waits() {
  Relation table{
      .title = "Waits",
      .columns = {
          name_column("strategy"),
          {.key = "cost_usd", .title = "cost", .unit = "USD", .style = kUsd, .interval = Interval::shown},
          {.key = "wait_h", .title = "wait", .unit = "h", .style = kHundredths, .bound = true},
          {.key = "met_share", .title = "goal\nmet", .unit = "%", .style = kPercent},
          {.key = "exact"},
          {.title = "in words"}}};
  table.add({"on demand", known(1200.5, 10), 0.25, 0.5, true, "as asked"});
  table.add({"spot", Cell{}, at_least(10.5), Cell{}, false, "=more"});
  return table;
}

}  // namespace

TEST_CASE("A table for people: units below titles, \"-\" for nothing, \"> \" for a bound", "[table]") {
  CHECK(write_text(waits()) ==
        "Waits\n"
        "                               goal\n"
        "            cost         wait   met\n"
        "strategy   [USD]   ±      [h]   [%]  in words\n"
        "---------  -----  --  -------  ----  --------\n"
        "on demand  1,200  10     0.25  50.0  as asked\n"
        "spot           -   -  > 10.50     -  =more\n");
}

TEST_CASE("A table as Markdown: what would break it is escaped, hyphenated words are whole", "[table]") {
  Relation table{.title = "T"};
  table.add_columns(kCount, {"com-\npleted"});
  table.add_columns(kText, {"a\nb"});
  table.add({at_least(1), "x|y"});
  CHECK(write_markdown(table) == "**T**\n\n| completed | a b |\n|--:|:--|\n| \\> 1 | x\\|y |\n");
}

TEST_CASE("A table as CSV: exact numbers, fields beside them, no formula", "[table]") {
  CHECK(write_csv(waits()) ==
        "strategy,cost_usd,cost_usd_plus_minus,wait_h,wait_h_is_lower_bound,met_share,exact\n"
        "on demand,1200.5,10,0.25,0,0.5,1\n"
        "spot,,,10.5,1,,0\n");
  Relation table{.columns = files_only({"name"})};
  table.add({"=1+2"});
  CHECK(write_csv(table) == "name\n'=1+2\n");
}

TEST_CASE("A row of a CSV file ends its line, and has a comma between fields", "[table]") {
  CHECK(csv_row(std::vector<std::string>{"a", "", "c"}) == "a,,c\n");
  CHECK(csv_row([](auto add) { add(csv_text("a,b")); }) == "\"a,b\"\n");
  CHECK(csv_row([](auto) {}) == "\n");
}

TEST_CASE("The rows of one name, without it", "[table]") {
  const Relation part = part_of(waits(), "strategy", "spot");
  REQUIRE(part.rows.size() == 1);
  CHECK(part.columns.front().key == "cost_usd");
  CHECK(part.rows[0].cells[1].at_least);
}

TEST_CASE("A report in each format, of which only the one asked for is made", "[table]") {
  std::vector<std::string> made;
  const ReportForms forms{.text =
                              [&](const TextLayout& layout) {
                                made.emplace_back("text");
                                return layout.markdown ? write_markdown(waits()) : write_text(waits());
                              },
                          .csv =
                              [&] {
                                made.emplace_back("csv");
                                return waits();
                              },
                          .json =
                              [&] {
                                made.emplace_back("json");
                                return nlohmann::ordered_json{{"waits", write_json(waits())}};
                              },
                          .version = "test"};
  CHECK(write_in(ReportFormat::table, forms, {}) == write_text(waits()));
  CHECK(write_in(ReportFormat::markdown, forms, {}) == write_markdown(waits()));
  CHECK(write_in(ReportFormat::csv, forms, {}) == write_csv(waits()));
  const std::string json = write_in(ReportFormat::json, forms, {});
  CHECK(json.rfind("{\n  \"layout\": 1,\n  \"stockout\": \"test\",\n  \"waits\": [", 0) == 0);
  CHECK(json.back() == '\n');
  CHECK(made == std::vector<std::string>{"text", "text", "csv", "json"});
}

TEST_CASE("A table as JSON: objects by key, null or nothing where there is nothing", "[table]") {
  CHECK(write_json(waits()).dump() ==
        R"([{"strategy":"on demand","cost_usd":{"mean":1200.5,"half_width_95":10.0},"wait_h":{"mean":0.25},)"
        R"("met_share":0.5,"exact":true},{"strategy":"spot","cost_usd":null,)"
        R"("wait_h":{"mean":10.5,"is_lower_bound":true},"met_share":null,"exact":false}])");
  CHECK(write_json(waits(), JsonNothing::left_out).back().dump() ==
        R"({"strategy":"spot","wait_h":{"mean":10.5,"is_lower_bound":true},"exact":false})");
}

TEST_CASE("Rows that agree in their first columns are one object with an array", "[table]") {
  Relation table{.columns = files_only({"model", "from"})};
  table.add({"spot", 0});
  table.add({"spot", 2});
  table.add({"flex", 0});
  CHECK(write_nested_json(pick(table, {{"model"}, {"from", "at"}}), 1, "ranges").dump() ==
        R"([{"model":"spot","ranges":[{"at":0},{"at":2}]},{"model":"flex","ranges":[{"at":0}]}])");
}

TEST_CASE("A table as the rows of a picture: plain values and the ends of intervals", "[table]") {
  CHECK(write_chart_rows(waits()).dump() ==
        R"([{"cost_usd":1200.5,"cost_usd_high":1210.5,"cost_usd_low":1190.5,"exact":true,"met_share":0.5,)"
        R"("strategy":"on demand","wait_h":0.25},{"exact":false,"strategy":"spot","wait_h":10.5}])");
}

TEST_CASE("A table as HTML marks the rows of strategies", "[table]") {
  const std::string html = write_html(waits(), "table_1", {"spot", "on demand"});
  CHECK_THAT(html, Catch::Contains("<th scope=\"col\" class=\"number\">goal met [%]</th>"));
  CHECK_THAT(html, Catch::Contains("<tr data-strategy=\"0\"><th scope=\"row\">spot</th><td "
                                   "class=\"number\">-</td><td class=\"number\">-</td><td "
                                   "class=\"number\">&gt; 10.50</td>"));
}

TEST_CASE("No name breaks a row of a table", "[table]") {
  Relation table{.title = "T"};
  table.add_columns(kText, {"a"});
  table.add_columns(kWhole, {"b"});
  table.add({"x\ty\nz", 1});
  CHECK(write_text(table) == "T\na      b\n-----  -\nx y z  1\n");
  CHECK_THAT(write_markdown(table), Catch::EndsWith("| x y z | 1 |\n"));
}

TEST_CASE("A name stands once above its block, in every row of Markdown", "[table]") {
  Relation table{.title = "T", .columns = {{.title = "pool", .once = true}, name_column("n")}};
  for (const char* pool : {"a", "a", "b"}) table.add({pool, "x"});
  CHECK(write_text(table) == "T\npool  n\n----  -\na     x\n      x\nb     x\n");
  CHECK_THAT(write_markdown(table), Catch::EndsWith("| a | x |\n| a | x |\n| b | x |\n"));
}

TEST_CASE("Digits are those that tell the rows of a column apart", "[table]") {
  const auto shown = [](const Style& style, std::vector<double> numbers) {
    Relation table{.columns = {{.title = "n", .style = style}}};
    for (const double number : numbers) table.add({number});
    std::vector<std::string> texts;
    for (const auto& row : text_table(table, true).rows) texts.push_back(row.front().text);
    return texts;
  };
  using Texts = std::vector<std::string>;
  CHECK(shown(kCount, {1, 2000}) == Texts{"1", "2,000"});
  CHECK(shown(kCount, {1, 2.5}) == Texts{"1.0", "2.5"});
  CHECK(shown(kUsd, {999.4, -1}) == Texts{"999.40", "-1.00"});
  CHECK(shown(kUsd, {999.4, -1000}) == Texts{"999", "-1,000"});
  CHECK(shown(kUsdMore, {0.5, 0.001, -1}) == Texts{"+0.50", "0.00", "-1.00"});
  CHECK(shown(kShare, {0.99999, 1, 0.00001}) == Texts{"> 99.9", "100.0", "< 0.1"});
}

TEST_CASE("A cell by itself: decimals or digits that count, half of its interval behind it", "[table]") {
  CHECK(estimate_text(known(1234.56, 7.25), {.decimals = 1}) == "1,234.6 ± 7.2");
  CHECK(estimate_text(known(1234.56, 7.25), {.digits = 4}) == "1,235 ± 7");
  CHECK(estimate_text(known(0.012345, 0.001), {.digits = 3}) == "0.0123 ± 0.0010");
  CHECK(estimate_text(known(0.5, 0), {.digits = 0}) == "0.5");
  CHECK(estimate_text(known(1e300, 1e299), {.digits = 3}) == "1e+300 ± 1e+299");
  CHECK(estimate_text(at_least(10.5), kTenths) == "> 10.5");
  CHECK(estimate_text(Cell{}, kTenths) == "-");
}

TEST_CASE("A column that says nothing is left out for people, never in files", "[table]") {
  Relation table{
      .columns = {name_column("a"), {.key = "b", .title = "b", .style = kWhole, .optional = true}}};
  table.add({"x", 0});
  table.add({"y", Cell{}});
  CHECK(text_table(table, true).columns.size() == 1);
  CHECK(write_csv(table) == "a,b\nx,0\ny,\n");
  table.add({"z", 1});
  CHECK(text_table(table, true).columns.size() == 2);
}

TEST_CASE("Words stand for people in place of a value; a sign where it may be chance", "[table]") {
  Relation table{
      .columns = {{.key = "more", .title = "more", .style = kUsdMore, .interval = Interval::shown}}};
  Cell doubtful = known(5, 6);
  doubtful.may_be_chance = true;
  table.add({known(0, 0).as("this one")});
  table.add({doubtful});
  table.add({known(7, 1)});
  CHECK(write_text(table) ==
        "    more     ±\n"
        "--------  ----\n"
        "this one\n"
        " +5.00 ~  6.00\n"
        " +7.00    1.00\n");
  CHECK(write_csv(table) == "more,more_plus_minus\n0,0\n5,6\n7,1\n");
}
