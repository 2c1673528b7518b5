// The report page as text: what a browser gets. What it makes of it: report_page/check_page.mjs.

#include <algorithm>
#include <cmath>
#include <regex>
#include <set>

#include <catch2/catch.hpp>

#include "sim/core/check.h"
#include "tests/tools/page/report_page/sample_page.h"
#include "tools/page/choice_text.h"
#include "tools/page/page_runtime.h"
#include "tools/table/html_text.h"

using namespace stockout;

namespace {

Page page_of(PageBlock block) {
  return {.title = "t",
          .question = {},
          .answer = "a",
          .choice = {},
          .strategies = {"x", "y"},
          .sections = {{.id = "s", .title = "S", .blocks = {std::move(block)}}}};
}

Chart chart_of(nlohmann::json spec) {
  return {
      .id = "c", .title = "C", .description = "d", .spec = std::move(spec), .table = Relation{.title = "T"}};
}

// Page without what is built in, which is as long as a book.
std::string own_part(const Page& page) {
  std::string html = write_page(page);
  const PageRuntime runtime = page_runtime();
  for (const std::string_view part : {runtime.style, runtime.script})
    html.erase(html.find(part), part.size());
  return html;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// a: cheap and slow; b and c: the same cost within chance; d: dear and fast.
WaitChoice four_ways() {
  return {.jobs = "jobs",
          .within_h = {0.5, 24},
          .rows = {{.strategy = "a",
                    .cost_usd = 100,
                    .cost_half_width = {},
                    .share = {0.2, 0.9},
                    .costs_the_same = {}},
                   {.strategy = "b",
                    .cost_usd = 200,
                    .cost_half_width = 10,
                    .share = {0.5, 0.96},
                    .costs_the_same = {2}},
                   {.strategy = "c",
                    .cost_usd = 205,
                    .cost_half_width = 10,
                    .share = {0.4, 0.97},
                    .costs_the_same = {1}},
                   {.strategy = "d",
                    .cost_usd = 300,
                    .cost_half_width = {},
                    .share = {0.9, 1},
                    .costs_the_same = {}}}};
}

}  // namespace

TEST_CASE("What looks like HTML is shown as it is", "[page]") {
  CHECK(html_text("a < b & \"c\" > 'd'") == "a &lt; b &amp; &quot;c&quot; &gt; &#39;d&#39;");
  CHECK(html_text("± 5 \u05E9 \U0001F600\n\t") == "± 5 \u05E9 \U0001F600\n\t");
  CHECK(html_attribute("title", "\"><script>") == " title=\"&quot;&gt;&lt;script&gt;\"");
}

TEST_CASE("What is no text, or would turn the text that follows, is replaced", "[page]") {
  const std::string replaced = "\uFFFD";
  CHECK(html_text(std::string("a\0b\x1b", 4)) == "a" + replaced + "b" + replaced);
  CHECK(html_text("\u202Ea\u2066\u200F") == replaced + "a" + replaced + replaced);
  CHECK(html_text("\xC3(") == replaced + "(");                         // a byte that should follow is missing
  CHECK(html_text("\xC0\xAF") == replaced + replaced);                 // longer than needed
  CHECK(html_text("\xED\xA0\x80") == replaced + replaced + replaced);  // half of a surrogate pair
  CHECK(html_text("a\xF0\x9F\x98") == "a" + replaced + replaced + replaced);  // cut off
}

TEST_CASE("Nothing in data ends the script that holds it", "[page]") {
  CHECK(html_json({{"a", "</script><!-- &"}}) == R"({"a":"\u003c/script\u003e\u003c!-- \u0026"})");
  CHECK(html_json("x\u2028y\u2029") == R"("x y ")");
  CHECK(html_json("\\u2028 \u202E") == R"("\\u2028 \ufffd")");
  CHECK(html_json("\u00B1\xFF\n\"") == R"("\u00b1\ufffd\n\"")");
  CHECK(html_json(std::nan("")) == "null");
}

TEST_CASE("A long text is cut between characters", "[page]") {
  CHECK(cut_text("abc", 3) == "abc");
  CHECK(cut_text("±±±±", 3) == "±±±…");
}

TEST_CASE("The same page has the same bytes, and lets nothing be fetched", "[page]") {
  const Page page = test::sample_page(test::plain_names());
  const std::string html = write_page(page);
  CHECK(html == write_page(page));
  CHECK(html.size() < 1'500'000);
  CHECK(count(html, "content=\"default-src &#39;none&#39;; script-src &#39;sha256-") == 1);
  const std::string own = own_part(page);
  for (const char* fetching : {"http:", "https:", "//www", " src=", "url(", "@import", "unsafe-eval"}) {
    CHECK(count(own, fetching) == 0);
  }
  CHECK(count(own, "<script>") == 1);
}

TEST_CASE("What is built in has the licences of its libraries and ends no element of the page", "[page]") {
  const PageRuntime runtime = page_runtime();
  const std::string script{runtime.script};
  CHECK(script.substr(0, 3) == "/*!");
  for (const char* library : {"vega ", "vega-lite ", "vega-embed ", "d3-scale "}) {
    CHECK(count(script.substr(0, script.find("*/")), library) > 0);
  }
  CHECK(count(script, "Redistribution and use in source and binary forms") > 0);
  for (const char* end : {"</script", "<script", "<!--"}) CHECK(count(script, end) == 0);
  CHECK(count(std::string{runtime.style}, "</") == 0);
}

TEST_CASE("No name gets out of its place", "[page]") {
  const std::string plain = own_part(test::sample_page(test::plain_names()));
  const std::string hostile = own_part(test::sample_page(test::hostile_names()));
  for (const char* tag : {"<script", "</script", "<img", "<tr", "<td", "<style"}) {
    CHECK(count(hostile, tag) == count(plain, tag));
  }
  CHECK(count(hostile, "onerror=\"") == 0);
  CHECK(count(hostile, "\u202E") == 0);
}

TEST_CASE("Tables say what their cells are, and whose row it is", "[page]") {
  Relation table{.title = "Costs <now>"};
  table.columns = {{.key = "strategy", .title = "strat-\negy"}};
  table.add_columns(kWhole, {"cost\n[USD]"});
  table.add({"y", "1"});
  table.add({"other", "2"});
  const std::string html = own_part(page_of(table));
  CHECK(count(html, "<span>Costs &lt;now&gt;</span></caption>") == 1);
  CHECK(count(html, "<th scope=\"col\">strategy</th><th scope=\"col\" class=\"number\">cost [USD]</th>") ==
        1);
  CHECK(count(html, "<tr data-strategy=\"1\"><th scope=\"row\">y</th><td class=\"number\">1</td></tr>") == 1);
  CHECK(count(html, "<tr><th scope=\"row\">other</th>") == 1);
}

TEST_CASE("A strategy named elsewhere in a row does not make the row its own", "[page]") {
  Relation table{.title = "What could flip it"};
  table.add_columns(kText, {"assumption", "then the cheapest is"});
  table.add({"x", "y"});
  CHECK(count(own_part(page_of(table)), "<tr data-strategy") == 0);
}

TEST_CASE("A ranked list has its title, and the menu a short one of the section", "[page]") {
  Page page =
      page_of(RankedList{.title = "What could flip it", .items = {"the price of <Spot>", "capacity"}});
  page.sections[0].menu = "Short & sweet";
  const std::string html = own_part(page);
  CHECK(count(html,
              "<p id=\"list_1\">What could flip it</p>\n<ol aria-labelledby=\"list_1\">\n<li>the price of "
              "&lt;Spot&gt;</li>") == 1);
  CHECK(count(html, "<a href=\"#s\">Short &amp; sweet</a>") == 1);
  CHECK(count(html, ">S</h2>") == 1);
}

TEST_CASE("A chart whose colours no legend explains has keys below it", "[page]") {
  const nlohmann::json colour{{"field", "strategy"}, {"legend", nullptr}};
  const auto keys_of = [](const nlohmann::json& spec) {
    return count(own_part(page_of(chart_of(spec))), "<li data-strategy");
  };
  CHECK(keys_of({{"encoding", {{"color", colour}}}}) == 2);
  CHECK(keys_of({{"layer", {{{"encoding", {{"color", colour}}}}, {{"mark", "rule"}}}}}) == 2);
  CHECK(keys_of({{"encoding", {{"color", {{"field", "strategy"}}}}}}) == 0);
  CHECK(keys_of({{"encoding", {{"color", {{"value", "red"}}}}}}) == 0);
}

TEST_CASE("Ids are unique and plain; anything else is our own mistake", "[page]") {
  const std::string html = own_part(test::sample_page(test::plain_names()));
  const std::regex id{" id=\"([^\"]*)\""};
  std::set<std::string> ids;
  for (auto found = std::sregex_iterator{html.begin(), html.end(), id}; found != std::sregex_iterator{};
       ++found) {
    CHECK(ids.insert((*found)[1]).second);
  }
  Page page = page_of(Paragraph{"p"});
  page.sections.push_back(page.sections[0]);
  CHECK_THROWS_AS(write_page(page), InvariantError);
  page.sections[1].id = "Upper case";
  CHECK_THROWS_AS(write_page(page), InvariantError);
  page.sections[1].id = "filter";
  CHECK_THROWS_AS(write_page(page), InvariantError);
}

TEST_CASE("The cheapest strategy that meets the limit is named, with what the others cost", "[page]") {
  const ChoiceAnswer answer = choose_by_wait(four_ways(), 1, 0.95);
  CHECK(
      answer.text ==
      "The cheapest strategy that starts 95 % of the jobs within 24 h is b: $200 ± 10.00, 96.0 % of them in "
      "time. Within chance, c costs the same. The next, d, costs $100 more (+50.0 %).");
  CHECK(answer.cheapest == 1U);
  CHECK(answer.costs_the_same == std::vector<std::size_t>{2});
  CHECK(answer.misses == std::vector<std::size_t>{0});
}

TEST_CASE("One that misses the limit is neither the cheapest nor the same", "[page]") {
  WaitChoice choice = four_ways();
  choice.rows[2].share[1] = 0.5;
  const ChoiceAnswer answer = choose_by_wait(choice, 1, 0.95);
  CHECK(answer.costs_the_same.empty());
  CHECK(answer.misses == std::vector<std::size_t>{0, 2});
}

TEST_CASE("The only strategy that meets the limit, and none", "[page]") {
  CHECK(choose_by_wait(four_ways(), 0, 0.9).text ==
        "The cheapest strategy that starts 90 % of the jobs within 30 min is d: $300, 90.0 % of them in "
        "time. No other strategy does.");
  const ChoiceAnswer none = choose_by_wait(four_ways(), 0, 0.999);
  CHECK(none.text ==
        "No strategy starts 99.9 % of the jobs within 30 min. The closest is d, with 90.0 % for $300.");
  CHECK_FALSE(none.cheapest);
  CHECK(none.misses.size() == 4);
}

TEST_CASE("A share that was reached exactly is reached, and is offered", "[page]") {
  WaitChoice choice = four_ways();
  choice.share = 0.97;
  choice.rows[2].share[1] = 0.97 - 1e-15;  // as a sum of replications has it
  CHECK(choose_by_wait(choice, 1, 0.97).cheapest == 2U);
  const std::vector<double> shares = offered_shares(choice);
  CHECK(std::ranges::is_sorted(shares));
  CHECK(std::ranges::count(shares, 0.97) == 1);
  choice.share = 0.95;
  CHECK(std::ranges::count(offered_shares(choice), 0.95) == 1);
}

TEST_CASE("A page of nothing but its answer", "[page]") {
  Page page = page_of(Paragraph{});
  page.strategies.clear();
  page.sections.clear();
  const std::string html = own_part(page);
  CHECK(count(html, "<p class=\"answer\">a</p>") == 1);
  CHECK(count(html, "id=\"filter\"") == 0);
}
