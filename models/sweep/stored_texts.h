#pragma once

#include <string>
#include <vector>

#include "models/sweep/design.h"
#include "models/sweep/store_file.h"

namespace stockout {

/// The texts in a store, of the sweep file and of the scenario, as far as a report tells of them. Throws
/// InputError, which names `path`, for texts that are none.
class StoredTexts {
 public:
  StoredTexts(const std::string& path, const StoreHead& head);

  [[nodiscard]] const std::string& question() const { return question_; }
  [[nodiscard]] const std::string& scenario_file() const { return scenario_file_; }
  [[nodiscard]] const std::string& scenario_name() const { return scenario_name_; }
  /// By parameter, what the scenario has in the first of its places, as compact JSON; empty: nothing.
  [[nodiscard]] const std::vector<std::string>& as_written() const { return as_written_; }
  /// By parameter, whether it is a decision: all its places are counts of reservations, or ones that `decide`
  /// of the scenario changes.
  [[nodiscard]] const std::vector<bool>& decides() const { return decides_; }
  /// Of everything random; empty where points differ in it.
  [[nodiscard]] const std::string& seed() const { return seed_; }

 private:
  void read_sweep_text(const StoreHead& head);
  void read_scenario_text(const StoreHead& head);

  std::string path_;
  Design design_;
  std::string question_;
  std::string scenario_file_;
  std::string scenario_name_;
  std::vector<std::string> as_written_;
  std::vector<bool> decides_;
  std::string seed_;
};

}  // namespace stockout
