#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "models/catalog/validity.h"
#include "models/consumption/policy.h"

namespace stockout {

/// How far a scenario may leave a rule.
enum class RuleKind : std::uint8_t {
  usual,     // a default of what the user sets
  own,       // the orchestrator's own doing: more of it would be somebody's script, which is warned of
  enforced,  // the provider refuses more
};
inline constexpr std::array<std::string_view, 3> kRuleKindNames{"usual", "own", "enforced"};

/// A field of a Policy and its value.
template <typename Value>
struct FieldValue {
  Value Policy::*field;
  Value value;
};

/// Value that a rule sets.
struct RuleValue {
  std::string_view key;  // of a scenario: "retries"
  std::variant<FieldValue<Tries>, FieldValue<std::optional<Tries>>, FieldValue<SimDuration>> field;
};

/// Where a rule comes from.
struct Evidence {
  std::string_view confidence;  // as of a price
  std::string_view source;      // key into Catalog::sources()
  std::string_view note = {};   // what a reader must know
};

/// Rule of an orchestrator for one field of a consumption model.
struct OrchestratorRule {
  OrchestratorName orchestrator = OrchestratorName::vertex;
  std::string_view model;  // of policy_table(); empty: all
  RuleValue sets;
  RuleKind kind = RuleKind::usual;
  Evidence from;

  [[nodiscard]] bool is_about(OrchestratorName name, std::string_view row) const {
    return orchestrator == name && (model.empty() || model == row);
  }
};

/// Whose rules hold for a leg without an orchestrator: the rows of policy_table() are its.
inline constexpr OrchestratorName kRulesByDefault = OrchestratorName::vertex;

/// How people call them: "Vertex AI".
[[nodiscard]] std::string_view title_of(OrchestratorName orchestrator);

/// Every rule, by orchestrator and model.
[[nodiscard]] std::span<const OrchestratorRule> orchestrator_rules();

/// The row of a model as the orchestrator has it, its enforced bounds included.
[[nodiscard]] Policy under(OrchestratorName orchestrator, Policy row);

/// Whether the row asks for more than the rule has.
[[nodiscard]] bool exceeds(const Policy& row, const OrchestratorRule& rule);

/// The rule's value as a scenario would write it: "3", "unlimited", "5min".
[[nodiscard]] std::string value_text(const OrchestratorRule& rule);

}  // namespace stockout
