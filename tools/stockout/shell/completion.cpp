#include "tools/stockout/shell/completion.h"

#include <algorithm>
#include <array>

namespace stockout {

Completes offer_of(const OptionShape& option) {
  if (!option.choices().empty()) return Completes::choices;
  constexpr std::array<std::string_view, 2> kJson{"SCENARIO", "SWEEP"};
  if (std::ranges::find(kJson, option.names.front()) != kJson.end()) return Completes::json_files;
  if (option.names.front().front() != '-') return Completes::files;
  if (option.value == "FOLDER") return Completes::folders;
  if (option.value == "STRATEGY") return Completes::strategies;
  return option.value == "FILE" || option.value == "TEXT" ? Completes::files : Completes::nothing;
}

}  // namespace stockout
