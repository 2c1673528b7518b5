#pragma once

#include <cstdint>
#include <vector>

#include "models/orchestrators/slurm/configuration.h"

namespace stockout::slurm {

/// Shares of accounts and users, and what they have used lately: PriorityFlags=FAIR_TREE, the default. At
/// each level siblings are sorted by shares over usage, both as parts of those of their parent. Whoever has
/// used least of the share comes first, with all below; the users of that order are ranked.
class FairTree {
 public:
  explicit FairTree(const std::vector<Association>& associations);

  /// Rank over number of users: 1 for the first user, less for each further one; equals share the higher.
  [[nodiscard]] double factor(std::uint32_t user) const { return factors_[user]; }
  [[nodiscard]] double usage(std::uint32_t association) const { return usage_[association]; }

  /// `seconds` have gone by, in which the usage of all loses half in `half_life` seconds. 0: it keeps all.
  void decay(double seconds, double half_life);
  /// A user has used so many billed CPU-seconds; all accounts above have too.
  void use(std::uint32_t user, double amount);
  /// Ranks users anew.
  void rank();

 private:
  [[nodiscard]] double level_of(std::uint32_t association, double shares, double usage) const;
  void rank_below(const std::vector<std::uint32_t>& siblings, int& rank);

  const std::vector<Association>& associations_;
  std::vector<std::vector<std::uint32_t>> children_;  // by association
  std::vector<std::uint32_t> top_;
  std::vector<double> usage_;
  std::vector<double> factors_;
  int users_ = 0;
};

}  // namespace stockout::slurm
