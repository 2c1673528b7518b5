#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/orchestrators/kueue/amount.h"
#include "models/orchestrators/kueue/cell_index.h"
#include "models/orchestrators/kueue/cohort_forest.h"
#include "models/orchestrators/kueue/configuration.h"

namespace stockout::kueue {

/// Quota and its use, in a forest of cohorts with cluster queues as leaves.
///
/// Usage of a node first fills what it does not lend (its local quota). Only what exceeds that counts against
/// its parent. Hence a parent's usage is a function of its children's, in whatever order they changed.
class QuotaTree : public CohortForest {
 public:
  /// The number of the cell, the same from now on.
  CellId cell(const std::string& flavor, const std::string& resource) {
    return index_.number(flavor, resource);
  }
  [[nodiscard]] const Cell& cell(CellId id) const { return index_.at(id); }

  /// Takes over other queues and cohorts. Node numbers change, and nothing is used any more.
  void rebuild(const Configuration& configuration);

  // --- quota ---
  [[nodiscard]] const Quota* quota(NodeId id, CellId cell) const;
  [[nodiscard]] Amount nominal(NodeId id, CellId cell) const;
  /// Its own quota and what its children lend.
  [[nodiscard]] Amount subtree_quota(NodeId id, CellId cell) const;
  /// Cells that it or a node below has quota for.
  [[nodiscard]] const std::vector<CellId>& cells(NodeId id) const { return account(id).quota_cells; }
  [[nodiscard]] Amount usage(NodeId id, CellId cell) const;
  /// Unused part of its local quota.
  [[nodiscard]] Amount local_available(NodeId id, CellId cell) const;
  /// Quota that the node can still take, from itself and above; negative where more is used than there is.
  [[nodiscard]] Amount available(NodeId id, CellId cell) const;
  /// The same if nothing were used.
  [[nodiscard]] Amount potentially_available(NodeId id, CellId cell) const;
  /// Quota of a cohort for each resource in all its flavors, if nothing were used.
  [[nodiscard]] const std::vector<Amount>& lendable(NodeId cohort) const { return account(cohort).lendable; }
  /// Whether usage exceeds quota, `more` included.
  [[nodiscard]] bool borrows(NodeId id, CellId cell, Amount more = Amount{}) const;
  /// Whether usage is within quota in all these cells.
  [[nodiscard]] bool is_within_quota(NodeId id, const std::vector<CellId>& cells) const;

  // --- use, in amounts that are not negative ---
  void add(NodeId queue, const Usage& usage);
  void remove(NodeId queue, const Usage& usage);

 private:
  struct Account {
    std::unordered_map<std::uint32_t, Quota> quotas = {};          // by cell
    std::unordered_map<std::uint32_t, Amount> subtree_quota = {};  // by cell
    std::unordered_map<std::uint32_t, Amount> usage = {};          // by cell
    std::vector<CellId> quota_cells = {};
    std::vector<Amount> lendable = {};
  };

  [[nodiscard]] const Account& account(NodeId id) const { return accounts_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] Account& account(NodeId id) { return accounts_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] Amount local_quota(NodeId id, CellId cell) const;
  void change(NodeId id, CellId cell, Amount amount, bool added);

  void take_quotas(NodeId id, const std::vector<ResourceGroup>& groups);
  void sum_up(NodeId id);
  void lend(NodeId id);

  CellIndex index_;
  std::vector<Account> accounts_;  // by node
};

}  // namespace stockout::kueue
