#include "tests/support/kueue_by_the_book/book.h"

#include <algorithm>

namespace stockout::test::by_the_book {

using kueue::Quota;
using kueue::ResourceGroup;
using kueue::Workload;

Amounts held_by(const Workload& workload) {
  Amounts held;
  if (!workload.status.admission) return held;
  for (const kueue::PodSetAdmission& pod_set : workload.status.admission->pod_sets) {
    for (const auto& [resource, flavor] : pod_set.flavors) {
      const auto used = pod_set.usage.find(resource);
      held[{flavor, resource}] += used == pod_set.usage.end() ? 0 : used->second.count();
    }
  }
  return held;
}

void add(Amounts& to, const Amounts& more) {
  for (const auto& [cell, amount] : more) to[cell] += amount;
}

std::int64_t pods_left(const Workload& workload, const kueue::PodSet& pod_set,
                       const kueue::Settings& settings) {
  const auto done = workload.status.reclaimable.find(pod_set.name);
  if (done == workload.status.reclaimable.end() || !settings.gates.has(kueue::Gate::reclaimable_pods))
    return pod_set.count;
  return std::max<std::int64_t>(0, pod_set.count - done->second);
}

Book Book::without(const std::set<kueue::WorkloadId>& workloads) const {
  Book changed = *this;
  std::erase_if(changed.holders, [&](const Workload* one) { return workloads.contains(one->id); });
  return changed;
}

Book Book::with(const std::string& queue, const Amounts& amounts) const {
  Book changed = *this;
  add(changed.besides[queue], amounts);
  return changed;
}

bool Book::is_open(const std::string& queue) const {
  const kueue::ClusterQueue& own = rules(queue);
  bool has_flavors = true;
  for (const ResourceGroup& group : own.groups) {
    for (const kueue::FlavorQuotas& flavor : group.flavors) {
      if (!objects->flavors.contains(flavor.flavor)) has_flavors = false;
    }
  }
  return has_flavors && own.stop == kueue::StopPolicy::none;
}

std::optional<Node> Book::parent(const Node& node) const {
  std::string above;
  if (node.is_queue) {
    above = rules(node.name).cohort;
  } else if (objects->cohorts.contains(node.name)) {
    above = objects->cohorts.at(node.name).parent;
  }
  if (above.empty()) return std::nullopt;
  return Node{.is_queue = false, .name = above};
}

std::vector<Node> Book::ancestors(const Node& node) const {
  std::vector<Node> all;
  for (auto above = parent(node); above; above = parent(*above)) all.push_back(*above);
  return all;
}

Node Book::root(const Node& node) const {
  const std::vector<Node> above = ancestors(node);
  return above.empty() ? node : above.back();
}

// Cohorts that only others name are there too.
std::vector<Node> Book::child_cohorts(const Node& cohort) const {
  std::set<Node> children;
  for (const auto& [name, one] : objects->cohorts) {
    if (one.parent == cohort.name) children.insert({.is_queue = false, .name = name});
  }
  return {children.begin(), children.end()};
}

std::vector<Node> Book::child_queues(const Node& cohort) const {
  std::vector<Node> children;
  for (const auto& [name, one] : objects->cluster_queues) {
    if (one.cohort == cohort.name) children.push_back(queue_node(name));
  }
  return children;
}

int Book::height(const Node& node) const {
  if (node.is_queue) return 0;
  int most = child_queues(node).empty() ? 0 : 1;
  for (const Node& child : child_cohorts(node)) most = std::max(most, height(child) + 1);
  return most;
}

double Book::fair_weight(const Node& node) const {
  if (node.is_queue) return rules(node.name).fair_weight;
  const auto cohort = objects->cohorts.find(node.name);
  return cohort == objects->cohorts.end() ? 1 : cohort->second.fair_weight;
}

namespace {

const std::vector<ResourceGroup>& groups_of(const kueue::Configuration& objects, const Node& node) {
  static const std::vector<ResourceGroup> kNone;
  if (node.is_queue) return objects.cluster_queues.at(node.name).groups;
  const auto cohort = objects.cohorts.find(node.name);
  return cohort == objects.cohorts.end() ? kNone : cohort->second.groups;
}

}  // namespace

std::optional<Quota> Book::quota(const Node& node, const Cell& cell) const {
  for (const ResourceGroup& group : groups_of(*objects, node)) {
    for (const kueue::FlavorQuotas& flavor : group.flavors) {
      const auto one = flavor.quotas.find(cell.resource);
      if (flavor.flavor == cell.flavor && one != flavor.quotas.end()) return one->second;
    }
  }
  return std::nullopt;
}

std::set<Cell> Book::cells(const Node& node) const {
  std::set<Cell> all;
  for (const ResourceGroup& group : groups_of(*objects, node)) {
    for (const kueue::FlavorQuotas& flavor : group.flavors) {
      for (const auto& [resource, quota] : flavor.quotas) all.insert({flavor.flavor, resource});
    }
  }
  if (node.is_queue) return all;
  for (const Node& child : child_cohorts(node)) all.merge(cells(child));
  for (const Node& child : child_queues(node)) all.merge(cells(child));
  return all;
}

// Rule 10.
std::int64_t Book::subtree_quota(const Node& node, const Cell& cell) const {
  const auto own = quota(node, cell);
  std::int64_t sum = own ? own->nominal.count() : 0;
  if (node.is_queue) return sum;
  for (const Node& child : child_cohorts(node)) sum += subtree_quota(child, cell) - local_quota(child, cell);
  for (const Node& child : child_queues(node)) sum += subtree_quota(child, cell) - local_quota(child, cell);
  return sum;
}

std::int64_t Book::local_quota(const Node& node, const Cell& cell) const {
  const auto own = quota(node, cell);
  if (!own || !own->lending_limit) return 0;
  return std::max<std::int64_t>(0, subtree_quota(node, cell) - own->lending_limit->count());
}

// Rule 11.
std::int64_t Book::usage(const Node& node, const Cell& cell) const {
  std::int64_t sum = 0;
  if (node.is_queue) {
    const auto used = [&](const Amounts& amounts) {
      const auto one = amounts.find(cell);
      return one == amounts.end() ? 0 : one->second;
    };
    for (const Workload* holder : holders) {
      if (holder->status.admission->cluster_queue == node.name) sum += used(held_by(*holder));
    }
    if (besides.contains(node.name)) sum += used(besides.at(node.name));
    return sum;
  }
  const auto above_local = [&](const Node& child) {
    return std::max<std::int64_t>(0, usage(child, cell) - local_quota(child, cell));
  };
  for (const Node& child : child_cohorts(node)) sum += above_local(child);
  for (const Node& child : child_queues(node)) sum += above_local(child);
  return sum;
}

std::int64_t Book::local_available(const Node& node, const Cell& cell) const {
  return std::max<std::int64_t>(0, local_quota(node, cell) - usage(node, cell));
}

// Rule 12.
std::int64_t Book::available(const Node& node, const Cell& cell) const {
  const auto above = parent(node);
  if (!above) return subtree_quota(node, cell) - usage(node, cell);
  std::int64_t from_parent = available(*above, cell);
  const auto own = quota(node, cell);
  if (own && own->borrowing_limit) {
    const std::int64_t local = local_quota(node, cell);
    const std::int64_t stored = subtree_quota(node, cell) - local;
    const std::int64_t used = std::max<std::int64_t>(0, usage(node, cell) - local);
    from_parent = std::min(from_parent, stored - used + own->borrowing_limit->count());
  }
  return local_available(node, cell) + from_parent;
}

std::int64_t Book::potentially_available(const Node& node, const Cell& cell) const {
  Book unused = *this;
  unused.holders.clear();
  unused.besides.clear();
  return unused.available(node, cell);
}

// Rule 13.
bool Book::borrows(const Node& node, const Cell& cell, std::int64_t more) const {
  return usage(node, cell) + more > subtree_quota(node, cell);
}

bool Book::borrows_any(const Node& node, const std::set<Cell>& cells) const {
  return std::any_of(cells.begin(), cells.end(), [&](const Cell& cell) { return borrows(node, cell); });
}

bool Book::fits(const std::string& queue, const Amounts& amounts) const {
  return std::all_of(amounts.begin(), amounts.end(), [&](const auto& one) {
    return one.second <= std::max<std::int64_t>(0, available(queue_node(queue), one.first));
  });
}

// Rule 19.
Book::Level Book::level(const std::string& queue, const Cell& cell, std::int64_t amount) const {
  const Node own = queue_node(queue);
  const bool has_parent = parent(own).has_value();
  if (!borrows(own, cell, amount) || !has_parent) return {.height = 0, .is_part = has_parent};
  std::int64_t rest = amount - local_available(own, cell);
  for (const Node& above : ancestors(own)) {
    if (!borrows(above, cell, rest)) {
      return {.height = height(above), .is_part = parent(above).has_value()};
    }
    rest -= local_available(above, cell);
  }
  return {.height = height(root(own)), .is_part = false};
}

}  // namespace stockout::test::by_the_book
