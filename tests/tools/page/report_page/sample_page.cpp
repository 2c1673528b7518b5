#include "tests/tools/page/report_page/sample_page.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace stockout::test {
namespace {

using nlohmann::json;

struct Strategy {
  double cost_usd;
  double half_width;
  std::array<double, 4> share;  // within 30 min, 4 h, 24 h, 3 days
  double median_h;
};

constexpr std::array<Strategy, 4> kStrategies{{
    {48210, 610, {0.62, 0.71, 0.83, 0.97}, 1.8},
    {31870, 940, {0.31, 0.78, 0.96, 0.99}, 2.4},
    {52950, 480, {0.97, 0.99, 1, 1}, 0.05},
    {32410, 820, {0.44, 0.83, 0.97, 1}, 1.1},
}};

json colour_of_strategy(const std::vector<std::string>& names) {
  return {{"field", "strategy"}, {"type", "nominal"}, {"scale", {{"domain", names}}}, {"legend", nullptr}};
}

json shown_only() { return {{{"filter", "!isDefined(shown) || indexof(shown, datum.strategy) >= 0"}}}; }

json axis(const char* field, const char* title) {
  return {{"field", field}, {"type", "quantitative"}, {"title", title}};
}

Relation cost_table(const std::vector<std::string>& names) {
  Relation table{.title = "What each strategy costs, and how long its jobs wait",
                 .columns = {name_column("strategy"),
                             {.title = "cost", .unit = "USD", .style = kUsd, .interval = Interval::shown}}};
  table.add_columns(kPercent, {"started in\n30 min", "started in\n4 h", "started in\n24 h"});
  table.columns.push_back({.title = "wait, me-\ndian", .unit = "h", .style = kHundredths});
  for (std::size_t s = 0; s < names.size(); ++s) {
    const Strategy& one = kStrategies[s];
    Cell cost{one.cost_usd};
    cost.half_width = one.half_width;
    table.add({names[s], cost, one.share[0], one.share[1], one.share[2], one.median_h});
  }
  return table;
}

Relation flips_table(const std::vector<std::string>& names) {
  Relation table{.title = "What could flip it"};
  table.add_columns(kText, {"assumption", "now", "flips at", "then the cheapest is"});
  table.add({"price of Spot", "$2.10 an hour", "$2.31 an hour (+10 %)", names[3]});
  table.add({"capacity of zone A", "16 machines", "11 machines", names[0]});
  table.add({"time lost in a preemption", "12 min", "47 min", names[2]});
  return table;
}

json wait_rows(const std::vector<std::string>& names) {
  json rows = json::array();
  for (std::size_t s = 0; s < names.size(); ++s) {
    for (int step = 0; step <= 24; ++step) {
      const double wait_h = 0.01 * std::pow(1.5, step);
      const double share = 1 - std::exp(-wait_h / kStrategies[s].median_h * 0.69);
      rows.push_back({{"strategy", names[s]}, {"wait_h", wait_h}, {"share", share}});
    }
  }
  return rows;
}

json cost_rows(const std::vector<std::string>& names) {
  json rows = json::array();
  for (std::size_t s = 0; s < names.size(); ++s) {
    const Strategy& one = kStrategies[s];
    rows.push_back({{"strategy", names[s]},
                    {"cost", one.cost_usd},
                    {"low", one.cost_usd - one.half_width},
                    {"high", one.cost_usd + one.half_width},
                    {"wait_h", one.median_h}});
  }
  return rows;
}

json bill_rows(const std::vector<std::string>& names) {
  constexpr std::array kParts{"on demand", "Spot", "reserved, used", "reserved, idle"};
  json rows = json::array();
  for (std::size_t s = 0; s < names.size(); ++s) {
    for (std::size_t part = 0; part < kParts.size(); ++part) {
      const double weight = static_cast<double>((s * 7 + part * 3) % 5 + 1) / 12;
      rows.push_back(
          {{"strategy", names[s]}, {"part", kParts[part]}, {"usd", kStrategies[s].cost_usd * weight}});
    }
  }
  return rows;
}

json pool_rows() {
  json rows = json::array();
  for (const char* pool : {"zone A, Spot", "zone B, on demand"}) {
    for (int hour = 0; hour < 96; ++hour) {
      const double busy = 10 + 5 * std::sin(hour / 8.0) + (pool[5] == 'A' ? 2 : -2);
      rows.push_back({{"pool", pool},
                      {"time", fmt::format("2026-03-{:02}T{:02}:00:00", 2 + hour / 24, hour % 24)},
                      {"machines", std::round(busy)}});
    }
  }
  return rows;
}

Chart front_chart(const std::vector<std::string>& names) {
  const json x{{"field", "wait_h"},
               {"type", "quantitative"},
               {"title", "median wait [h]"},
               {"scale", {{"zero", true}}}};
  json y = axis("cost", "cost [USD]");
  y["scale"] = {{"zero", false}};
  json name = colour_of_strategy(names);
  const json point{{"mark", "point"}, {"encoding", {{"x", x}, {"y", y}, {"color", name}, {"shape", name}}}};
  const json interval{{"mark", "rule"},
                      {"encoding",
                       {{"x", x},
                        {"y", {{"field", "low"}, {"type", "quantitative"}}},
                        {"y2", {{"field", "high"}}},
                        {"color", name}}}};
  const json label{{"mark", {{"type", "text"}, {"align", "left"}, {"dx", 9}, {"dy", -9}}},
                   {"encoding", {{"x", x}, {"y", y}, {"text", {{"field", "strategy"}}}}}};
  return {.id = "cost-against-wait",
          .title = "Cost against wait",
          .description =
              "A point a strategy: its median wait across, its cost upwards, with the range that chance "
              "leaves. Down and to the left is better.",
          .spec = {{"data", {{"name", "costs"}}},
                   {"params", {{{"name", "shown"}, {"value", names}}}},
                   {"transform", shown_only()},
                   {"layer", {interval, point, label}}},
          .table = cost_table(names)};
}

Chart wait_chart(const std::vector<std::string>& names) {
  json x = axis("wait_h", "wait, at most [h], log scale");
  x["scale"] = {{"type", "log"}};
  json y = axis("share", "share of the jobs");
  y["axis"] = {{"format", "%"}};
  const json name = colour_of_strategy(names);
  const json lines{{"transform", shown_only()},
                   {"mark", "line"},
                   {"encoding", {{"x", x}, {"y", y}, {"color", name}, {"strokeDash", name}}}};
  const json limit{{"data", {{"values", json::array({json::object()})}}},
                   {"mark", {{"type", "rule"}, {"strokeDash", {4, 4}}}},
                   {"transform", {{{"calculate", "limit_h"}, {"as", "wait_h"}}}},
                   {"encoding", {{"x", x}}}};
  Relation table{.title = "Waits, median"};
  table.columns = {name_column("strategy")};
  table.add_columns(kHundredths, {"median [h]"});
  for (std::size_t s = 0; s < names.size(); ++s) table.add({names[s], kStrategies[s].median_h});
  return {.id = "waits",
          .title = "How long the jobs wait",
          .description = "A line a strategy: which share of the jobs has started within the time below.",
          .spec = {{"data", {{"name", "waits"}}},
                   {"params", {{{"name", "shown"}, {"value", names}}, {{"name", "limit_h"}, {"value", 4}}}},
                   {"layer", {lines, limit}}},
          .table = table};
}

Chart bill_chart(const std::vector<std::string>& names) {
  Relation table{.title = "Cost by way of buying"};
  table.columns = {name_column("strategy"), name_column("bought as")};
  table.columns.push_back({.title = "cost", .unit = "USD", .style = kUsd});
  for (const json& row : bill_rows(names)) {
    table.add({row["strategy"].get<std::string>(), row["part"].get<std::string>(), row["usd"].get<double>()});
  }
  return {.id = "bill",
          .title = "Where every dollar went",
          .description = "A bar a strategy, its parts by way of buying.",
          .spec = {{"data", {{"name", "bill"}}},
                   {"params", {{{"name", "shown"}, {"value", names}}}},
                   {"transform", shown_only()},
                   {"mark", "bar"},
                   {"encoding",
                    {{"y", {{"field", "strategy"}, {"type", "nominal"}, {"sort", names}, {"title", nullptr}}},
                     {"x", axis("usd", "cost [USD]")},
                     {"color", {{"field", "part"}, {"type", "nominal"}, {"title", "bought as"}}}}}},
          .table = table};
}

Chart pool_chart() {
  Relation table{.title = "Machines in use, at most"};
  table.add_columns(kText, {"pool"});
  table.add_columns(kWhole, {"machines"});
  table.add({"zone A, Spot", 17});
  table.add({"zone B, on demand", 13});
  return {.id = "pools",
          .title = "Machines in use over time",
          .description = "One panel a pool, one below the other: machines in use by hour.",
          .spec = {{"data", {{"name", "pools"}}},
                   {"mark",
                    {{"type", "area"}, {"interpolate", "step-after"}, {"line", true}, {"fillOpacity", 0.25}}},
                   {"height", 90},
                   {"encoding",
                    {{"x", {{"field", "time"}, {"type", "temporal"}, {"title", nullptr}}},
                     {"y", axis("machines", "machines")},
                     {"row",
                      {{"field", "pool"},
                       {"title", nullptr},
                       {"header", {{"orient", "top"}, {"labelAnchor", "start"}}}}}}}},
          .table = table};
}

WaitChoice sample_choice(const std::vector<std::string>& names) {
  WaitChoice choice{.jobs = "training jobs", .within_h = {0.5, 4, 24, 72}, .rows = {}, .limit = 2};
  for (std::size_t s = 0; s < names.size(); ++s) {
    const Strategy& one = kStrategies[s];
    choice.rows.push_back({.strategy = names[s],
                           .cost_usd = one.cost_usd,
                           .cost_half_width = one.half_width,
                           .share = {one.share.begin(), one.share.end()},
                           .costs_the_same = {}});
  }
  choice.rows[1].costs_the_same = {3};
  choice.rows[3].costs_the_same = {1};
  return choice;
}

}  // namespace

std::vector<std::string> plain_names() {
  return {"on demand, one zone", "Spot, two zones", "reserved for a year", "Spot, then on demand"};
}

std::vector<std::string> hostile_names() {
  return {"</script><script>window.hacked = 1</script>",
          "\"quoted' & <img src=x onerror=\"window.hacked = 1\">\u2028next\u2029",
          "\u202E\u05E9\u05DC\u05D5\u05DD \u0645\u0631\u062D\u0628\u0627", std::string(300, 'W')};
}

Page sample_page(const std::vector<std::string>& names) {
  const Relation costs = cost_table(names);
  const Details made{
      .summary = "How the numbers were made",
      .blocks = {
          Paragraph{"200 replications, the same random numbers for every strategy. Seed 7, fingerprint "
                    "d3b314043dbd7bfd."},
          flips_table(names)}};
  return {.title = "240 training jobs on H100s, two weeks in March",
          .question = "Which way of buying is the cheapest, if a training job may wait no longer than a day?",
          .answer = names[1] + " is the cheapest: $31,870 ± $940 for the two weeks.",
          .choice = sample_choice(names),
          .strategies = names,
          .sections = {{.id = "strategies", .title = "The strategies", .blocks = {costs, flips_table(names)}},
                       {.id = "cost-and-wait",
                        .title = "Cost and wait",
                        .blocks = {front_chart(names), wait_chart(names)}},
                       {.id = "money",
                        .title = "Where the money goes",
                        .blocks = {Paragraph{"List prices; what is contracted stands in the table."},
                                   bill_chart(names)}},
                       {.id = "over-time", .title = "Over time", .blocks = {pool_chart()}},
                       {.id = "method", .title = "How the numbers were made", .blocks = {made}}},
          .data = {{"costs", cost_rows(names)},
                   {"waits", wait_rows(names)},
                   {"bill", bill_rows(names)},
                   {"pools", pool_rows()}}};
}

}  // namespace stockout::test
