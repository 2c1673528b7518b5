#include "models/orchestrators/kueue_books.h"

#include <algorithm>
#include <optional>

#include "models/orchestrators/kueue/resource_units.h"
#include "sim/core/quantity.h"

namespace stockout {

using kueue::Amount;
using kueue::CellId;
using kueue::NodeId;
using kueue::QuotaTree;

KueueBooks::KueueBooks(const KueueCluster& cluster, const std::vector<JobClass>& classes) {
  QuotaTree tree;
  tree.rebuild(cluster.objects);
  for (const auto& [flavor, object] : cluster.objects.flavors) {
    if (!object.labels.contains(kKueueFlavorLabel)) others_.insert(flavor);
    cells_.try_emplace({flavor, kKueueResource}, tree.cell(flavor, kKueueResource));
  }
  for (const auto& [name, queue] : cluster.objects.cluster_queues) {
    uses_[name] = {};
    groups_[name] = queue.groups;
    for (const kueue::ResourceGroup& group : queue.groups) {
      for (const kueue::FlavorQuotas& flavor : group.flavors) add_cells(flavor, tree);
    }
  }
  for (const JobClass& job_class : classes) priorities_.push_back(job_class.priority);
  std::ranges::sort(priorities_);
  priorities_.erase(std::unique(priorities_.begin(), priorities_.end()), priorities_.end());
  trees_.assign(priorities_.size(), tree);
}

void KueueBooks::add_cells(const kueue::FlavorQuotas& flavor, QuotaTree& tree) {
  for (const auto& [resource, quota] : flavor.quotas)
    cells_.try_emplace({flavor.flavor, resource}, tree.cell(flavor.flavor, resource));
}

std::size_t KueueBooks::level(std::int32_t priority) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(priorities_, priority) - priorities_.begin());
}

kueue::Usage KueueBooks::usage_in(const kueue::FlavorQuotas& flavor, const KueuePods& pods) const {
  kueue::Usage usage;
  for (const auto& [resource, amount] : pods.requests) {
    if (amount != Amount{} && flavor.quotas.contains(resource))
      usage.push_back({cells_.at({flavor.flavor, resource}), amount});
  }
  return usage;
}

bool KueueBooks::may_have(const KueuePods& pods, const std::string& flavor) const {
  return others_.contains(flavor) || std::ranges::find(pods.flavors, flavor) != pods.flavors.end();
}

template <typename Does>
std::optional<kueue::Usage> KueueBooks::find_in(const kueue::ResourceGroup& group, const KueuePods& pods,
                                                Does does) const {
  for (const kueue::FlavorQuotas& flavor : group.flavors) {
    kueue::Usage usage = usage_in(flavor, pods);
    if (usage.empty() || (may_have(pods, flavor.flavor) && std::ranges::all_of(usage, does))) return usage;
  }
  return std::nullopt;
}

// Pods themselves are counted only where a queue has a quota of them.
bool KueueBooks::covers(const std::string& queue, const kueue::Requests& requests) const {
  return std::ranges::all_of(requests, [&](const auto& request) {
    const std::string& resource = request.first;
    if (request.second == Amount{} || resource == kueue::kPods) return true;
    return std::ranges::any_of(groups_.at(queue), [&](const auto& group) { return group.covers(resource); });
  });
}

template <typename WillDo>
bool KueueBooks::find_flavors(const KueueWish& wish, const QuotaTree& tree, WillDo will_do) const {
  const NodeId queue = *tree.queue(wish.queue);
  const auto find_usage = [&](const QuotaTree& used, const KueuePods& pods) -> std::optional<kueue::Usage> {
    const auto does = [&](const auto& each) { return will_do(used, queue, each.cell, each.amount); };
    kueue::Usage all;
    for (const kueue::ResourceGroup& group : groups_.at(wish.queue)) {
      const std::optional<kueue::Usage> usage = find_in(group, pods, does);
      if (!usage) return std::nullopt;
      all.insert(all.end(), usage->begin(), usage->end());
    }
    return covers(wish.queue, pods.requests) ? std::optional{all} : std::nullopt;
  };
  if (wish.pod_sets.size() == 1) return find_usage(tree, wish.pod_sets.front()).has_value();
  QuotaTree used = tree;
  return std::ranges::all_of(wish.pod_sets, [&](const KueuePods& pods) {
    const std::optional<kueue::Usage> usage = find_usage(used, pods);
    if (usage) used.add(queue, *usage);
    return usage.has_value();
  });
}

bool KueueBooks::has_room(const KueueWish& wish, const QuotaTree& tree) const {
  return find_flavors(wish, tree, [](const QuotaTree& used, NodeId queue, CellId cell, Amount amount) {
    return used.available(queue, cell) >= amount;
  });
}

bool KueueBooks::is_within_own(const KueueWish& wish) const {
  return find_flavors(wish, trees_.back(),
                      [](const QuotaTree& used, NodeId queue, CellId cell, Amount amount) {
                        return !used.borrows(queue, cell, amount);
                      });
}

void KueueBooks::hold(const KueueHold& hold, SimTime now) { change(hold, true, now); }

void KueueBooks::give_back(const KueueHold& hold, SimTime now) { change(hold, false, now); }

void KueueBooks::change(const KueueHold& hold, bool more, SimTime now) {
  const NodeId queue = *trees_.back().queue(hold.queue);
  kueue::Usage usage;
  for (const auto& [resource, amount] : hold.requests)
    usage.push_back({cells_.at({hold.flavors.at(resource), resource}), amount});
  for (std::size_t i = level(hold.priority); i < trees_.size(); ++i)
    more ? trees_[i].add(queue, usage) : trees_[i].remove(queue, usage);
  Use& use = uses_.at(hold.queue);
  count_until(use, now);
  use.held = use.borrowed = 0;
  for (const auto& [of, cell] : cells_) {
    if (of.second != kKueueResource) continue;
    const std::int64_t used = trees_.back().usage(queue, cell).count();
    use.held += used;
    use.borrowed += std::max<std::int64_t>(0, used - trees_.back().subtree_quota(queue, cell).count());
  }
}

void KueueBooks::count_until(Use& use, SimTime now) {
  const SimDuration length = now - use.since;
  use.totals.held += GpuCount{use.held} * length;
  use.totals.borrowed += GpuCount{use.borrowed} * length;
  use.since = now;
}

std::map<std::string, KueueQueueTotals> KueueBooks::totals(SimTime end) const {
  std::map<std::string, KueueQueueTotals> totals;
  for (const auto& [queue, use] : uses_) {
    Use until_end = use;
    count_until(until_end, end);
    totals.emplace(queue, until_end.totals);
  }
  return totals;
}

}  // namespace stockout
