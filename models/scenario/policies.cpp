#include "models/scenario/policies.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "models/scenario/lengths.h"

namespace stockout {
namespace {

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const Policy& row : policy_table()) names.push_back(row.name);
  return names;
}

Tries read_tries(const Node& node) {
  return node.kind() == ValueKind::choice ? kUnlimited : static_cast<Tries>(node.as_integer());
}

// Changes what `node`, a model or a leg, names.
void change(Policy& row, const Node& node) {
  if (node.has("max_wait")) row.max_wait = node.duration("max_wait");
  if (node.has("notice")) row.notice = node.duration("notice");
  if (node.has("retries")) row.retries = read_tries(node.at("retries"));
  if (node.has("retry_interval")) row.retry_interval = node.duration("retry_interval");
  if (node.has("restarts")) row.restarts = read_tries(node.at("restarts"));
  if (node.has("run_max")) row.run_max = node.duration("run_max");
  if (node.has("provisioning")) row.provisioning = to_law(node.at("provisioning"), false);
  if (node.has("start_up")) row.start_up = to_law(node.at("start_up"), false);
  if (node.has("price")) {
    if (row.held) node.at("price").fail("a reservation's price follows from its commitment");
    row.price = node.choice<PriceModel>("price");
  }
}

// What would make a run go round for ever in one instant, or end before it began.
void check(const Policy& row, const Node& node) {
  const bool retries = row.admission == Admission::at_once && row.retries != 0;
  if (retries && row.retry_interval <= SimDuration::zero()) {
    node.fail(
        fmt::format("{} retries after no time at all: \"retry_interval\" must be more than 0s", row.name));
  }
  if (row.run_max <= SimDuration::zero()) node.at("run_max").fail("must be more than 0s");
}

}  // namespace

PolicyRows::PolicyRows(const Node& root) {
  for (const Policy& row : policy_table()) rows_.emplace(row.name, row);
  if (!root.has("models")) return;
  const auto entries = root.at("models").entries();
  for (const auto& [name, node] : entries) {
    if (name != "all" && !rows_.contains(name)) {
      auto known = model_names();
      known.emplace_back("all");
      node.fail(
          fmt::format("there is no consumption model \"{}\"{}", name.substr(0, 60), suggest(name, known)));
    }
  }
  for (auto& [row_name, row] : rows_) {
    for (const std::string_view wanted : {std::string_view{"all"}, std::string_view{row_name}}) {
      const auto entry =
          std::ranges::find_if(entries, [&](const auto& candidate) { return candidate.first == wanted; });
      if (entry == entries.end()) continue;
      change(row, entry->second);
      check(row, entry->second);
    }
  }
}

Policy PolicyRows::of_leg(const Node& leg) const {
  const std::string name = leg.text("model");
  const auto row = rows_.find(name);
  if (row == rows_.end()) {
    leg.at("model").fail(fmt::format("there is no consumption model \"{}\"{}", name.substr(0, 60),
                                     suggest(name, model_names())));
  }
  Policy policy = row->second;
  change(policy, leg);
  check(policy, leg);
  return policy;
}

}  // namespace stockout
