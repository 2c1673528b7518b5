#pragma once

#include <map>
#include <string>

#include "models/consumption/policy.h"
#include "models/scenario/format/node.h"

namespace stockout {

/// The consumption models as the scenario has them: the built-in rows, changed by `models`.
class PolicyRows {
 public:
  explicit PolicyRows(const Node& root);

  /// The row of that name, which must be one of policy_table().
  [[nodiscard]] const Policy& named(const std::string& name) const { return rows_.at(name); }

  /// The row a leg names, changed by the leg itself.
  [[nodiscard]] Policy of_leg(const Node& leg) const;

 private:
  std::map<std::string, Policy> rows_;
};

}  // namespace stockout
