#include "models/orchestrators/kueue/quota_tree.h"

#include <algorithm>
#include <utility>

#include "sim/core/check.h"

namespace stockout::kueue {
namespace {

std::uint32_t key(CellId cell) { return static_cast<std::uint32_t>(cell); }

Amount found(const std::unordered_map<std::uint32_t, Amount>& amounts, CellId cell) {
  const auto entry = amounts.find(key(cell));
  return entry == amounts.end() ? Amount{} : entry->second;
}

Amount excess(Amount amount, Amount floor) { return std::max(Amount{}, amount - floor); }

}  // namespace

void QuotaTree::rebuild(const Configuration& configuration) {
  CohortForest::operator=(CohortForest{configuration});
  accounts_.assign(size(), {});
  for (const auto& [name, cohort] : configuration.cohorts) take_quotas(*this->cohort(name), cohort.groups);
  for (const auto& [name, queue] : configuration.cluster_queues)
    take_quotas(*this->queue(name), queue.groups);
  for (const NodeId id : tops()) sum_up(id);
  for (std::size_t i = 0; i < size(); ++i) lend(NodeId{static_cast<std::uint32_t>(i)});
}

void QuotaTree::take_quotas(NodeId id, const std::vector<ResourceGroup>& groups) {
  for (const ResourceGroup& group : groups) {
    for (const FlavorQuotas& flavor : group.flavors) {
      for (const auto& [resource, quota] : flavor.quotas) {
        account(id).quotas.insert_or_assign(key(cell(flavor.flavor, resource)), quota);
      }
    }
  }
}

// From the leaves up.
void QuotaTree::sum_up(NodeId id) {
  Account& own = account(id);
  for (const auto& [cell, quota] : own.quotas) own.subtree_quota[cell] = quota.nominal;
  std::vector<NodeId> children = child_cohorts(id);
  children.insert(children.end(), child_queues(id).begin(), child_queues(id).end());
  for (const NodeId child : children) {
    sum_up(child);
    for (const auto& [cell, quota] : account(child).subtree_quota) {
      own.subtree_quota[cell] += quota - local_quota(child, CellId{cell});
    }
  }
  for (const auto& [cell, quota] : own.subtree_quota) own.quota_cells.push_back(CellId{cell});
  std::sort(own.quota_cells.begin(), own.quota_cells.end());
}

void QuotaTree::lend(NodeId id) {
  if (is_queue(id)) return;
  std::vector<Amount> lendable(index_.resources());
  for (const CellId one : cells(root(id))) {
    lendable[static_cast<std::size_t>(cell(one).resource_id)] += potentially_available(id, one);
  }
  account(id).lendable = std::move(lendable);
}

const Quota* QuotaTree::quota(NodeId id, CellId cell) const {
  const auto entry = account(id).quotas.find(key(cell));
  return entry == account(id).quotas.end() ? nullptr : &entry->second;
}

Amount QuotaTree::nominal(NodeId id, CellId cell) const {
  const Quota* own = quota(id, cell);
  return own == nullptr ? Amount{} : own->nominal;
}

Amount QuotaTree::subtree_quota(NodeId id, CellId cell) const {
  return found(account(id).subtree_quota, cell);
}

Amount QuotaTree::usage(NodeId id, CellId cell) const { return found(account(id).usage, cell); }

Amount QuotaTree::local_quota(NodeId id, CellId cell) const {
  const Quota* own = quota(id, cell);
  if (own == nullptr || !own->lending_limit) return Amount{};
  return excess(subtree_quota(id, cell), *own->lending_limit);
}

Amount QuotaTree::local_available(NodeId id, CellId cell) const {
  return excess(local_quota(id, cell), usage(id, cell));
}

Amount QuotaTree::available(NodeId id, CellId cell) const {
  const auto up = parent(id);
  if (!up) return subtree_quota(id, cell) - usage(id, cell);
  Amount from_parent = available(*up, cell);
  const Quota* own = quota(id, cell);
  if (own != nullptr && own->borrowing_limit) {
    const Amount local = local_quota(id, cell);
    const Amount lent = subtree_quota(id, cell) - local;
    const Amount used_there = excess(usage(id, cell), local);
    from_parent = std::min(from_parent, lent - used_there + *own->borrowing_limit);
  }
  return local_available(id, cell) + from_parent;
}

Amount QuotaTree::potentially_available(NodeId id, CellId cell) const {
  const auto up = parent(id);
  if (!up) return subtree_quota(id, cell);
  const Amount all = local_quota(id, cell) + potentially_available(*up, cell);
  const Quota* own = quota(id, cell);
  if (own == nullptr || !own->borrowing_limit) return all;
  return std::min(all, subtree_quota(id, cell) + *own->borrowing_limit);
}

bool QuotaTree::borrows(NodeId id, CellId cell, Amount more) const {
  return usage(id, cell) + more > subtree_quota(id, cell);
}

bool QuotaTree::is_within_quota(NodeId id, const std::vector<CellId>& cells) const {
  return std::none_of(cells.begin(), cells.end(), [&](CellId cell) { return borrows(id, cell); });
}

void QuotaTree::add(NodeId queue, const Usage& usage) {
  for (const CellAmount& one : usage) change(queue, one.cell, one.amount, true);
}

void QuotaTree::remove(NodeId queue, const Usage& usage) {
  for (const CellAmount& one : usage) change(queue, one.cell, one.amount, false);
}

// `amount` is not negative.
void QuotaTree::change(NodeId id, CellId cell, Amount amount, bool added) {
  const Amount local = local_quota(id, cell);
  Amount& used = account(id).usage[key(cell)];
  const Amount before = excess(used, local);
  used = added ? used + amount : used - amount;
  const Amount after = excess(used, local);
  const auto up = parent(id);
  if (!up || before == after) return;
  change(*up, cell, added ? after - before : before - after, added);
}

}  // namespace stockout::kueue
