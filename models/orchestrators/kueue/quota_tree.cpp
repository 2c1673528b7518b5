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

void add_to(Usage& usage, CellId cell, Amount amount) {
  const auto entry =
      std::find_if(usage.begin(), usage.end(), [&](const CellAmount& one) { return one.cell == cell; });
  if (entry == usage.end()) {
    usage.push_back({cell, amount});
  } else {
    entry->amount += amount;
  }
}

Amount amount_of(const Usage& usage, CellId cell) {
  const auto entry =
      std::find_if(usage.begin(), usage.end(), [&](const CellAmount& one) { return one.cell == cell; });
  return entry == usage.end() ? Amount{} : entry->amount;
}

CellId QuotaTree::cell(const std::string& flavor, const std::string& resource) {
  const auto [entry, is_new] = cell_ids_.try_emplace({flavor, resource}, CellId{});
  if (!is_new) return entry->second;
  entry->second = CellId{static_cast<std::uint32_t>(cells_.size())};
  const auto [known, fresh] =
      resource_ids_.try_emplace(resource, ResourceId{static_cast<std::uint32_t>(resource_names_.size())});
  if (fresh) resource_names_.push_back(resource);
  cells_.push_back({flavor, resource, known->second});
  return entry->second;
}

const std::string& QuotaTree::resource(ResourceId id) const {
  return resource_names_[static_cast<std::size_t>(id)];
}

std::optional<NodeId> QuotaTree::queue(const std::string& name) const {
  const auto entry = queues_.find(name);
  return entry == queues_.end() ? std::nullopt : std::optional{entry->second};
}

std::optional<NodeId> QuotaTree::cohort(const std::string& name) const {
  const auto entry = cohorts_.find(name);
  return entry == cohorts_.end() ? std::nullopt : std::optional{entry->second};
}

std::vector<NodeId> QuotaTree::queues_below(NodeId id) const {
  if (is_queue(id)) return {id};
  std::vector<NodeId> below = child_queues(id);
  for (const NodeId cohort : child_cohorts(id)) {
    const std::vector<NodeId> deeper = queues_below(cohort);
    below.insert(below.end(), deeper.begin(), deeper.end());
  }
  return below;
}

const Quota* QuotaTree::quota(NodeId id, CellId cell) const {
  const auto entry = node(id).quotas.find(key(cell));
  return entry == node(id).quotas.end() ? nullptr : &entry->second;
}

Amount QuotaTree::nominal(NodeId id, CellId cell) const {
  const Quota* own = quota(id, cell);
  return own == nullptr ? Amount{} : own->nominal;
}

Amount QuotaTree::subtree_quota(NodeId id, CellId cell) const { return found(node(id).subtree_quota, cell); }

Amount QuotaTree::usage(NodeId id, CellId cell) const { return found(node(id).usage, cell); }

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
  Amount& used = node(id).usage[key(cell)];
  const Amount before = excess(used, local);
  used = added ? used + amount : used - amount;
  const Amount after = excess(used, local);
  const auto up = parent(id);
  if (!up || before == after) return;
  change(*up, cell, added ? after - before : before - after, added);
}

}  // namespace stockout::kueue
