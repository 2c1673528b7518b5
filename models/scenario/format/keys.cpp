#include "models/scenario/format/keys.h"

#include "models/billing/overlay.h"
#include "models/catalog/types.h"
#include "models/consumption/policy.h"
#include "models/measures/measure_table.h"
#include "models/measures/precision.h"
#include "models/measures/wait_goal.h"
#include "models/scenario/format/catalog_names.h"
#include "models/scenario/format/decision.h"
#include "models/scenario/format/fill.h"
#include "models/scenario/format/keys_relations.h"
#include "models/world/world.h"

namespace stockout {
namespace {

const KnownNames& models_and_all() {
  static const KnownNames kNames{"model_or_all", "consumption model, or \"all\"", [] {
                                   auto names = model_names();
                                   names.emplace_back("all");
                                   return names;
                                 }};
  return kNames;
}

const KnownNames& measure_names() {
  static const KnownNames kNames{"measure", "measure", [] {
                                   std::vector<std::string> names;
                                   for (const MeasureInfo& measure : measure_table())
                                     names.emplace_back(measure.name);
                                   return names;
                                 }};
  return kNames;
}

ValueSpec objects(const ObjectSpec& object, double least, double most) {
  return list_value(object_value(object), least, most);
}

std::vector<KeySpec> calendar_keys() {
  return {
      required_key("start", date_value(), "the first day of the window; it starts at 00:00 local time"),
      default_key("time_zone", text_value(), "UTC",
                  "the local time of office hours, schedules and daily swings: an IANA name or "
                  "an offset (\"-07:00\")"),
      optional_key(
          "window", window_value(),
          "jobs submitted within it are measured; default: up to and including the last job of the traces"),
      default_key("warm_up", either_value({duration_value(), object_value(warm_up_keys())}), "0s",
                  "how long tenants run before the window, so that jobs meet pools in a steady state, or how "
                  "to find out. The jobs of the workload are never cut"),
      filling(&World::end, default_key("end", choice_value({"drain", "window"}), "drain",
                                       "when a run ends: when the last job is done, or with the window")),
      filling(&World::drain_limit,
              default_key("drain_limit", duration_value(), "90d",
                          "the longest a run goes on after the window, with end: drain")),
      filling(&World::hold_end,
              default_key(
                  "hold_end", choice_value({"run_end", "last_start"}), "run_end",
                  "until when reserved machines are paid: the run's end, or the last first start of a job")),
      filling(&World::grid, default_key("grid", duration_value(), "0s",
                                        "arrivals and lengths are rounded down to multiples of it; 0s: none. "
                                        "For published references")),
      filling(&World::ties,
              default_key("ties", choice_value({"releases_first", "starts_first"}), "releases_first",
                          "order within one instant. starts_first is for published references")),
  };
}

// Of `recommend`, and of `calibrate`.
std::vector<KeySpec> decision_terms_keys() {
  return {
      optional_key("goals", objects(asked_goal_keys(), 0, 20),
                   "goals beside `goal`, in `compare` and `recommend`: waits, deadlines, work that is "
                   "completed, a budget"),
      optional_key("decide", objects(decision_keys(), 0, 20),
                   "free choices of `recommend`: every combination, under each strategy"),
      optional_key(
          "unknown", objects(unknown_keys(), 0, 40),
          "values that nobody publishes, with their ranges: `calibrate` holds them against a history"),
      optional_key("indifference_usd", number_above(0, 1e15, "USD"),
                   "of `recommend`: whatever costs so much more at most is as good; default: 1 % of the cost "
                   "of the cheapest that seems to meet the goals"),
      optional_key("undone_usd_per_gpu_h", number_value(0, 1e9, "USD"),
                   "of `recommend`: the price of a GPU-hour of work that is not done. It is added to the "
                   "cost, in place of the rule of the same work"),
      optional_key("most_obligation", choice_of(kObligationNames),
                   "of `recommend`: the longest term of a commitment that may be begun; default: those that "
                   "end within the window"),
  };
}

std::vector<KeySpec> content_keys() {
  return {
      optional_key("prices_as_of", date_value(),
                   "the day of the price list, whatever the simulated calendar says; default: the latest "
                   "of the catalogue"),
      default_key("prices_follow_calendar", flag_value(), "false",
                  "each hour costs what the catalogue's dated rows say for its simulated day, instead of the "
                  "price of `prices_as_of`. A commitment keeps the price of the first day"),
      default_key("replications", integer_value(1, kMostReplications), "5",
                  "how often everything random is drawn anew"),
      optional_key("precision", object_value(precision_keys()),
                   "as many replications as it takes, instead of `replications`"),
      default_key("control_variates", flag_value(), "false",
                  "results are adjusted by how many jobs and how much work were drawn, against what Poisson "
                  "sources and tenants bring on average. From 10 replications on"),
      default_key("seed", integer_value(0, 9e15), "1", "of everything random"),
      optional_key("goal", object_value(goal_keys()), "the wait the planner can live with"),
      optional_key(
          "consecutive_within", duration_value(),
          "how soon after the end of a job another of the same user and class counts as following it, for "
          "the capacity lost between jobs. If said, reports show it; default 1h (assumption)"),
      optional_key("billing", object_value(billing_keys()),
                   "how a lease is rounded for the bill, and Vertex AI's fee"),
      optional_key(
          "prices", objects(price_keys(), 0, 10'000),
          "the planner's own prices on top of the list, in this order. Of several that fit, the last one "
          "counts, or multiplies where its `factor_of` is \"above\""),
      optional_key("price_files", list_value(text_value(), 0, 100),
                   "files with more of them, which come after these: each a list, or an object with `prices` "
                   "and `billing`"),
      optional_key("commitments", objects(commitment_keys(), 0, 1'000),
                   "commitments that exist already: paid under every strategy, and shown as sunk"),
      optional_key("other_costs", objects(other_cost_keys(), 0, 1'000), "costs beside the machines"),
      optional_key(
          "models", by_name(models_and_all(), table_value(model_keys())),
          "changes to the consumption models by name; \"all\" changes every one, before its own entry"),
      optional_key("classes", table_value(class_keys()),
                   "job classes by name, where a source does not describe its own"),
      required_key("workload", objects(source_keys(), 1, 1'000), "where jobs come from"),
      optional_key("demand", demand_value(),
                   "how much more or less all sources of the workload bring than written, over time"),
      required_key("pools", objects(pool_keys(), 1, kMostPools), "the provider's capacity"),
      optional_key("tenants", object_value(tenants_keys()),
                   "settings that the tenants of all pools share; a pool's own keys go first"),
      optional_key("reservations", objects(reservation_keys(), 0, 10'000), "capacity the planner holds"),
      optional_key("quota", object_value(quota_keys()), "the provider's limits on the planner"),
      optional_key("kueue", object_value(kueue_keys()), "Kueue before the legs that name a flavor"),
      optional_key("slurm", object_value(slurm_keys()), "Slurm before the legs that name a partition"),
      required_key("strategies", objects(strategy_keys(), 1, 1'000),
                   "the ways of buying to compare, in this order"),
      optional_key(
          "assumptions", list_value(text_value(), 0, 1'000),
          "assumptions of this scenario that are not public, one line each; printed with the result"),
      optional_key(
          "alternatives", objects(alternative_rule_keys(), 0, 100),
          "rules of it that are not public, and how they may be otherwise: for `compare --assumptions`"),
  };
}

}  // namespace

const ObjectSpec& scenario_keys() {
  static const ObjectSpec kKeys = [] {
    ObjectSpec spec{.name = "scenario", .doc = "A whole scenario file."};
    spec.keys = {
        optional_key("$schema", text_value(), "for editors; the program does not read it"),
        filling(&World::name, required_key("name", text_value(), "in a few words; heads every report")),
        default_key("question", text_value(), "\"\"", "the planner's question, in one sentence"),
    };
    for (auto& key : calendar_keys()) spec.keys.push_back(std::move(key));
    for (auto& key : content_keys()) spec.keys.push_back(std::move(key));
    for (auto& key : decision_terms_keys()) spec.keys.push_back(std::move(key));
    spec.at_most_one = {KeyGroup{{"replications", "precision"}}};
    spec.relations = scenario_relations();
    return spec;
  }();
  return kKeys;
}

const ObjectSpec& goal_keys() {
  static const ObjectSpec kKeys{
      .name = "goal",
      .doc = "A share of the jobs starts within a time and is completed.",
      .keys = {
          default_key("wait_p", number_value(1, 99.9, "%"), "95", "the share of jobs"),
          filling(&WaitGoal::at_most, required_key("at_most", duration_value(),
                                                   "the longest wait of that share, from submission (or "
                                                   "release by its group) to the first grant")),
          optional_key("class", text_value(), "only jobs of this class; default: all"),
          default_key("same_work", number_value(0, 100, "%"), "99",
                      "the share of the most complete strategy's work (of all classes) that another must get "
                      "done to be compared with it on cost. An assumption"),
      }};
  return kKeys;
}

const ObjectSpec& warm_up_keys() {
  static const ObjectSpec kKeys{
      .name = "warm_up",
      .doc =
          "The warm-up is found by a rule, from runs of the tenants alone that start with empty pools and "
          "last twice `most`: for each pool, where the rest of its days has a mean that is known best "
          "(MSER-5). The longest of any pool counts, in whole days.",
      .keys = {
          required_key("rule", choice_value({"mser5"}), "MSER-5 (K. P. White, 1997)"),
          default_key("most", duration_at_least(std::chrono::hours{24 * 10}), "60d",
                      "the longest warm-up; tenants that take longer are an error"),
      }};
  return kKeys;
}

const ObjectSpec& precision_keys() {
  static const ObjectSpec kKeys{
      .name = "precision",
      .doc =
          "Replications are added until means are known well enough: of every strategy that draws anything.",
      .keys = {
          required_key("half_width", number_above(0, 100, "%"),
                       "of the 95 % interval, in per cent of the mean's size"),
          default_key("of", list_value(known_value(measure_names()), 1, kMeasures), "[\"cost_usd\"]",
                      "measures that are to be known so well, by their names in the CSV; a bound from below "
                      "(> x) is left out"),
          default_key("most", integer_value(kFirstLook, kMostReplications), "1000",
                      "replications, whatever is known by then"),
      }};
  return kKeys;
}

const ObjectSpec& billing_keys() {
  static const ObjectSpec kKeys{
      .name = "billing",
      .doc = "A lease is billed up to the next step, and at least for a while. Vertex AI takes a fee.",
      .keys = {
          filling(&BillingRule::step, default_key("step", positive_duration_value(), "1s",
                                                  "leases are billed in multiples of it")),
          filling(&BillingRule::least,
                  default_key("least", duration_value(), "1min", "the shortest billed time of a lease")),
          default_key("management_fee", number_value(0, 1, "share of the on-demand price"), "0.15",
                      "what Vertex AI takes on top of each machine-hour, however it is bought. A bill of "
                      "2025-08 has it for on-demand and Flex Start; else it is an assumption"),
      }};
  return kKeys;
}

const ObjectSpec& price_keys() {
  static const ObjectSpec kKeys{
      .name = "price",
      .doc = "A negotiated or assumed price. It fits every machine that all its keys fit.",
      .keys =
          {
              filling(&PriceOverlay::machine,
                      optional_key("machine", known_value(machine_types()), "default: any")),
              filling(&PriceOverlay::gpu, optional_key("gpu", known_value(gpu_types()), "default: any")),
              filling(&PriceOverlay::region, optional_key("region", known_value(regions()), "default: any")),
              filling(&PriceOverlay::model, optional_key("model", name_value("price model", kPriceModelNames),
                                                         "the column of the price list; default: any")),
              optional_key("usd_per_hour", number_value(0, kMostUsd, "$ per machine-hour"),
                           "instead of the list price"),
              optional_key(
                  "factor", number_value(0, 100),
                  "times the list price (the catalogue's, or else that of a row above); 0.85 is 15 % off"),
              filling(&PriceOverlay::factor_of,
                      default_key("factor_of", choice_of(kFactorOfNames), "list",
                                  "base of the factor: the list price, or the price that the rows above make "
                                  "of it, as discounts that come on top of one another")),
              filling(&PriceOverlay::use,
                      optional_key(
                          "use", choice_of(kPriceUseNames),
                          "the purchase: machines of jobs one by one; what is held, such as reservations and "
                          "new commitments; or a `plan` of commitments that exist. Default: the first two")),
              filling(&PriceOverlay::from,
                      optional_key("from", date_value(),
                                   "the first day, of the simulated calendar; default: always")),
              filling(
                  &PriceOverlay::until,
                  optional_key("until", date_value(), "the first day on which it is over; default: never")),
              filling(&PriceOverlay::label, default_key("label", text_value(), "planner's price",
                                                        "shown wherever the price is used")),
              filling(&PriceOverlay::as_of,
                      optional_key(
                          "as_of", date_value(),
                          "the day on which the price was agreed or offered: its age is counted from there")),
          },
      .exactly_one = {KeyGroup{{"usd_per_hour", "factor"}}},
      .relations = {requires_keys({"factor_of"}, {"factor"}), requires_keys({"as_of"}, {"usd_per_hour"})}};
  return kKeys;
}

namespace {

using Keys = const ObjectSpec& (*)();

// clang-format off
constexpr Keys kAllKeys[]{
    scenario_keys,
    alternative_rule_keys,
    alternative_keys,
    goal_keys,
    asked_goal_keys,
    decision_keys,
    choice_keys,
    unknown_keys,
    unknown_choice_keys,
    precision_keys,
    warm_up_keys,
    billing_keys,
    price_keys,
    commitment_keys,
    other_cost_keys,
    source_keys,
    step_retry_keys,
    speed_keys,
    scaling_keys,
    trace_keys,
    length_class_keys,
    join_attempts_keys,
    resample_keys,
    poisson_keys,
    batch_size_keys,
    job_set_keys,
    schedule_keys,
    demand_keys,
    peak_keys,
    growth_keys,
    job_size_keys,
    law_keys,
    mixture_part_keys,
    pareto_keys,
    empirical_keys,
    lognormal_keys,
    weibull_keys,
    bathtub_keys,
    from_file_keys,
    deadline_keys,
    class_keys,
    checkpoint_keys,
    exits_keys,
    pool_keys,
    placement_keys,
    capacity_keys,
    step_keys,
    capacity_growth_keys,
    availability_keys,
    markov_keys,
    profile_keys,
    tenants_keys,
    mix_keys,
    size_keys,
    reservation_keys,
    raised_least_keys,
    quota_keys,
    quota_limit_keys,
    quota_increase_keys,
    quota_rule_keys,
    kueue_keys,
    kueue_queue_keys,
    kueue_quota_keys,
    kueue_preemption_keys,
    kueue_fungibility_keys,
    kueue_required_check_keys,
    kueue_cohort_keys,
    kueue_local_queue_keys,
    kueue_partial_keys,
    kueue_group_keys,
    kueue_other_flavor_keys,
    kueue_resource_keys,
    kueue_request_keys,
    kueue_check_keys,
    kueue_fair_sharing_keys,
    kueue_usage_keys,
    kueue_pods_keys,
    slurm_keys,
    slurm_node_set_keys,
    slurm_partition_keys,
    slurm_qos_keys,
    slurm_account_keys,
    slurm_job_keys,
    slurm_scheduler_keys,
    slurm_priority_keys,
    slurm_preemption_keys,
    node_group_keys,
    provisioning_request_keys,
    fault_keys,
    mass_reclaim_keys,
    health_keys,
    deadline_rule_keys,
    model_keys,
    strategy_keys,
    leg_keys,
    partial_keys,
    resubmit_keys,
};
// clang-format on

}  // namespace

const std::vector<const ObjectSpec*>& all_keys() {
  static const std::vector<const ObjectSpec*> kAll = [] {
    std::vector<const ObjectSpec*> all;
    for (const Keys keys : kAllKeys) all.push_back(&keys());
    return all;
  }();
  return kAll;
}

}  // namespace stockout
