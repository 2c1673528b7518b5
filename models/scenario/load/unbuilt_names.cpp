#include "models/scenario/load/unbuilt_names.h"

#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "models/scenario/buying/policies.h"
#include "models/scenario/buying/validity.h"
#include "models/scenario/format/known_names.h"
#include "models/scenario/supply/pools.h"
#include "models/scenario/workload/workload.h"
#include "sim/core/error_list.h"

namespace stockout {
namespace {

void check_new(const Node& name, std::set<std::string>& names, std::string_view what) {
  if (names.insert(name.as_text()).second) return;
  name.fail(fmt::format("there is a {} \"{}\" already", what, name.as_text()));
}

void check_machine(const Draft& draft, const Node& owner) {
  if (owner.has("machine"))
    static_cast<void>(find_machine(draft, owner.at("machine"), owner.text("machine")));
}

// Those that the file has, whether they could be built or not.
std::vector<std::string> written_reservations(const Draft& draft) {
  std::vector<std::string> names;
  for (const Node& node : draft.root.list("reservations")) names.push_back(node.text("name"));
  return names;
}

void check_held(const Draft& draft, const Node& leg) {
  if (!leg.has("reservation")) return;
  const std::vector<std::string> known = written_reservations(draft);
  const Node named = leg.at("reservation");
  const std::vector<Node> nodes = named.kind() == ValueKind::text ? std::vector<Node>{named} : named.items();
  attempt_each(nodes, [&](const Node& name) { static_cast<void>(find_name(name, "reservation", known)); });
}

void check_leg_names(const Draft& draft, const PolicyRows& rows, const Node& strategy, const Node& leg,
                     bool is_last) {
  ErrorList errors;
  errors.attempt([&] {
    Leg made;
    made.orchestrator = orchestrator_of(strategy, leg);
    made.policy = rows.of_leg(leg, made.orchestrator, !is_last);
    if (made.orchestrator) check_orchestrator(draft, leg, made);
  });
  for (const Node& place : leg.list("places"))
    errors.attempt([&] { static_cast<void>(find_place(draft, place)); });
  errors.attempt([&] { check_machine(draft, leg); });
  for (const Node& gpu : leg.list("gpus")) errors.attempt([&] { check_gpu(draft, gpu, gpu.as_text()); });
  errors.attempt([&] { check_held(draft, leg); });
  errors.raise();
}

}  // namespace

void check_reservation_names(const Draft& draft) {
  std::set<std::string> names;
  ErrorList{}.attempt([&] {  // as far as pools can be read
    for (const Node& pool : draft.root.list("pools")) {
      if (pool.has("name")) names.insert(pool.text("name"));
    }
  });
  attempt_each(draft.root.list("reservations"), [&](const Node& node) {
    ErrorList errors;
    errors.attempt([&] { check_new(node.at("name"), names, "pool or reservation"); });
    errors.attempt([&] { check_machine(draft, node); });
    errors.attempt([&] { static_cast<void>(find_place(draft, node.at("place"))); });
    errors.raise();
  });
}

void check_strategy_names(const Draft& draft) {
  const PolicyRows rows{draft.root, draft.catalog};
  std::set<std::string> names;
  attempt_each(draft.root.list("strategies"), [&](const Node& node) {
    ErrorList errors;
    errors.attempt([&] { check_new(node.at("name"), names, "strategy"); });
    const std::vector<Node> legs = node.list("legs");
    for (std::size_t i = 0; i < legs.size(); ++i)
      errors.attempt([&] { check_leg_names(draft, rows, node, legs[i], i + 1 == legs.size()); });
    errors.raise();
  });
}

}  // namespace stockout
