#include "models/scenario/buying/kueue.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/orchestrators/kueue/quota_tree.h"
#include "models/scenario/buying/kueue_partial.h"
#include "models/scenario/buying/kueue_resources.h"
#include "models/scenario/buying/kueue_sets.h"
#include "models/scenario/buying/some_jobs.h"
#include "models/scenario/format/fill.h"
#include "models/scenario/format/known_names.h"

namespace stockout {
namespace {

using Names = std::vector<std::string>;

const std::string& checked(const Node& node, const char* what, const Names& known) {
  return known[find_name(node, what, known)];
}

/// Reads what an administrator has set up, object by object.
class ClusterReader {
 public:
  ClusterReader(Draft& draft, const Node& node)
      : draft_{draft},
        node_{node},
        queues_{distinct_names(node.list("cluster_queues"), "cluster queue")},
        cohorts_{distinct_names(node.list("cohorts"), "cohort")},
        checks_{distinct_names(node.list("admission_checks"), "admission check")} {
    static_cast<void>(distinct_names(node.list("local_queues"), "local queue"));
  }

  KueueCluster read() {
    read_flavor_list();
    for (const Node& node : node_.list("admission_checks")) read_check(node);
    for (const Node& node : node_.list("cohorts")) read_cohort(node);
    for (const Node& node : node_.list("cluster_queues")) read_queue(node);
    for (const Node& node : node_.list("local_queues")) read_local_queue(node);
    check_circles();
    check_entrances();
    read_settings();
    cluster_.requests = read_pod_requests(draft_, node_, cluster_.objects);
    return std::move(cluster_);
  }

 private:
  void read_flavor_list();
  void add_flavor(const Node& node, const kueue::ResourceFlavor& flavor, Names& names);
  void read_check(const Node& node);
  void read_cohort(const Node& node);
  void read_queue(const Node& node);
  void read_local_queue(const Node& node);
  [[nodiscard]] std::vector<kueue::ResourceGroup> read_quotas(const Node& node) const;
  [[nodiscard]] kueue::ResourceGroup read_gpu_group(const Node& node) const;
  [[nodiscard]] static kueue::Quota read_quota(const Node& node, bool is_of_cohort);
  [[nodiscard]] static kueue::Preemption read_preemption(const Node& queue);
  [[nodiscard]] std::vector<kueue::RequiredCheck> read_checks(const Node& queue) const;
  void check_circles() const;
  void check_entrances() const;
  void read_settings();
  void read_pods_ready(const Node& node);

  Draft& draft_;
  Node node_;
  Names flavors_ = {};
  Names other_flavors_ = {};
  Names queues_;
  Names cohorts_;
  Names checks_;
  KueueCluster cluster_ = {};
};

void ClusterReader::add_flavor(const Node& node, const kueue::ResourceFlavor& flavor, Names& names) {
  if (!cluster_.objects.flavors.emplace(flavor.name, flavor).second)
    node.fail(fmt::format("there is a flavor \"{}\" already", flavor.name));
  names.push_back(flavor.name);
}

// Jobs choose among the flavors of legs. Other flavors have no label, and take any job.
void ClusterReader::read_flavor_list() {
  for (const Node& node : node_.list("flavors")) {
    const std::string name = node.as_text();
    add_flavor(node, {.name = name, .labels = {{kKueueFlavorLabel, name}}}, flavors_);
  }
  for (const Node& node : node_.list("other_flavors"))
    add_flavor(node, {.name = node.as_text()}, other_flavors_);
}

void ClusterReader::read_check(const Node& node) { fill(cluster_.checks[node.text("name")], node); }

kueue::Quota ClusterReader::read_quota(const Node& node, bool is_of_cohort) {
  kueue::Quota quota;
  fill(quota, node);
  if (!is_of_cohort) check_lending(quota, node);
  return quota;
}

kueue::ResourceGroup ClusterReader::read_gpu_group(const Node& node) const {
  const bool is_of_cohort = node.has("parent");
  kueue::ResourceGroup group;
  std::set<std::string> named;
  for (const Node& each : node.list("flavors")) {
    const std::string& flavor = checked(each.at("flavor"), "flavor", flavors_);
    if (!named.insert(flavor).second) each.at("flavor").fail("has a quota here already");
    group.flavors.push_back({.flavor = flavor, .quotas = {{kKueueResource, read_quota(each, is_of_cohort)}}});
    read_other_quotas(each, is_of_cohort, group.flavors.back());
  }
  check_same_resources(node.list("flavors"), group.flavors);
  return group;
}

std::vector<kueue::ResourceGroup> ClusterReader::read_quotas(const Node& node) const {
  std::vector<kueue::ResourceGroup> groups{read_gpu_group(node)};
  if (groups.front().flavors.empty()) groups.clear();
  add_other_groups(node, other_flavors_, groups);
  return groups;
}

void ClusterReader::read_cohort(const Node& node) {
  kueue::Cohort cohort;
  fill(cohort, node);
  cohort.groups = read_quotas(node);
  cluster_.objects.cohorts[cohort.name] = std::move(cohort);
}

kueue::Preemption ClusterReader::read_preemption(const Node& queue) {
  kueue::Preemption rule;
  if (!queue.has("preemption")) return rule;
  const Node node = queue.at("preemption");
  fill(rule, node);
  fill(rule.borrow_within_cohort, node);
  return rule;
}

std::vector<kueue::RequiredCheck> ClusterReader::read_checks(const Node& queue) const {
  std::vector<kueue::RequiredCheck> checks;
  for (const Node& node : queue.list("admission_checks")) {
    kueue::RequiredCheck& check = checks.emplace_back(
        kueue::RequiredCheck{.name = checked(node.at("name"), "admission check", checks_)});
    for (const Node& flavor : node.list("on_flavors"))
      check.flavors.push_back(checked(flavor, "flavor", flavors_));
  }
  return checks;
}

void ClusterReader::read_queue(const Node& node) {
  kueue::ClusterQueue queue;
  fill(queue, node);
  queue.groups = read_quotas(node);
  queue.preemption = read_preemption(node);
  queue.checks = read_checks(node);
  if (node.has("flavor_fungibility")) fill(queue.fungibility, node.at("flavor_fungibility"));
  cluster_.objects.cluster_queues[queue.name] = std::move(queue);
}

void ClusterReader::read_local_queue(const Node& node) {
  kueue::LocalQueue queue;
  fill(queue, node);
  static_cast<void>(checked(node.at("cluster_queue"), "cluster queue", queues_));
  cluster_.entrances.push_back({.local_queue = queue.name, .jobs = read_some_jobs(draft_, node)});
  cluster_.objects.local_queues[queue.name] = std::move(queue);
}

void ClusterReader::check_circles() const {
  kueue::QuotaTree tree;
  tree.rebuild(cluster_.objects);
  for (const Node& node : node_.list("cohorts")) {
    if (node.has("parent") && tree.is_in_cycle(*tree.cohort(node.text("name"))))
      node.at("parent").fail("the parents of this cohort form a circle");
  }
}

void ClusterReader::check_entrances() const {
  const Names& classes = draft_.classes.names();
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const auto takes_all = [&](const KueueEntrance& each) {
      return each.jobs.users.empty() && (each.jobs.classes.empty() || each.jobs.classes[i]);
    };
    if (std::ranges::any_of(cluster_.entrances, takes_all)) continue;
    node_.at("local_queues")
        .fail(fmt::format("none takes the jobs of class \"{}\" of all users: let one be without "
                          "\"users\" and \"classes\"",
                          classes[i]));
  }
}

void ClusterReader::read_settings() {
  kueue::Settings& settings = cluster_.settings;
  if (node_.has("fair_sharing")) {
    settings.fair_sharing = true;
    fill(settings, node_.at("fair_sharing"));
  }
  if (node_.has("admission_fair_sharing")) {
    fill(settings.admission_fair_sharing.emplace(), node_.at("admission_fair_sharing"));
  }
  if (node_.has("wait_for_pods_ready")) read_pods_ready(node_.at("wait_for_pods_ready"));
}

void ClusterReader::read_pods_ready(const Node& node) {
  kueue::WaitForPodsReady& rule = cluster_.settings.pods_ready.emplace();
  fill(rule, node);
  if (!rule.recovery_timeout) rule.recovery_timeout = rule.timeout;
  fill(cluster_.settings, node);
}

bool is_under_kueue(const Strategy& strategy) { return !strategy.legs.front().flavor.empty(); }

// The most GPUs of one job that some flavor of the strategy could ever give it.
std::int64_t most_of_job(const KueueCluster& cluster, const Strategy& strategy, const Job& job) {
  kueue::QuotaTree tree;
  tree.rebuild(cluster.objects);
  const auto& queue = cluster.objects.local_queues.at(cluster.local_queue_of(job)).cluster_queue;
  std::int64_t most = -1;
  for (const Leg& leg : strategy.legs) {
    if (!leg.open_to(job.job_class) || leg.candidates[index(job.shape)].empty()) continue;
    const kueue::CellId cell = tree.cell(leg.flavor, kKueueResource);
    const kueue::ClusterQueue& own = cluster.objects.cluster_queues.at(queue);
    const auto is_its = [&](const kueue::FlavorQuotas& each) { return each.flavor == leg.flavor; };
    most = std::max<std::int64_t>(most, 0);
    if (std::ranges::any_of(own.groups.front().flavors, is_its))
      most = std::max(most, tree.potentially_available(*tree.queue(queue), cell).count());
  }
  return most;
}

// Of users the first stands for all.
void warn_of_too_large_jobs(Draft& draft, const Strategy& strategy) {
  const KueueCluster& cluster = *draft.world().kueue;
  std::set<std::string> kept;
  for (std::size_t shape = 0; shape < draft.shape_classes.size(); ++shape) {
    for (std::size_t i = 0; i < draft.shape_classes[shape].size(); ++i) {
      if (!draft.shape_classes[shape][i]) continue;
      const Job job{.shape = ShapeId{static_cast<std::uint32_t>(shape)},
                    .job_class = ClassId{static_cast<std::uint16_t>(i)}};
      const Shape& asked = draft.world().shapes[shape];
      if (asked.of_nodes > 0) continue;
      const std::int64_t most = most_of_job(cluster, strategy, job);
      const std::int32_t least = is_class_of_sets(draft.world(), job.job_class)
                                     ? asked.nodes
                                     : cluster.least_nodes(asked, job.job_class, job.user);
      const std::int32_t spared = asked.nodes - least;
      if (most >= 0 && asked.gpus().count() - std::int64_t{spared} * asked.gpus_per_node > most)
        kept.insert(draft.classes.names()[i]);
    }
  }
  if (kept.empty()) return;
  draft.warn(
      fmt::format("strategy \"{}\": some jobs of {} ask for more GPUs than Kueue's quota ever lets in: they "
                  "wait for ever",
                  strategy.name, fmt::join(kept, ", ")));
}

}  // namespace

void build_kueue(Draft& draft) {
  if (!draft.root.has("kueue")) return;
  draft.world().kueue = ClusterReader{draft, draft.root.at("kueue")}.read();
  read_partial_admission(draft, draft.root.at("kueue"));
  draft.assume(
      "Kueue: scheduling takes no time; a job is one workload of its GPUs, and its priority is that "
      "of its class");
}

void read_flavors(const Draft& draft, const Node& node, Strategy& strategy) {
  const std::vector<Node> legs = node.list("legs");
  if (std::ranges::none_of(legs, [](const Node& leg) { return leg.has("flavor"); })) return;
  Names known;
  for (const Node& each : draft.root.at("kueue").list("flavors")) known.push_back(each.as_text());
  for (std::size_t i = 0; i < legs.size(); ++i) {
    const Node flavor = legs[i].at("flavor");
    strategy.legs[i].flavor = checked(flavor, "flavor", known);
    const auto by = strategy.legs[i].orchestrator;
    if (by && *by != OrchestratorName::gke)
      flavor.fail(
          fmt::format("Kueue runs on gke, not on {}", kOrchestratorNames[static_cast<std::size_t>(*by)]));
  }
}

void check_kueue_use(Draft& draft) {
  if (!draft.root.has("kueue")) return;
  for (const Strategy& strategy : draft.world().strategies) {
    if (!is_under_kueue(strategy)) continue;
    warn_of_too_large_jobs(draft, strategy);
    warn_of_other_resources(draft, strategy);
  }
  check_sets_under_kueue(draft);
}

}  // namespace stockout
