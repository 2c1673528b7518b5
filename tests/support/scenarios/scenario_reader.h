#pragma once

#include <string>

#include "models/scenario/draft/scenario_cache.h"
#include "models/scenario/scenario.h"
#include "tests/support/scenarios/random_scenario.h"

namespace stockout::test {

/// Reads scenario files of tests with the program's own reader, beside the files that random scenarios name.
class ScenarioReader {
 public:
  /// `folder` is there, and is given those files.
  explicit ScenarioReader(const std::string& folder);

  /// Throws what the reader throws.
  [[nodiscard]] Scenario read(const Json& file);

  [[nodiscard]] const Catalog& catalog() const { return catalog_; }

 private:
  std::string path_;
  Catalog catalog_ = Catalog::embedded();
  ScenarioCache cache_;
};

/// Fate of a file.
struct FileVerdict {
  enum class What : std::uint8_t {
    agrees,   // it was read, and both implementations agree under every strategy
    refused,  // the reader says what is wrong with it
    fails,    // anything else
  };
  What what = What::agrees;
  std::string text;  // refused: the message; fails: what differs, or what was thrown
};

/// Reads the file and runs it both ways under every strategy, in replication 0, 1 or 2 according to its seed.
[[nodiscard]] FileVerdict verdict_on(ScenarioReader& reader, const Json& file);

}  // namespace stockout::test
