#include "models/orchestrators/slurm/fair_tree.h"

#include <algorithm>
#include <cmath>
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

// Slurm multiplies by 1 - 0.693/half life for each second, which is not quite 2^(-1/half life).
void FairTree::decay(double seconds, double half_life) {
  if (half_life <= 0) return;
  const double kept = std::pow(1 - 0.693 / half_life, seconds);
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

void FairTree::rank_below(const std::vector<std::uint32_t>& siblings, int& rank) {
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
  for (std::size_t i = 0; i < order.size();) {
    const double level = order[i].level;
    const int shared_rank = rank;
    std::vector<std::uint32_t> below;  // of accounts with this level, as if they were one
    for (; i < order.size() && order[i].level == level; ++i) {
      const std::uint32_t each = order[i].association;
      if (associations_[each].is_user) {
        factors_[each] = static_cast<double>(shared_rank) / users_;
        --rank;
      } else {
        below.insert(below.end(), children_[each].begin(), children_[each].end());
      }
    }
    if (!below.empty()) rank_below(below, rank);
  }
}

void FairTree::rank() {
  int next = users_;
  rank_below(top_, next);
}

}  // namespace stockout::slurm
