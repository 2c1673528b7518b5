#pragma once

#include <map>
#include <optional>
#include <string>

#include "models/catalog/catalog.h"
#include "models/catalog/validity.h"
#include "models/consumption/policy.h"
#include "models/scenario/format/node.h"

namespace stockout {

/// A number of tries, or "unlimited".
[[nodiscard]] Tries read_tries(const Node& node);

/// The consumption models as the scenario has them: the built-in rows, as an orchestrator changes them, then
/// as `models` does. The root and the catalogue must outlive it.
class PolicyRows {
 public:
  PolicyRows(const Node& root, const Catalog& catalog);

  /// The row of that name, which must be one of policy_table(), without an orchestrator.
  [[nodiscard]] const Policy& named(const std::string& name) const { return rows_.at(name); }

  /// The row a leg names under the orchestrator, if there is one, changed by `models` and the leg itself. An
  /// orchestrator that tries for ever does so in the last leg of a job: one that `is_followed` passes on at
  /// once. InputError where it leaves what the provider enforces, with the bound and its source.
  [[nodiscard]] Policy of_leg(const Node& leg, std::optional<OrchestratorName> orchestrator,
                              bool is_followed) const;

 private:
  [[nodiscard]] std::optional<Node> entry(std::string_view name) const;
  [[nodiscard]] Policy changed(Policy row) const;
  [[nodiscard]] Policy ruled(const std::string& model, OrchestratorName orchestrator, bool is_followed) const;
  [[nodiscard]] Node said(const Node& leg, std::string_view key) const;
  void check_bounds(const Policy& row, const Node& node) const;

  Node root_;
  const Catalog* catalog_;
  std::map<std::string, Policy> rows_;
};

}  // namespace stockout
