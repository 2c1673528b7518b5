#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "models/orchestrators/kueue/quota_tree.h"

namespace stockout::kueue {

/// How much a node borrows, as a share of what its siblings and itself could lend: that of the resource of
/// which it borrows most. As in Kueue, shares are floating point.
struct FairShare {
  double weight = 1;
  double ratio = 0;           // per mille, before the weight
  std::string resource = {};  // of which most is borrowed; empty if none
  std::vector<CellId> borrowed = {};

  [[nodiscard]] bool borrows() const { return !borrowed.empty(); }
  /// Whether anything of what is asked for is borrowed.
  [[nodiscard]] bool borrows_any(const Usage& asked) const;
  /// Borrows with a weight of zero: beyond every finite share.
  [[nodiscard]] bool is_infinite() const { return weight == 0 && borrows(); }
  /// The share as Kueue reports it: per mille over weight, rounded up; the largest integer if infinite.
  [[nodiscard]] std::int64_t reported() const;
  /// Per mille over weight; infinity if infinite.
  [[nodiscard]] double weighted() const;
};

/// Less is fairer. Two infinite shares compare by what they would be without the weight.
[[nodiscard]] std::partial_ordering compare(const FairShare& a, const FairShare& b);

/// The dominant resource share of a node, as if it used `more` besides. A root has none.
[[nodiscard]] FairShare fair_share(const QuotaTree& tree, NodeId node, const Usage& more = {});

}  // namespace stockout::kueue
