#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/measures/wait_goal.h"
#include "models/sweep/design.h"
#include "models/sweep/store_file.h"
#include "sim/io/json_value.h"

namespace stockout {

/// The goal of the points of a store, by the texts in it: that of the scenario, with what the sweep puts in
/// its place. Throws InputError, which names `path`, for texts that are none.
class StoredGoal {
 public:
  StoredGoal(const std::string& path, const StoreHead& head);

  [[nodiscard]] std::optional<WaitGoal> at(std::size_t point) const;
  [[nodiscard]] bool varies() const { return varies_; }
  /// Of the scenario as written, in words; empty without one.
  [[nodiscard]] const std::string& text() const { return text_; }

  [[nodiscard]] const std::string& question() const { return question_; }
  [[nodiscard]] const std::string& scenario_file() const { return scenario_file_; }
  [[nodiscard]] const std::string& scenario_name() const { return scenario_name_; }
  /// By parameter, what the scenario has in the first of its places, as compact JSON; empty: nothing.
  [[nodiscard]] const std::vector<std::string>& as_written() const { return as_written_; }
  /// Of everything random; empty where points differ in it.
  [[nodiscard]] const std::string& seed() const { return seed_; }

 private:
  void read_sweep_text(const StoreHead& head);
  void read_scenario_text(const StoreHead& head);
  [[nodiscard]] std::optional<WaitGoal> goal_with(const std::vector<PlacedValue>& placed) const;

  std::string path_;
  Design design_;
  JsonValue goal_only_;  // the scenario with nothing but its goal
  bool varies_ = false;
  std::optional<WaitGoal> goal_;
  std::string text_;
  std::string question_;
  std::string scenario_file_;
  std::string scenario_name_;
  std::vector<std::string> as_written_;
  std::string seed_;
};

}  // namespace stockout
