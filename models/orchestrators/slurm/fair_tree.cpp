#include "models/orchestrators/slurm/fair_tree.h"

#include <algorithm>
#include <limits>

namespace stockout::slurm {

FairTree::FairTree(const std::vector<Association>& associations)
    : associations_{associations},
      children_(associations.size()),
      usage_(associations.size()),
      factors_(associations.size()) {
  for (std::uint32_t i = 0; i < associations.size(); ++i) {
    std::vector<std::uint32_t>& siblings = associations[i].parent ? children_[*associations[i].parent] : top_;
    siblings.push_back(i);
    users_ += associations[i].is_user ? 1 : 0;
  }
  rank();
}

void FairTree::decay(double kept) {
  for (double& used : usage_) used *= kept;
}

void FairTree::use(std::uint32_t user, double amount) {
  for (std::optional<std::uint32_t> at = user; at; at = associations_[*at].parent) usage_[*at] += amount;
}

double FairTree::level_of(std::uint32_t association, double shares, double usage) const {
  const double share = shares > 0 ? associations_[association].shares / shares : 0;
  if (share <= 0) return 0;
  const double used = usage > 0 ? usage_[association] / usage : 0;
  return used > 0 ? share / used : std::numeric_limits<double>::infinity();
}

// `is_tied`: the parent equals what stands before it, and so does the first of its children.
void FairTree::rank_below(const std::vector<std::uint32_t>& siblings, Ranks& ranks, bool is_tied) {
  struct Placed {
    double level;
    std::uint32_t association;
  };
  double shares = 0;
  double usage = 0;
  for (const std::uint32_t each : siblings) {
    shares += associations_[each].shares;
    usage += usage_[each];
  }
  std::vector<Placed> order;
  for (const std::uint32_t each : siblings) order.push_back({level_of(each, shares, usage), each});
  std::stable_sort(order.begin(), order.end(), [&](const Placed& a, const Placed& b) {
    if (a.level != b.level) return a.level > b.level;
    return associations_[a.association].is_user && !associations_[b.association].is_user;
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t each = order[i].association;
    if (i > 0) is_tied = order[i].level == order[i - 1].level;
    if (associations_[each].is_user) {
      if (!is_tied) ranks.shared = ranks.next;
      factors_[each] = static_cast<double>(ranks.shared) / users_;
      --ranks.next;
    } else {
      rank_below(children_[each], ranks, is_tied);
    }
  }
}

void FairTree::rank() {
  Ranks ranks{.shared = users_, .next = users_};
  rank_below(top_, ranks, false);
}

}  // namespace stockout::slurm
