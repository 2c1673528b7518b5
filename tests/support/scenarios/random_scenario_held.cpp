#include <fmt/format.h>

#include "tests/support/scenarios/random_scenario_plan.h"

namespace stockout::test {
namespace {

bool is_elastic(const std::string& model) { return model == "persistent_resource" || model == "node_pool"; }

Offer offer_of(const std::string& model) {
  if (model == "calendar") return Offer::calendar;
  return is_elastic(model) ? Offer::on_demand : Offer::reservation;
}

/// From a day to a day, both counted from the start of the window.
void put_window(ScenarioPlan& plan, Json& node, const std::string& model) {
  const bool is_booked = model == "calendar" || model == "future_reservation";
  const std::int64_t from = plan.number(model == "calendar" ? 0 : -1, plan.days);
  if (is_booked || plan.chance(40)) node["from"] = plan.day(from);
  const bool is_future = model == "future_reservation";
  const std::int64_t least = is_future ? from + 366 : std::max<std::int64_t>(from, 0) + 1;
  const std::int64_t until = plan.number(least, is_future ? least + 30 : plan.days + 3);
  if (model == "calendar" || plan.chance(40)) node["until"] = plan.day(until);
  if (!is_booked) return;
  if (plan.chance(30)) {
    node["booked"] = plan.day(from - plan.number(model == "calendar" ? 4 : 0, 10));
  } else if (plan.chance(40)) {
    node["lead_time"] = model == "calendar" ? "90h" : plan.halves(0, 90);
  }
}

void put_booking(ScenarioPlan& plan, Json& node) {
  plan.maybe(40, node, "acceptance", [&] {
    return plan.calm ? plan.one_of<double>({0, 1}) : plan.share(20, 100);
  });
  plan.maybe(40, node, "bookable", [&] { return plan.share(30, 100); });
  plan.maybe(50, node, "gather", [&] { return plan.halves(0, 40); });
}

/// Booked long before, and given back before its lock.
void cancel(Json& node) {
  node["from"] = "2026-10-25";
  node["until"] = "2026-10-27";
  node["booked"] = "2026-07-01";
  node["cancelled"] = "2026-08-01";
  node.erase("lead_time");
}

/// The minimum is higher on some days, or in some hours.
void put_raised(ScenarioPlan& plan, Json& node, std::int64_t least, std::int64_t most) {
  if (least >= most || !plan.chance(50)) return;
  for (std::int64_t i = plan.number(1, 2); i > 0; --i) {
    Json raise{{"least", plan.number(least + 1, most)}};
    const std::int64_t from = plan.number(-1, plan.days);
    plan.maybe(50, raise, "from", [&] { return plan.day(from); });
    plan.maybe(50, raise, "until", [&] { return plan.day(from + plan.number(1, 3)); });
    plan.maybe(40, raise, "days", [&] { return random_days(plan); });
    plan.maybe(50, raise, "hours", [&] { return plan.word({"08:00-18:00", "02:30-03:15", "20:00-24:00"}); });
    node["raised"].push_back(std::move(raise));
  }
}

void put_scaling(ScenarioPlan& plan, Json& node, const std::string& model) {
  const std::int64_t most = node["count"].get<std::int64_t>();
  plan.maybe(60, node, "least", [&] { return plan.number(0, most); });
  plan.maybe(30, node, "after_add", [&] { return plan.minutes(0, 120); });
  plan.maybe(60, node, "idle_after", [&] { return plan.chance(20) ? "forever" : plan.minutes(5, 120); });
  plan.maybe(60, node, "cold_start", [&] { return random_length(plan, 0, 2); });
  if (plan.calm && !node.contains("cold_start")) node["cold_start"] = plan.minutes(0, 10);
  put_raised(plan, node, node.value("least", std::int64_t{model == "node_pool" ? 0 : 1}), most);
}

void add_reservation(ScenarioPlan& plan) {
  const PlannedPool& pool = plan.one_of(plan.pools);
  const PlannedFamily& family = plan.family_of(pool);
  const std::string model = plan.word(
      {"reservation", "reservation", "calendar", "future_reservation", "persistent_resource", "node_pool"});
  const MachineType* machine = plan.machine_of(family, offer_of(model));
  if (machine == nullptr) return;
  Json node{{"name", fmt::format("held-{}", plan.reservations.size() + 1)}};
  if (model != "reservation" || plan.chance(30)) node["model"] = model;
  node["machine"] = machine->name;
  node["place"] = pool.place;
  const bool is_added = !is_elastic(model) && plan.chance(20);
  const std::int64_t room = pool.gpus / machine->gpus.count();
  const bool is_none = plan.chance(4);
  node["count"] = is_none ? 0 : plan.number(1, is_added || room == 0 ? 2 : std::min<std::int64_t>(room, 3));
  put_window(plan, node, model);
  if (model == "calendar" || model == "future_reservation") put_booking(plan, node);
  if (model == "calendar" && plan.file["start"] == "2026-10-24" && plan.chance(50)) cancel(node);
  if (is_elastic(model)) put_scaling(plan, node, model);
  if (model == "reservation" || is_elastic(model))
    plan.maybe(50, node, "retry_every", [&] { return plan.halves(1, 6); });
  if (model == "reservation" || model == "future_reservation")
    plan.maybe(30, node, "commitment", [&] { return plan.word({"none", "1y", "3y"}); });
  if (is_added) node["added_supply"] = true;
  plan.maybe(35, node, "share", [&] { return plan.chance(80); });
  put_discipline(plan, node);
  plan.reservations.push_back({.name = node["name"], .model = model});
  plan.file["reservations"].push_back(std::move(node));
}

}  // namespace

void plan_reservations(ScenarioPlan& plan) {
  for (std::int64_t i = plan.number(-1, 3); i > 0; --i) add_reservation(plan);
}

}  // namespace stockout::test
