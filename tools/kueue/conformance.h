#pragma once

#include <string>
#include <vector>

#include "sim/io/json_value.h"

namespace stockout::kueue {

/// `malformed`: it is no case.
enum class Verdict : std::uint8_t { passed, failed, not_modelled, malformed };

/// Result of one case.
struct CaseResult {
  std::string id;
  std::string kind;
  std::vector<std::string> features;  // the tags of the file
  Verdict verdict = Verdict::passed;
  std::vector<std::string> notes =
      {};  // what differs, why it is not modelled, or what is wrong with it, and where
};

/// Runs every case of a file of recorded Kueue decisions ("stockout-conformance-kueue/1"), also after one
/// that is malformed. Throws InputError for a file that is none, with the place in it.
[[nodiscard]] std::vector<CaseResult> run_conformance(const JsonValue& root, const std::string& file);

}  // namespace stockout::kueue
