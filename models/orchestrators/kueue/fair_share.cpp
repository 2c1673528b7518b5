#include "models/orchestrators/kueue/fair_share.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace stockout::kueue {
namespace {

// What is borrowed, by name of the resource.
std::map<std::string, std::pair<ResourceId, Amount>> borrowed_by_resource(const QuotaTree& tree, NodeId node,
                                                                          const Usage& more,
                                                                          std::vector<CellId>& borrowed) {
  std::map<std::string, std::pair<ResourceId, Amount>> sums;
  for (const CellId id : tree.cells(node)) {
    const Amount amount = tree.usage(node, id) + amount_of(more, id) - tree.subtree_quota(node, id);
    if (amount <= Amount{}) continue;
    borrowed.push_back(id);
    const Cell& cell = tree.cell(id);
    auto& sum = sums.try_emplace(cell.resource, cell.resource_id, Amount{}).first->second;
    sum.second += amount;
  }
  return sums;
}

}  // namespace

bool FairShare::borrows_any(const Usage& asked) const {
  return std::any_of(borrowed.begin(), borrowed.end(),
                     [&](CellId cell) { return amount_of(asked, cell) > Amount{}; });
}

double FairShare::weighted() const {
  if (is_infinite()) return std::numeric_limits<double>::infinity();
  return ratio == 0 ? 0 : ratio / weight;
}

std::int64_t FairShare::reported() const {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const double rounded = std::ceil(weighted());
  return rounded >= static_cast<double>(kMost) ? kMost : static_cast<std::int64_t>(rounded);
}

std::partial_ordering compare(const FairShare& a, const FairShare& b) {
  if (a.is_infinite() && b.is_infinite()) return a.ratio <=> b.ratio;
  return a.weighted() <=> b.weighted();
}

FairShare fair_share(const QuotaTree& tree, NodeId node, const Usage& more) {
  FairShare share{.weight = tree.fair_weight(node)};
  const auto parent = tree.parent(node);
  if (!parent) return share;
  const std::vector<Amount>& lendable = tree.lendable(*parent);
  for (const auto& [name, sum] : borrowed_by_resource(tree, node, more, share.borrowed)) {
    const Amount lent = lendable[static_cast<std::size_t>(sum.first)];
    if (lent <= Amount{}) continue;
    const double ratio = static_cast<double>(sum.second.count()) * 1000.0 / static_cast<double>(lent.count());
    if (ratio > share.ratio) {  // the first by name, among equals
      share.ratio = ratio;
      share.resource = name;
    }
  }
  return share;
}

}  // namespace stockout::kueue
