#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/catalog/types.h"
#include "models/catalog/validity.h"
#include "models/consumption/policy.h"
#include "models/consumption/strategy.h"
#include "models/scenario/format/catalog_names.h"
#include "models/scenario/format/fill.h"
#include "models/scenario/format/keys.h"
#include "models/scenario/format/keys_relations.h"
#include "models/supply/footprint.h"
#include "sim/core/duration_text.h"

namespace stockout {
namespace {

ValueSpec tries_value() { return either_value({integer_value(0, 65'535), choice_value({"unlimited"})}); }

std::string count_text(std::int32_t count) {
  return count == kUnlimited ? "unlimited" : fmt::format("{}", count);
}

// What the models have where a scenario says nothing: "30s (spot), else 0s".
template <typename Text>
std::string default_by_model(const Text& text) {
  std::vector<std::pair<std::string, std::vector<std::string>>> values;  // with the models that have it
  for (const Policy& row : policy_table()) {
    const std::string value = text(row);
    auto known = std::ranges::find(values, value, [](const auto& each) { return each.first; });
    if (known == values.end()) known = values.emplace(known, value, std::vector<std::string>{});
    known->second.push_back(row.name);
  }
  const auto most = std::ranges::max_element(values, {}, [](const auto& each) { return each.second.size(); });
  std::string special;
  for (const auto& [value, models] : values) {
    if (value != most->first) special += fmt::format("{} ({}), ", value, fmt::join(models, ", "));
  }
  return fmt::format("{}{}{}", special, special.empty() ? "" : "else ", most->first);
}

std::string default_length(SimDuration Policy::*length) {
  return default_by_model([length](const Policy& row) { return format_duration(row.*length); });
}

// Rows hold fixed lengths; random ones come with a scenario.
std::string default_law(Law Policy::*law) {
  return default_by_model([law](const Policy& row) { return format_duration((row.*law).constant()); });
}

KeySpec of_model(std::string usual, KeySpec key) {
  key.usual = std::move(usual);
  return key;
}

std::string default_count(std::int32_t Policy::*count) {
  return default_by_model([count](const Policy& row) { return count_text(row.*count); });
}

KeySpec orchestrator_key(std::string doc) {
  return optional_key("orchestrator", name_value("orchestrator", kOrchestratorNames), std::move(doc));
}

ValueSpec names_value() { return list_value(text_value(), 1, 10'000); }

ValueSpec names_value(const KnownNames& names) { return list_value(known_value(names), 1, 10'000); }

// Further attempts, by what ended the one before.
std::vector<KeySpec> tries_keys() {
  return {
      of_model(default_count(&Policy::retries),
               optional_key("retries", tries_value(),
                            "further attempts after a stock-out, or after a refusal for want of quota")),
      of_model(default_length(&Policy::retry_interval),
               filling(&Policy::retry_interval,
                       optional_key("retry_interval", duration_value(),
                                    "from that refusal to the next attempt (assumption); under gke the first "
                                    "back-off of a node group"))),
      of_model(default_count(&Policy::restarts),
               optional_key("restarts", tries_value(), "further attempts after a preemption")),
      of_model("those of `restarts`",
               optional_key("fault_restarts", tries_value(),
                            "the same after a fault without notice, if those have a bound of their own")),
      of_model(default_count(&Policy::worker_restarts),
               optional_key("worker_restarts", tries_value(),
                            "of a worker that exits, on its machine of an attempt")),
      of_model(default_count(&Policy::exit_restarts),
               optional_key("exit_restarts", tries_value(),
                            "further attempts after a worker exited once more than that")),
  };
}

}  // namespace

std::vector<KeySpec> policy_keys() {
  const std::string no_limit =
      one_of_text(model_is([](const Policy& row) { return row.zero_wait_is_forever; }).words, '`', "and");
  std::vector<KeySpec> keys{
      of_model(default_length(&Policy::max_wait),
               optional_key("max_wait", duration_or_forever(),
                            fmt::format("longest wait in a queue; {}: 0s is no limit", no_limit))),
      of_model(default_length(&Policy::notice),
               filling(&Policy::notice, optional_key("notice", duration_value(),
                                                     "from being preempted to the end of the lease"))),
      of_model(default_length(&Policy::run_max),
               filling(&Policy::run_max, optional_key("run_max", duration_or_forever(),
                                                      "a lease that has run this long is cut off"))),
      of_model(default_by_model([](const Policy& row) { return std::string{row.chains ? "true" : "false"}; }),
               filling(&Policy::chains,
                       optional_key("chains", flag_value(),
                                    "at run_max a job with checkpoints writes a last one and goes on in "
                                    "a new attempt"))),
      of_model(default_count(&Policy::machines_max),
               filling(&Policy::machines_max,
                       optional_key("machines_max", integer_value(0, kMostMachines, "machines"),
                                    "most machines of one request; 0: no bound"))),
      of_model(
          default_count(&Policy::open_max),
          filling(&Policy::open_max,
                  optional_key("open_max", integer_value(0, kMostMachines, "requests"),
                               "where requests wait at the provider: most that may be open at a time, over "
                               "all jobs; the next job waits in line without one; 0: no bound"))),
      of_model(
          default_law(&Policy::lifetime),
          optional_key("lifetime", either_value({duration_or_forever(), object_value(law_keys())}),
                       "of each machine, until it is preempted whatever the load; forever: by load alone")),
      of_model(
          default_law(&Policy::provisioning),
          optional_key("provisioning", length_value(), "from the grant to machines that are up; not billed")),
      of_model(default_law(&Policy::start_up),
               optional_key("start_up", length_value(),
                            "from machines that are up to work (image, data); billed")),
      of_model("none", optional_key("health", object_value(health_keys()),
                                    "tests of every machine before work begins; billed")),
      of_model(default_by_model([](const Policy& row) {
                 return std::string{kPriceModelNames[static_cast<std::size_t>(row.price)]};
               }),
               optional_key("price", name_value("price model", kWaysToBuy),
                            "the column of the price list; not for reservations")),
  };
  std::ranges::move(tries_keys(), std::inserter(keys, keys.begin() + 2));
  return keys;
}

const ObjectSpec& health_keys() {
  static const ObjectSpec kKeys{
      .name = "health",
      .doc = "A test of every machine of a gang before work begins; the gang waits for the last of them.",
      .keys = {
          required_key("takes", duration_value(), "one test"),
          default_key("fails", number_value(0, 0.9, "share"), "0",
                      "how often a machine fails it (assumption)"),
          default_key("replace", duration_value(), "0s", "from a failure to the next test"),
      }};
  return kKeys;
}

const ObjectSpec& model_keys() {
  static const ObjectSpec kKeys{.name = "model",
                                .doc =
                                    "Changes to a consumption model. A key that is not named stays as "
                                    "the orchestrator of the leg has it; the defaults here are those "
                                    "without an orchestrator.",
                                .keys = policy_keys()};
  return kKeys;
}

const ObjectSpec& strategy_keys() {
  static const ObjectSpec kKeys{
      .name = "strategy",
      .doc =
          "A way of buying: each attempt starts at the first leg and passes on to the next when a "
          "leg is exhausted.",
      .keys =
          {
              required_key("name", text_value(), "unique"),
              required_key("legs", list_value(object_value(leg_keys()), 1, kMostLegsWritten), "in order"),
              orchestrator_key(
                  "who puts the requests: sets each leg's retries, restarts, waits and bounds (`stockout "
                  "catalog --orchestrators`), unless `models` or the leg says otherwise. The models of the "
                  "legs, and those that one job may go through, are checked against the catalogue's matrix "
                  "on the day of `start`; default: none, with the rules of Vertex AI and no check"),
              default_key(
                  "order", choice_value({"listed", "cheapest_first"}), "listed",
                  "cheapest_first: at each attempt a job tries the leg first whose cheapest place does its "
                  "work for the least at that hour's price. An at-once leg asks its cheapest place first"),
              optional_key("quota", object_value(quota_rule_keys()),
                           "treatment of a job that is short of quota"),
              optional_key("node_groups", object_value(node_group_keys()),
                           "how long the cluster autoscaler of GKE leaves a node group alone that failed"),
              optional_key(
                  "provisioning_request", object_value(provisioning_request_keys()),
                  "queued provisioning of GKE (flex_start_mig): when pods come, and how long machines wait "
                  "for them"),
              optional_key("resubmit", object_value(resubmit_keys()),
                           "the person who submits a failed job again"),
              optional_key("deadline_rule", object_value(deadline_rule_keys()),
                           "a job changes between its two legs as its deadline comes nearer"),
          },
      .relations = strategy_relations()};
  return kKeys;
}

const ObjectSpec& leg_keys() {
  static const ObjectSpec kKeys = [] {
    ObjectSpec spec{
        .name = "leg",
        .doc = "One model in one or more places. It may change what the model does, for itself alone."};
    spec.keys = {
        required_key("model", name_value("consumption model", model_names()),
                     "how machines are got; flex_start is Vertex AI's form"),
        orchestrator_key("of this leg, where a strategy mixes them; default: that of the strategy"),
        optional_key(
            "places", names_value(zones_and_regions()),
            "zones, or regions for all their pools; asked in this order, or at once by a model that queues; "
            "default: every pool"),
        optional_key("reservation", either_value({text_value(), names_value()}), "which of the reservations"),
        optional_key("machine", known_value(machine_types()),
                     "the machine type to take; default: the smallest that holds a node"),
        optional_key("gpus", names_value(gpu_types()),
                     "only machines with these GPU types; default: any that suits the job"),
        filling(&Leg::limit, default_key("limit", duration_or_forever(), "forever",
                                         "how long a job stays in this leg; 0s: one try at once")),
        filling(&Leg::keep,
                default_key("keep", flag_value(), "false",
                            "requests stay open when the job passes on, at most for the model's max_wait")),
        default_key(
            "race", choice_value({"first_grant", "first_boot"}), "first_grant",
            "where there is a queue in several places: whether the first grant ends the others, or the first "
            "start of work; until then all that are granted are held and paid. first_boot goes neither with "
            "sets of jobs (`with`) nor, for flex_start_mig under gke, with a `provisioning_request`"),
        default_key("compact", choice_of(kCompactNames), "no",
                    "in pools with a `placement`: all machines of a job in one block of hosts; or, with "
                    "neighbours, at most two adjacent ones"),
        filling(&Leg::spread,
                default_key("spread", choice_of(kSpreadNames), "any_single_zone",
                            "how the equal machines of a job, all of which come at one instant, are spread "
                            "over the zones of a region: in one, evenly, or in as few as have room. The last "
                            "two under compute_engine, slurm or no orchestrator, without sets of jobs")),
        optional_key(
            "flavor", text_value(),
            "of Kueue, under the orchestrator gke or none: only jobs that it gives quota of this flavor ask "
            "here"),
        optional_key(
            "partition", text_value(),
            "of Slurm, under the orchestrator slurm: only jobs that it gives nodes of this partition ask "
            "here. Each leg has another. If the nodes are those of a reservation, the leg names it"),
        optional_key("classes", names_value(),
                     "only jobs of these classes; others pass on at once; default: all"),
        optional_key(
            "partial", object_value(partial_keys()),
            "a job of several equal nodes takes fewer machines, too, and gives single ones back. With "
            "`spread` it is the minimum count of bulkInsert, and the machines that came go together"),
    };
    for (auto& key : policy_keys()) spec.keys.push_back(std::move(key));
    spec.relations = leg_relations();
    return spec;
  }();
  return kKeys;
}

const ObjectSpec& partial_keys() {
  static const ObjectSpec kKeys{
      .name = "partial",
      .doc =
          "How few machines will do, and whether those that are there are held while the rest is asked for.",
      .keys =
          {
              optional_key("least", integer_value(1, kMostMachines, "machines"),
                           "so many will do; a job that asks for fewer takes all"),
              optional_key("least_share", number_above(0, 1, "share"),
                           "of the machines of a job, rounded up"),
              filling(
                  &Partial::gather,
                  default_key(
                      "gather", duration_value(), "0s",
                      "so long what is there is held and paid while the rest is asked for; 0s: what is free at "
                      "one instant")),
              filling(&Partial::interval, default_key("every", duration_at_least(kShortestPause), "30s",
                                                      "between two askings meanwhile")),
              filling(
                  &Partial::recreates,
                  default_key(
                      "recreate", flag_value(), "false",
                      "machines that are lost are asked for again, as at the start, at most for `gather`; as a "
                      "managed instance group of Spot machines does")),
              filling(&Partial::works_on,
                      default_key(
                          "meanwhile", choice_value({"wait", "work"}), "wait",
                          "whether those that are left wait for them, paid, or work on if they are enough "
                          "(elastic training). New ones join when the last is ready, which interrupts all")),
          },
      .exactly_one = {KeyGroup{{"least", "least_share"}}},
      .relations = {
          only_with({{"gather"}}, {"every"}, "without one nothing is asked for again"),
          requires_keys({"recreate", {"true"}}, {"gather"},
                        "so long the rest waits for machines in place of those lost"),
          only_with({{"recreate", {"true"}}}, {"meanwhile"}, "else nobody waits for machines that were lost"),
      }};
  return kKeys;
}

}  // namespace stockout
