#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/billing/usage.h"
#include "models/world/world.h"

namespace stockout {

/// Slurm's partitions in their order, then "none or several": jobs that none may serve, and usage that may be
/// of several.
[[nodiscard]] std::vector<std::string> partition_rows(const World& world);

/// Accounts in their order, users apart, then "no account".
[[nodiscard]] std::vector<std::string> account_rows(const World& world);

/// The leg under which a job counts that was last in `leg`: a job that was in none is there in name only, and
/// counts under the first that is open to it. nullptr: none is.
[[nodiscard]] const Leg* leg_counted(const Strategy& strategy, const Job& job, std::uint8_t leg);

/// Where jobs and usage belong by partition of Slurm, in one strategy.
class PartitionRows {
 public:
  PartitionRows(const World& world, const Strategy& strategy);

  /// That of its leg_counted().
  [[nodiscard]] std::size_t of_job(const Job& job, std::uint8_t leg) const;
  /// The only one that may serve the class with machines of that price.
  [[nodiscard]] std::size_t of_usage(const UsageKey& key) const;

 private:
  [[nodiscard]] std::size_t row_of(const Leg& leg) const;

  const World& world_;
  const Strategy& strategy_;
  std::size_t other_ = 0;                     // the row of none or several
  std::vector<std::set<PriceLineId>> lines_;  // by leg: the prices of its machines
};

/// Where jobs and usage belong by account of Slurm.
class AccountRows {
 public:
  explicit AccountRows(const World& world);

  /// The account that Slurm's options give to jobs of that class and user.
  [[nodiscard]] std::size_t of(ClassId job_class, UserId user) const;

 private:
  const World& world_;
  std::vector<std::size_t> rows_;  // by association; of a user: that of the account
  std::size_t none_ = 0;           // the row of no account
};

}  // namespace stockout
