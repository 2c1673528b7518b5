#pragma once

#include <cstdint>
#include <vector>

#include "models/orchestrators/slurm/configuration.h"

namespace stockout::slurm {

/// Shares of accounts and users, and what they have used lately: PriorityFlags=FAIR_TREE, the default. At
/// each level siblings are sorted by shares over usage, both as parts of those of their parent. Whoever has
/// used least of the share comes first, with all below; the users of that order are ranked. Of equal accounts
/// the one that was made first comes first, and its users share no rank with those of the others but one: the
/// first user of an account that equals what stands before it has the rank of the last user there.
class FairTree {
 public:
  explicit FairTree(const std::vector<Association>& associations);

  /// Rank over number of users: 1 for the first user, less for each further one; equals share the higher.
  [[nodiscard]] double factor(std::uint32_t user) const { return factors_[user]; }
  [[nodiscard]] double usage(std::uint32_t association) const { return usage_[association]; }

  /// Of the usage of all, this part is kept.
  void decay(double kept);
  /// A user has used so many billed CPU-seconds; all accounts above have too.
  void use(std::uint32_t user, double amount);
  /// Ranks users anew.
  void rank();

 private:
  // Users get ranks from the highest on; equals share one.
  struct Ranks {
    int shared = 0;
    int next = 0;
  };

  [[nodiscard]] double level_of(std::uint32_t association, double shares, double usage) const;
  void rank_below(const std::vector<std::uint32_t>& siblings, Ranks& ranks, bool is_tied);

  const std::vector<Association>& associations_;
  std::vector<std::vector<std::uint32_t>> children_;  // by association
  std::vector<std::uint32_t> top_;
  std::vector<double> usage_;
  std::vector<double> factors_;
  int users_ = 0;
};

}  // namespace stockout::slurm
