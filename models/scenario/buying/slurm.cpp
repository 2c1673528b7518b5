#include "models/scenario/buying/slurm.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/orchestrators/slurm/slurm.h"
#include "models/scenario/buying/policies.h"
#include "models/scenario/format/known_names.h"
#include "sim/core/duration_text.h"

namespace stockout {
namespace {

constexpr SimDuration kResumeTimeout = std::chrono::minutes{5};  // Cluster Toolkit's, of VMs ...
constexpr SimDuration kResumeTimeoutOfFlex =
    std::chrono::seconds{65'535};  // ... and of DWS, whatever one says

std::vector<std::string> names_in(const std::vector<Node>& list) {
  std::vector<std::string> names;
  for (const Node& node : list) names.push_back(node.text("name"));
  return names;
}

// The partition that a leg names, and its set of nodes.
struct NamedPartition {
  Node partition;
  Node node_set;
};

NamedPartition find_partition(const Draft& draft, const Node& name) {
  const Node slurm = draft.root.at("slurm");
  const auto partitions = slurm.list("partitions");
  const auto sets = slurm.list("node_sets");
  const Node& found = partitions[find_name(name, "partition", names_in(partitions))];
  return {.partition = found, .node_set = sets[find_name(found.at("node_set"), "node set", names_in(sets))]};
}

// Whether the leg buys the machines that its partition's nodes are.
void check_supply(const Node& leg, const NamedPartition& named) {
  const Node& set = named.node_set;
  if (!set.has("reservation")) {
    if (leg.has("reservation"))
      leg.at("reservation")
          .fail(fmt::format("node set \"{}\" is of machines that come and go", set.text("name")));
    return;
  }
  const std::string name = set.text("reservation");
  const bool is_it = leg.has("reservation") && leg.at("reservation").kind() == ValueKind::text &&
                     leg.text("reservation") == name;
  if (!is_it)
    leg.at("partition")
        .fail(fmt::format("its nodes are those of the reservation \"{}\": the leg has to name it", name));
}

bool is_under_slurm(const Strategy& strategy) { return !strategy.legs.front().partition.empty(); }

// Of a node set whose nodes come and go: whether its legs, in all strategies, are Flex Start.
std::optional<bool> is_flex(const Draft& draft, const Node& set) {
  std::optional<bool> flex;
  for (const Node& strategy : draft.root.list("strategies")) {
    const auto& known = draft.scenario.world.strategies;
    const auto read = std::ranges::find(known, strategy.text("name"), &Strategy::name);
    if (read == known.end()) continue;
    const std::vector<Node> legs = strategy.list("legs");
    for (std::size_t i = 0; i < legs.size(); ++i) {
      if (!legs[i].has("partition")) continue;
      const Node name = legs[i].at("partition");
      if (find_partition(draft, name).node_set.text("name") != set.text("name")) continue;
      const bool own = read->legs[i].policy.lease_class == LeaseClass::flex;
      if (flex && *flex != own)
        name.fail(
            fmt::format("node set \"{}\" is Flex Start in one leg and not in another: let each have one",
                        set.text("name")));
      flex = own;
    }
  }
  return flex;
}

void set_resume_timeouts(Draft& draft) {
  const Node slurm = draft.root.at("slurm");
  for (const Node& set : slurm.list("node_sets")) {
    if (!set.has("machine")) continue;
    const bool flex = is_flex(draft, set).value_or(false);
    if (flex && set.has("resume_timeout") && set.duration("resume_timeout") != kResumeTimeoutOfFlex)
      set.at("resume_timeout")
          .fail("Cluster Toolkit sets it to 65535s for Flex Start, whatever is asked for");
    if (set.has("resume_timeout")) continue;
    const std::vector<Node> partitions = slurm.list("partitions");
    for (std::size_t i = 0; i < partitions.size(); ++i) {
      if (partitions[i].text("node_set") == set.text("name"))
        draft.world().slurm->configuration.partitions[i].power->resume_timeout =
            flex ? kResumeTimeoutOfFlex : kResumeTimeout;
    }
  }
}

// Whether a leg with a partition takes what `models` says under this name.
bool is_used_under_slurm(const Draft& draft, const std::string& name) {
  const auto& known = draft.scenario.world.strategies;
  return std::ranges::any_of(known, [&](const Strategy& strategy) {
    return is_under_slurm(strategy) &&
           (name == "all" || std::ranges::any_of(strategy.legs, [&](const Leg& leg) {
              return leg.policy.name == name && !leg.policy.held;
            }));
  });
}

void warn_of_retries(Draft& draft) {
  if (!draft.root.has("models")) return;
  for (const auto& [name, node] : draft.root.at("models").entries()) {
    if (!node.has("retries") || read_tries(node.at("retries")) == 0 || !is_used_under_slurm(draft, name))
      continue;
    draft.warn(fmt::format(
        "{}: has no effect on legs with a \"partition\": Slurm requeues a job whose nodes find no machines, "
        "after \"requeue_delay\"",
        node.at("retries").where().pointer));
  }
}

// From asking for a machine of the leg, which is there, until work begins on it.
double mean_start_ms(const World& world, const Leg& leg, PoolId pool) {
  const double of_lease = leg.policy.provisioning.mean_ms() + leg.policy.start_up.mean_ms();
  if (!world.is_held(pool)) return of_lease;
  const auto& scaling = world.held_pool(pool).scaling;
  return of_lease + (scaling ? scaling->cold_start.mean_ms() : 0);
}

// Of shapes the first that has a place stands for all.
void warn_of_late_nodes(Draft& draft, const Strategy& strategy) {
  const slurm::Configuration& cluster = draft.world().slurm->configuration;
  for (const Leg& leg : strategy.legs) {
    const slurm::Partition& partition = cluster.partitions[draft.world().slurm->partition_of(leg.partition)];
    const auto shape =
        std::ranges::find_if(leg.candidates, [](const auto& places) { return !places.empty(); });
    if (!partition.power || shape == leg.candidates.end()) continue;
    const double mean = mean_start_ms(draft.world(), leg, shape->front().pool);
    if (mean <= static_cast<double>(partition.power->resume_timeout.count())) continue;
    draft.warn(fmt::format(
        "strategy \"{}\": nodes of partition \"{}\" are up after {} on average, and Slurm gives them up after "
        "{}, again and again: let their node set have a longer \"resume_timeout\"",
        strategy.name, leg.partition, format_duration(SimDuration{std::llround(mean / 60'000) * 60'000}),
        format_duration(partition.power->resume_timeout)));
  }
}

// Of users the first stands for all.
void warn_of_jobs_without_partition(Draft& draft, const Strategy& strategy) {
  const SlurmCluster& cluster = *draft.world().slurm;
  slurm::Slurm trial{cluster.configuration};
  std::set<std::string> kept;
  for (std::size_t shape = 0; shape < draft.shape_classes.size(); ++shape) {
    for (std::size_t i = 0; i < draft.shape_classes[shape].size(); ++i) {
      if (!draft.shape_classes[shape][i]) continue;
      const Job job{.shape = ShapeId{static_cast<std::uint32_t>(shape)},
                    .job_class = ClassId{static_cast<std::uint16_t>(i)}};
      std::vector<slurm::PartitionIndex> partitions;
      for (const Leg& leg : strategy.legs) {
        if (leg.open_to(job.job_class) && !leg.candidates[shape].empty())
          partitions.push_back(cluster.partition_of(leg.partition));
      }
      if (partitions.empty()) continue;
      const auto id =
          trial.submit(cluster.request_of(job, draft.world().shapes[shape], kForever, std::move(partitions)));
      if (!trial.could_ever_run(id)) kept.insert(draft.classes.names()[i]);
    }
  }
  if (kept.empty()) return;
  draft.warn(fmt::format(
      "strategy \"{}\": some jobs of {} ask for more nodes or time than any of their partitions ever gives: "
      "they wait for ever",
      strategy.name, fmt::join(kept, ", ")));
}

}  // namespace

std::string machine_of_partition(const Draft& draft, const Node& leg) {
  if (!leg.has("partition")) return {};
  const Node set = find_partition(draft, leg.at("partition")).node_set;
  if (!set.has("machine")) return {};
  if (leg.has("machine") && leg.text("machine") != set.text("machine"))
    leg.at("machine").fail(
        fmt::format("the nodes of \"{}\" are {}", leg.text("partition"), set.text("machine")));
  return set.text("machine");
}

void read_partitions(const Draft& draft, const Node& node, Strategy& strategy) {
  const std::vector<Node> legs = node.list("legs");
  if (std::ranges::none_of(legs, [](const Node& leg) { return leg.has("partition"); })) return;
  std::set<std::string> named;
  for (std::size_t i = 0; i < legs.size(); ++i) {
    const Node name = legs[i].at("partition");
    check_supply(legs[i], find_partition(draft, name));
    if (!named.insert(name.as_text()).second) name.fail("another leg of the strategy has it already");
    const auto by = strategy.legs[i].orchestrator;
    if (by != OrchestratorName::slurm) name.fail("requires \"orchestrator\": \"slurm\"");
    strategy.legs[i].partition = name.as_text();
    strategy.legs[i].policy.retries = 0;
  }
}

void check_slurm_use(Draft& draft) {
  if (!draft.root.has("slurm")) return;
  set_resume_timeouts(draft);
  warn_of_retries(draft);
  for (const Strategy& strategy : draft.world().strategies) {
    if (!is_under_slurm(strategy)) continue;
    warn_of_jobs_without_partition(draft, strategy);
    warn_of_late_nodes(draft, strategy);
  }
}

}  // namespace stockout
