#include <utility>
#include <vector>

#include "models/scenario/format/catalog_names.h"
#include "models/scenario/format/fill.h"
#include "models/scenario/format/held_model.h"
#include "models/scenario/format/keys.h"
#include "models/supply/pool.h"

namespace stockout {

namespace {

constexpr double kMostRaises = 100;

// What each way of holding capacity knows.
std::vector<KeyRelation> reservation_relations() {
  const auto of = [](std::vector<std::string> models, std::vector<std::string> keys) {
    return only_with({{"model", std::move(models)}}, std::move(keys));
  };
  std::vector<KeyRelation> relations = ageing_relations();
  relations.push_back(
      of({"calendar", "future_reservation"}, {"booked", "lead_time", "acceptance", "bookable", "gather"}));
  relations.push_back(of({"calendar"}, {"cancelled"}));
  relations.push_back(
      of({"persistent_resource", "node_pool", "slurm_nodes"}, {"idle_after", "after_add", "cold_start"}));
  relations.push_back(of({"persistent_resource", "node_pool"}, {"least", "raised"}));
  relations.push_back(
      of({"reservation", "persistent_resource", "node_pool", "slurm_nodes"}, {"retry_every"}));
  relations.push_back(of({"reservation", "future_reservation"}, {"commitment"}));
  relations.push_back(of({"reservation", "calendar", "future_reservation"}, {"added_supply"}));
  relations.push_back(requires_keys({"model", {"calendar"}}, {"from", "until"}, "it is for 1 to 90 days"));
  return relations;
}

// Of capacity that is booked beforehand.
std::vector<KeySpec> booking_keys() {
  return {
      optional_key("booked", date_value(),
                   "the day on which the provider answers; default: lead_time before `from`, or the start of "
                   "warm-up if that is later"),
      optional_key("lead_time", duration_value(),
                   "how long beforehand it is booked; calendar: 87h by default, not less, and at most 120d; "
                   "future_reservation: 30d (assumption)"),
      optional_key("cancelled", date_value(),
                   "the day on which a calendar booking is cancelled, before its lock: 56 days "
                   "before it starts"),
      optional_key("acceptance", number_value(0, 1, "share"),
                   "the chance that a booking for which there is room is accepted; default 1 (assumption)"),
      optional_key("bookable", number_value(0, 1, "share"),
                   "share of the pool's capacity that may be promised away; default 1 (assumption)"),
      optional_key("gather", duration_value(),
                   "how long before `from` freed machines are kept for it; default 1d (assumption)"),
  };
}

// Of capacity that grows and shrinks.
std::vector<KeySpec> elastic_keys() {
  return {
      optional_key("least", integer_value(0, kMostMachines, "machines"),
                   "a persistent resource or node pool never has fewer; default 1, of a node_pool 0"),
      optional_key("raised", list_value(object_value(raised_least_keys()), 1, kMostRaises),
                   "when a persistent resource or node pool has more than `least` at least; where several "
                   "meet, the most counts"),
      optional_key(
          "idle_after", duration_or_forever(),
          "a persistent resource or node pool gives a machine back that was free so long; default "
          "10min (assumption; of a node_pool the autoscaler's default). Of slurm_nodes: SuspendTime, "
          "5min as in Cluster Toolkit"),
      optional_key("after_add", duration_value(),
                   "a persistent resource or node pool gives back none so soon after the last grant of a "
                   "machine. Default 0s, of a node_pool the autoscaler's scale-down-delay-after-add: 10min"),
      optional_key("cold_start", length_value(),
                   "of a machine of a persistent resource, node pool or slurm_nodes, until it serves; "
                   "default uniform from 5 to 10min"),
  };
}

std::vector<KeySpec> keys_of_all_held() {
  return {
      filling(&HeldPool::retry_every,
              default_key("retry_every", duration_at_least(kShortestPause), "1h",
                          "asked again after this time while there is no room; of a node_pool or "
                          "slurm_nodes 5min unless said")),
      filling(&HeldPool::added_supply, default_key("added_supply", flag_value(), "false",
                                                   "comes on top of the pool instead of out of it")),
      filling(&HeldPool::share,
              default_key("share", flag_value(), "false", "whether jobs may share a machine")),
      filling(&Pool::discipline, default_key("discipline", name_value("discipline", kDisciplineNames),
                                             "first_fit", "which waiting job is next")),
      ageing_key(),
  };
}

}  // namespace

const ObjectSpec& reservation_keys() {
  static const ObjectSpec kKeys = [] {
    ObjectSpec spec{
        .name = "reservation",
        .doc =
            "Machines that the planner holds, whether used or not. They come out of the place's pool, and "
            "are paid at the price of their model. A strategy pays for those its legs name. model: a "
            "reservation is made when the pool has room; calendar and future_reservation are booked "
            "beforehand; a persistent_resource grows and shrinks with the jobs that wait. So does a "
            "node_pool of GKE's cluster autoscaler, and so do slurm_nodes: the nodes of a node set of Slurm's "
            "that stay on, and paid, for SuspendTime after their last job.",
        .keys =
            {
                required_key("name", text_value(), "unique; what a leg calls it"),
                default_key("model", name_value("way to hold capacity", kHeldModelNames), "reservation",
                            "how it is got, and what it costs"),
                required_key("machine", known_value(machine_types()), "which are held"),
                required_key("place", known_value(zones_and_regions()),
                             "the place of the pool it comes out of"),
                required_key("count", integer_value(0, kMostMachines, "machines"),
                             "how many; of a persistent resource, node pool or slurm_nodes: the most. 0: "
                             "none is held, nothing is paid, and legs that name it serve nobody"),
                default_key(
                    "commitment", choice_value({"none", "1y", "3y"}), "none",
                    "whose price is paid, for the whole term whatever `until` says; of a reservation or "
                    "future reservation"),
                optional_key("from", date_value(), "from this day on; default: the start of warm-up"),
                optional_key("until", date_value(),
                             "until the start of this day; default: the end of the run; of a "
                             "future_reservation: a year after `from` at least"),
            },
        .at_most_one = {KeyGroup{{"booked", "lead_time"}}},
        .relations = reservation_relations()};
    for (auto& key : booking_keys()) spec.keys.push_back(std::move(key));
    for (auto& key : elastic_keys()) spec.keys.push_back(std::move(key));
    for (auto& key : keys_of_all_held()) spec.keys.push_back(std::move(key));
    return spec;
  }();
  return kKeys;
}

const ObjectSpec& raised_least_keys() {
  static const ObjectSpec kKeys{
      .name = "raised_least",
      .doc =
          "When a persistent resource or node pool has a higher minimum: before a season, or in office "
          "hours. Machines are asked for when it begins, and those without work go when it is over.",
      .keys = {
          required_key("least", integer_value(1, kMostMachines, "machines"), "it never has fewer then"),
          optional_key("from", date_value(), "its first day; default: the start of warm-up"),
          optional_key("until", date_value(),
                       "the first day on which it is over; default: the end of the run"),
          default_key("days", days_value(), "every_day", "days of the week"),
          default_key("hours", clock_span_value(), "00:00-24:00", "on these days, local time"),
      }};
  return kKeys;
}

const ObjectSpec& fault_keys() {
  static const ObjectSpec kKeys{
      .name = "fault",
      .doc =
          "Each leased machine breaks after a life of its own, and each idle one of held capacity. A lease "
          "ends, and the pool is without the machine until it is repaired.",
      .keys = {
          filling(&FaultRule::name, required_key("name", text_value(), "such as hardware, or maintenance")),
          required_key("life", length_value(),
                       "of a machine, from its start-up to the fault; at least 1h on average"),
          filling(&FaultRule::notice,
                  default_key("notice", duration_value(), "0s", "from the fault to the end of the lease")),
          required_key("repair", length_value(), "from the end of the notice until the machine is back"),
      }};
  return kKeys;
}

const ObjectSpec& mass_reclaim_keys() {
  static const ObjectSpec kKeys{
      .name = "mass_reclaim",
      .doc =
          "Spot machines of a pool are preempted together, at random times. A lease of several machines "
          "ends with the first of them; the model's notice holds. Room is not taken away: capacity over "
          "time says that.",
      .keys = {
          required_key("every", length_value(), "from one such time to the next; at least 1h on average"),
          required_key("share", number_value(0.000001, 1, "share"),
                       "of the Spot machines that are up, each by its own luck (assumption)"),
          optional_key(
              "spread", length_value(),
              "from that time until a machine is preempted; default: evenly within 3min (published: over 92 "
              "% of interruptions that come together come within 3 minutes)"),
      }};
  return kKeys;
}

}  // namespace stockout
