#include "tests/support/worlds/random_kueue.h"

#include <algorithm>

#include <fmt/format.h>

#include "tests/support/random_choice.h"
#include "tests/support/worlds/reduced_shapes.h"

namespace stockout::test {
namespace {

using kueue::Amount;
using Policies = std::vector<kueue::PreemptionPolicy>;

/// A cluster of two or three queues for the classes of a world.
class ClusterMaker {
 public:
  ClusterMaker(Choice& choice, const World& world, SimDuration unit)
      : choice_{choice}, world_{world}, unit_{unit}, flavors_{choice.number(1, 3)} {}

  KueueCluster make() {
    for (std::int64_t i = 0; i < flavors_; ++i)
      cluster_.objects.flavors[flavor(i)] = {.name = flavor(i), .labels = {{kKueueFlavorLabel, flavor(i)}}};
    cluster_.settings.fair_sharing = choice_.chance(30);
    if (choice_.chance(35)) cluster_.settings.pods_ready = pods_ready();
    if (choice_.chance(20))
      cluster_.settings.admission_fair_sharing = kueue::AdmissionFairSharing{.half_life = units(2, 20)};
    const std::int64_t queues = choice_.number(1, 3);
    for (std::int64_t i = 0; i < queues; ++i) add_queue(fmt::format("queue {}", i));
    for (std::int64_t i = queues; i-- > 0;) add_entrance(i);
    return std::move(cluster_);
  }
  void put_flavors(Strategy& strategy) {
    for (Leg& leg : strategy.legs) leg.flavor = flavor(choice_.number(0, flavors_ - 1));
  }

 private:
  SimDuration units(std::int64_t least, std::int64_t most) { return unit_ * choice_.number(least, most); }
  static std::string flavor(std::int64_t number) { return fmt::format("flavor {}", number); }

  kueue::WaitForPodsReady pods_ready() {
    kueue::WaitForPodsReady rule{.timeout = units(1, 8),
                                 .block_admission = choice_.chance(20),
                                 .backoff_base = units(1, 4),
                                 .backoff_max = units(2, 12)};
    if (choice_.chance(50)) rule.recovery_timeout = units(1, 6);
    if (choice_.chance(40)) rule.backoff_limit = static_cast<std::int32_t>(choice_.number(0, 2));
    return rule;
  }

  kueue::ResourceGroup quotas() {
    kueue::ResourceGroup group;
    for (std::int64_t i = 0; i < flavors_; ++i) {
      kueue::Quota quota{.nominal = Amount{choice_.number(0, 8)}};
      if (choice_.chance(30)) quota.borrowing_limit = Amount{choice_.number(0, 6)};
      if (choice_.chance(30)) quota.lending_limit = Amount{choice_.number(0, quota.nominal.count())};
      group.flavors.push_back({.flavor = flavor(i), .quotas = {{kKueueResource, quota}}});
    }
    return group;
  }

  void add_queue(const std::string& name) {
    using enum kueue::PreemptionPolicy;
    kueue::ClusterQueue& queue = cluster_.objects.cluster_queues[name];
    queue = {.name = name, .cohort = choice_.chance(75) ? "all" : "", .groups = {quotas()}};
    if (choice_.chance(35)) queue.strategy = kueue::QueueingStrategy::strict_fifo;
    queue.preemption.within_queue =
        choice_.one_of(Policies{never, lower_priority, lower_priority, lower_or_newer_equal_priority});
    queue.preemption.reclaim_within_cohort = choice_.one_of(Policies{never, lower_priority, any});
    queue.preemption.borrow_within_cohort.lower_priority =
        !cluster_.settings.fair_sharing && choice_.chance(30);
    queue.fungibility.next_when_borrowing = choice_.chance(40);
    queue.fungibility.next_when_preempting = choice_.chance(50);
    queue.usage_based_admission = choice_.chance(50);
    if (!choice_.chance(35)) return;
    queue.checks = {{.name = "capacity"}};
    cluster_.checks["capacity"] = {
        .limit = static_cast<std::int32_t>(choice_.number(0, 2)), .base = units(1, 4), .most = units(2, 8)};
  }

  void add_entrance(std::int64_t number) {
    const std::string name = fmt::format("queue {}", number);
    cluster_.objects.local_queues[name] = {.name = name, .cluster_queue = name};
    KueueEntrance& entrance = cluster_.entrances.emplace_back(KueueEntrance{.local_queue = name});
    if (number == 0) return;
    for (std::size_t c = 0; c < world_.classes.size(); ++c)
      entrance.jobs.classes.push_back(choice_.chance(50));
  }

  Choice& choice_;
  const World& world_;
  SimDuration unit_;
  std::int64_t flavors_;
  KueueCluster cluster_ = {};
};

/// In some worlds some jobs may be admitted with fewer pods.
void add_partial_admission(World& world) {
  Choice choice{world.seed + 9'000'043};
  if (!choice.chance(85)) return;
  for (std::int64_t i = choice.number(1, 2); i > 0; --i) {
    PartialAdmission& entry = world.kueue->partial.emplace_back();
    if (choice.chance(75)) {
      entry.min_count = static_cast<std::int32_t>(choice.number(1, 2));
    } else {
      entry.min_share_ppm = static_cast<std::int32_t>(choice.number(1, 1'000'000));
    }
    if (i == 1) continue;
    for (std::size_t c = 0; c < world.classes.size(); ++c) entry.jobs.classes.push_back(choice.chance(50));
  }
  add_reduced_shapes(world);
}

/// Up to 50 of the resource.
kueue::Quota some_quota(Choice& choice) {
  kueue::Quota quota{.nominal = Amount{choice.number(0, 50)}};
  if (choice.chance(30)) quota.borrowing_limit = Amount{choice.number(0, 30)};
  if (choice.chance(30)) quota.lending_limit = Amount{choice.number(0, quota.nominal.count())};
  return quota;
}

/// The resource in a group of its own, or in the last that there is, in one or two flavors that no leg names.
void add_other_group(Choice& choice, KueueCluster& cluster, kueue::ClusterQueue& queue,
                     const std::string& resource) {
  if (queue.groups.size() > 1 && choice.chance(50)) {
    for (kueue::FlavorQuotas& flavor : queue.groups.back().flavors)
      flavor.quotas[resource] = some_quota(choice);
    return;
  }
  kueue::ResourceGroup& group = queue.groups.emplace_back();
  for (std::int64_t i = choice.number(1, 2); i > 0; --i) {
    const std::string name = fmt::format("{} {}", resource, i);
    cluster.objects.flavors[name] = {.name = name};
    group.flavors.push_back({.flavor = name, .quotas = {{resource, some_quota(choice)}}});
  }
}

/// In some worlds pods ask for CPUs and memory too, mostly less than there are, and not all queues cover
/// both.
void add_other_resources(World& world) {
  Choice choice{world.seed + 9'000'071};
  if (!choice.chance(20)) return;
  for (const std::string resource : {"cpu", "memory", "pods"}) {
    if (choice.chance(35)) continue;
    for (std::int64_t i = resource == "pods" ? 0 : choice.number(1, 2); i > 0; --i) {
      PodRequest& entry = world.kueue->requests.emplace_back(
          PodRequest{.resource = resource, .per_gpu = Amount{choice.number(0, 9)}});
      if (i == 1) continue;
      for (std::size_t c = 0; c < world.classes.size(); ++c) entry.jobs.classes.push_back(choice.chance(50));
    }
    for (auto& [name, queue] : world.kueue->objects.cluster_queues) {
      if (choice.chance(10)) continue;
      if (choice.chance(40)) {
        add_other_group(choice, *world.kueue, queue, resource);
        continue;
      }
      for (kueue::FlavorQuotas& flavor : queue.groups.front().flavors)
        flavor.quotas[resource] = some_quota(choice);
    }
  }
}

/// Then jobs of one set may need requests for capacity, and others of it not.
void put_checks_on_flavors(Choice& choice, KueueCluster& cluster) {
  for (auto& [name, queue] : cluster.objects.cluster_queues) {
    for (kueue::RequiredCheck& check : queue.checks) {
      if (choice.chance(60)) check.flavors = {cluster.objects.flavors.begin()->first};
    }
  }
}

}  // namespace

void add_kueue(World& world, SimDuration unit) {
  Choice choice{world.seed + 9'000'011};
  Strategy& strategy = world.strategies.back();
  const auto is_odd = [](const Leg& leg) { return leg.partial || leg.race == Race::first_boot; };
  if (strategy.deadline_rule || strategy.resubmission || std::ranges::any_of(strategy.legs, is_odd)) return;
  if (!world.quotas.empty() && strategy.quota.taken_at == QuotaTaken::start) return;
  const auto is_tried_again = [](const Source& source) {
    return source.step && source.step->retry.times > 0;
  };
  if (std::ranges::any_of(world.sources, is_tried_again)) return;
  if (!choice.chance(world.has_sets() ? 60 : 14)) return;
  ClusterMaker maker{choice, world, unit};
  world.kueue = maker.make();
  maker.put_flavors(strategy);
  if (world.has_sets()) put_checks_on_flavors(choice, *world.kueue);
  add_partial_admission(world);
  add_other_resources(world);
}

}  // namespace stockout::test
