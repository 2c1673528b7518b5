#include "models/consumption/policy.h"
#include "models/scenario/format/catalog_names.h"
#include "models/scenario/format/fill.h"
#include "models/scenario/format/keys.h"
#include "models/supply/availability.h"
#include "models/supply/markov_profile.h"
#include "models/supply/pool.h"

namespace stockout {
namespace {

ValueSpec gpus_value() {
  return either_value(
      {integer_value(0, kMostGpus, "GPUs"), list_value(object_value(step_keys()), 1, 100'000)});
}

KeySpec growth_key() {
  return optional_key("growth", object_value(capacity_growth_keys()),
                      "with a fixed number: what is added on the way");
}

// What a level or a value of a probe stands for.
std::vector<KeySpec> scale_keys() {
  return {
      default_key(
          "means", choice_of(kMeansNames), "machines",
          "machines: so many may be held together; any: 1 or more is unlimited; fraction: of a fleet"),
      default_key(
          "at_cap",
          either_value({choice_value({"cap", "unlimited"}), integer_value(1, kMostMachines, "machines")}),
          "cap", "reading of a value at the cap, which means \"at least\""),
      optional_key("fleet_gpus", integer_value(1, kMostGpus, "GPUs"), "all there are"),
  };
}

}  // namespace

KeySpec ageing_key() {
  return optional_key("ageing", number_value(0, kMostAgeing),
                      "hours of estimate that an hour of waiting outweighs; not public, so an assumption");
}

std::vector<KeyRelation> ageing_relations() {
  const KeyHas ages{"discipline", {"shortest_ageing"}};
  return {
      requires_keys(ages, {"ageing"}, "how many hours of estimate an hour of waiting outweighs, such as 1"),
      only_with({ages}, {"ageing"})};
}

namespace {

std::vector<KeyRelation> growth_relations() {
  return {
      only_with({{"hosts"}, {"machines"}, {"gpus"}}, {"growth"}, "a fixed number"),
      excludes_keys({.key = "gpus", .kind = ValueKind::list}, {"growth"}, "its steps say how it changes")};
}

std::vector<KeyRelation> pool_relations() {
  std::vector<KeyRelation> relations = ageing_relations();
  for (const char* counted : {"machines", "growth/machines", "capacity/machines", "capacity/growth/machines"})
    relations.push_back(requires_keys({counted}, {"machine"}, "what \"machines\" counts"));
  for (KeyRelation& relation : growth_relations()) relations.push_back(std::move(relation));
  relations.push_back(only_with({{"hosts"}}, {"placement"}, "a fixed number of hosts for all classes"));
  relations.push_back(excludes_keys({"placement"}, {"growth", "faults"}, "its hosts stay as they are"));
  for (const char* measured : {"capacity/availability", "capacity/markov"})
    relations.push_back(excludes_keys({measured}, {"tenants"}, "it is what other tenants have left already"));
  relations.push_back(
      excludes_keys({"unlimited"}, {"tenants"}, "it has no load: give it a capacity, or no tenants"));
  relations.push_back(excludes_keys({"unlimited"},
                                    {"discipline", "flex_before_on_demand", "hold_for_head", "reclaim"},
                                    "nobody waits for room, or makes room for others"));
  return relations;
}

KeyRelation fleet_relation() { return requires_keys({"means", {"fraction"}}, {"fleet_gpus"}); }

}  // namespace

const ObjectSpec& pool_keys() {
  static const ObjectSpec kKeys{
      .name = "pool",
      .doc = "GPUs of one machine family in one place, shared with the provider's other tenants.",
      .keys =
          {
              optional_key("name", text_value(), "unique; default: the GPU type and the place"),
              optional_key("family", known_value(machine_families()), "such as \"a3-highgpu\""),
              optional_key("gpu", known_value(gpu_types()), "if one family only of the place has it"),
              required_key("place", known_value(zones_and_regions()), "where"),
              optional_key("hosts", integer_value(0, kMostMachines, "hosts"), "capacity in whole hosts"),
              optional_key("machines", integer_value(0, kMostMachines, "machines"),
                           "capacity in machines of type `machine`"),
              optional_key("gpus", gpus_value(),
                           "capacity in GPUs, or in vCPUs of machines without, fixed or in steps"),
              optional_key("unlimited", flag_value(), "true: every request of every class is granted"),
              optional_key("capacity", list_value(object_value(capacity_keys()), 1, 4),
                           "capacity by class of lease"),
              growth_key(),
              optional_key("machine", known_value(machine_types()),
                           "machine type that `machines` counts and tenants lease"),
              filling(&Pool::discipline, default_key("discipline", name_value("discipline", kDisciplineNames),
                                                     "first_fit", "which waiting flex request is next")),
              ageing_key(),
              filling(
                  &Pool::flex_before_on_demand,
                  default_key("flex_before_on_demand", flag_value(), "false",
                              "waiting flex requests are granted before on-demand ones of the same instant "
                              "(assumption: the order is not public)")),
              filling(
                  &Pool::hold_for_head,
                  default_key(
                      "hold_for_head", flag_value(), "false",
                      "free room gathers for the first waiting flex request: nobody else in the queue, no "
                      "on-demand and no Spot request takes it (assumption)")),
              optional_key(
                  "faults", list_value(object_value(fault_keys()), 1, static_cast<double>(kMostFaultRules)),
                  "how its leased machines break or go into maintenance (assumption); what is held out of "
                  "the pool breaks as it does"),
              optional_key("mass_reclaim", object_value(mass_reclaim_keys()),
                           "when its Spot machines are preempted together (assumption)"),
              filling(&Pool::reclaim, default_key("reclaim", choice_of(kReclaimRuleNames), "newest",
                                                  "which Spot lease is preempted first")),
              optional_key(
                  "placement", object_value(placement_keys()),
                  "with a fixed number of `hosts`: machines are placed on hosts, and require room on theirs; "
                  "default: only GPUs are counted"),
              optional_key("tenants", object_value(tenants_keys()),
                           "the provider's other customers; default: none"),
          },
      .exactly_one = {KeyGroup{{"family", "gpu"},
                               "the machine family of the pool, such as \"a3-highgpu\", or its GPU type, "
                               "such as \"H100-80GB\""},
                      KeyGroup{{"hosts", "machines", "gpus", "unlimited", "capacity"}}},
      .relations = pool_relations()};
  return kKeys;
}

const ObjectSpec& placement_keys() {
  static const ObjectSpec kKeys{
      .name = "placement",
      .doc =
          "On which hosts machines are put, one by one. GPUs that are free in small pieces are of no use to "
          "a machine that requires a whole host. Spot leases are preempted until a stronger request fits. "
          "How a provider fills its hosts is not public, so both values are assumptions.",
      .keys = {
          default_key(
              "fill", choice_of(kFillNames), "best_fit",
              "of the hosts that hold the machine: the one with the least free GPUs, the first, or the one "
              "with the most free"),
          optional_key(
              "block_hosts", integer_value(1, kMostMachines, "hosts"),
              "hosts of a block, for legs that are `compact`; default: 256 for A3, 150 for A4, as many "
              "machines as compact placement takes there; other families: one block"),
      }};
  return kKeys;
}

const ObjectSpec& capacity_keys() {
  static const ObjectSpec kKeys{
      .name = "capacity",
      .doc = "Capacity for some classes of leases. A class without any is unlimited in its pool.",
      .keys =
          {
              required_key("classes", list_value(name_value("class of leases", kLeaseClassNames), 1, 4),
                           "classes that share it"),
              optional_key("hosts", integer_value(0, kMostMachines, "hosts"), "in whole hosts"),
              optional_key("machines", integer_value(0, kMostMachines, "machines"),
                           "in machines of the pool's `machine`"),
              optional_key("gpus", gpus_value(), "in GPUs, fixed or in steps"),
              optional_key("availability", object_value(availability_keys()), "as measured"),
              optional_key("markov", object_value(markov_keys()), "drawn anew in each replication"),
              growth_key(),
          },
      .exactly_one = {KeyGroup{{"hosts", "machines", "gpus", "availability", "markov"}}},
      .relations = growth_relations()};
  return kKeys;
}

const ObjectSpec& step_keys() {
  static const ObjectSpec kKeys{
      .name = "step",
      .doc = "From a time on, so many GPUs. The first step also holds before its time.",
      .keys = {
          required_key("at", either_value({duration_value()}), "since the start of the window"),
          required_key("gpus", integer_value(0, kMostGpus, "GPUs"), "capacity from then on"),
      }};
  return kKeys;
}

const ObjectSpec& capacity_growth_keys() {
  static const ObjectSpec kKeys{
      .name = "capacity_growth",
      .doc = "Capacity that grows, or with a negative number shrinks, by the same step again and again.",
      .keys =
          {
              optional_key("hosts", integer_value(-kMostMachines, kMostMachines, "hosts"), "whole hosts"),
              optional_key("machines", integer_value(-kMostMachines, kMostMachines, "machines"),
                           "machines of the pool's `machine`"),
              optional_key("gpus", integer_value(-kMostGpus, kMostGpus, "GPUs"), "GPUs"),
              optional_key("percent", number_value(-100, 1'000, "%"),
                           "of what there was, compounded; rounded down to what the capacity is counted in"),
              required_key("every", positive_duration_value(),
                           "from one step to the next; the first is this long after the start of the window"),
          },
      .exactly_one = {KeyGroup{{"hosts", "machines", "gpus", "percent"}}}};
  return kKeys;
}

const ObjectSpec& markov_keys() {
  static const ObjectSpec kKeys = [] {
    ObjectSpec spec{
        .name = "markov",
        .doc =
            "Capacity that moves at random between levels, as a zone did that was measured. The path of a "
            "zone is the same under every strategy, and no other zone changes it."};
    spec.keys = {
        required_key("profile", either_value({text_value(), object_value(profile_keys())}),
                     "a file written by `stockout supply fit`, relative to the scenario's folder, or what it "
                     "would hold"),
        required_key("shape", known_value(machine_types()), "machine type that was probed"),
    };
    for (auto& key : scale_keys()) spec.keys.push_back(std::move(key));
    spec.keys.push_back(
        default_key("start", choice_of(kChainStartNames), "long_run",
                    "where a path begins: as often as in the long run at that hour, or as the "
                    "zone was last; the run's begin is that of its warm-up"));
    spec.keys.push_back(optional_key("group", text_value(), "zones of one group rise and fall together"));
    spec.keys.push_back(
        optional_key("rho", number_value(0, 1),
                     "with a group: how much; correlation of the normal numbers behind the draws"));
    const std::string both = "which zones rise and fall together, and how much";
    spec.relations = {fleet_relation(), requires_keys({"group"}, {"rho"}, both),
                      requires_keys({"rho"}, {"group"}, both)};
    return spec;
  }();
  return kKeys;
}

const ObjectSpec& profile_keys() {
  static const ObjectSpec kKeys{
      .name = "profile",
      .doc =
          "A Markov chain of levels, whose spells have no memory: their lengths are geometric. With \"shows\", "
          "a chain of hidden states, whose spells do have one.",
      .keys =
          {
              default_key("source", text_value(), "\"\"", "where it is from"),
              default_key("made_by", text_value(), "\"\"", "the command that made it"),
              required_key("cap", integer_value(1, kMostMachines, "machines"),
                           "how many were asked for each time"),
              required_key("tick", positive_duration_value(), "from one draw to the next: 10s to 24h"),
              required_key("machines",
                           list_value(integer_value(0, kMostMachines, "machines"), 1, kMostLevels),
                           "of each level, rising"),
              required_key(
                  "transitions", list_value(list_value(number_value(0, 1), 1, kMostLevels), 1, kMostLevels),
                  "for each state the probabilities of the next; each row sums to 1. A state is a level, "
                  "unless it shows several"),
              optional_key(
                  "shows", list_value(list_value(number_value(0, 1), 1, kMostLevels), 1, kMostLevels),
                  "for each hidden state the probabilities of the levels, drawn anew at each tick; each row "
                  "sums to 1"),
              optional_key("now", list_value(number_value(0, 1), 1, kMostLevels),
                           "share of each state where the series ended; sums to 1"),
              optional_key("upward", list_value(number_value(-5, 5), 24, 24),
                           "by hour of the day (UTC): log-odds added to going up and taken from going down"),
          },
      .relations = {excludes_keys({"shows"}, {"upward"}, "hidden states have no order")}};
  return kKeys;
}

const ObjectSpec& availability_keys() {
  static const ObjectSpec kKeys = [] {
    ObjectSpec spec{
        .name = "availability",
        .doc =
            "A measured series as capacity. Taking probes of small Spot machines for what a gang or another "
            "class would get is an assumption of the scenario."};
    spec.keys = {
        required_key("file", text_value(),
                     "path from the scenario's folder; if given with --set, from the working directory"),
        optional_key("zone", text_value(), "whose rows are read, in a file with a zone column"),
        default_key("time_zone", text_value(), "UTC", "of date-times in the file that carry no offset"),
        optional_key("inverted", flag_value(), "JSON series: whether 1 means unavailable; must be said"),
        required_key("shape", known_value(machine_types()), "machine type that was probed"),
        optional_key("cap", integer_value(1, kMostMachines, "machines"),
                     "how many were asked for; default: as in the file"),
    };
    for (auto& key : scale_keys()) spec.keys.push_back(std::move(key));
    spec.keys.push_back(
        default_key("holes", choice_of(kHolesNames), "error", "capacity where the series says nothing"));
    spec.keys.push_back(
        default_key("shift", choice_value({"to_start", "none"}), "none",
                    "whether the first sample moves to the start of the window, or times stay "
                    "on the calendar"));
    spec.relations = {fleet_relation()};
    return spec;
  }();
  return kKeys;
}

const ObjectSpec& tenants_keys() {
  static const ObjectSpec kKeys{
      .name = "tenants",
      .doc =
          "The provider's other customers: jobs at random times that take their share of the pool. They "
          "retry nothing, and appear in no measure. Their numbers are not public: every value is an "
          "assumption. The provider's rules under `models` (notice, run_max, machines_max, lifetime, "
          "provisioning) hold for them too; their start-up is part of their work.",
      .keys = {
          optional_key("load", number_above(0, 100, "share"),
                       "GPU-time they ask for, as a share of the capacity; 1 is all of it"),
          default_key("mix", object_value(mix_keys()),
                      R"({"on_demand": 0.65, "flex_start": 0.2, "spot": 0.15})", "how they buy, as weights"),
          default_key(
              "sizes", list_value(object_value(size_keys()), 1, 100),
              R"([{"hosts": 1, "weight": 0.6}, {"hosts": 2, "weight": 0.25}, {"hosts": 4, "weight": 0.1},
                          {"hosts": 8, "weight": 0.05}])",
              "how much each asks for"),
          default_key("work", length_value(), R"({"lognormal": {"median": "9h", "sigma": 1}, "most": "7d"})",
                      "how long they run"),
          default_key("daily_swing", number_value(0, 1), "0.35",
                      "their rate varies by this share up and down over a day"),
          default_key("peak_hour", integer_value(0, 23, "h"), "14", "the local hour at which it is highest"),
          default_key("max_wait", duration_or_forever(), "24h", "of their flex requests"),
      }};
  return kKeys;
}

const ObjectSpec& mix_keys() {
  static const ObjectSpec kKeys = [] {
    ObjectSpec spec{.name = "mix", .doc = "Weights of the ways of buying."};
    for (const Policy& row : tenant_policies())
      spec.keys.push_back(default_key(row.name, number_value(0, 1e6), "0", std::string{row.among_tenants}));
    return spec;
  }();
  return kKeys;
}

const ObjectSpec& size_keys() {
  static const ObjectSpec kKeys{
      .name = "size",
      .doc = "One size of a tenant's request.",
      .keys =
          {
              optional_key("hosts", integer_value(1, 10'000, "hosts"), "whole hosts"),
              optional_key("machines", integer_value(1, 10'000, "machines"),
                           "machines of the pool's `machine`"),
              default_key("weight", number_above(0, 1e6), "1", "how often, against the others"),
          },
      .exactly_one = {KeyGroup{{"hosts", "machines"}}}};
  return kKeys;
}

}  // namespace stockout
