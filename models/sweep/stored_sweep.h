#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/experiment/verdict.h"
#include "models/measures/measure_table.h"
#include "models/sweep/store_file.h"

namespace stockout {

/// Measures that are read of a strategy at a point; the store has the other measures too.
inline constexpr std::array kReadMeasures{Measure::cost,           Measure::wait_p95,
                                          Measure::goal_met_share, Measure::wait_p50,
                                          Measure::wait_mean,      Measure::never_started_share,
                                          Measure::work_done_share};

/// A mean over the replications of a point.
struct StoredMean {
  double mean = 0;
  std::optional<double> half_width;  // of its 95 % interval; none: not known
  bool at_least = false;             // it is longer than the mean says
};

/// A strategy at a point.
struct StoredResult {
  std::size_t replications = 0;     // 1, or a round of worlds: it draws nothing, or so many were asked for
  bool drew = false;                // chance had a part in its runs
  std::string never_ran;            // classes of which jobs came and none ever started; empty: none
  std::optional<std::size_t> rank;  // from 1, by cost of those that qualify at the point; none: it does not
  std::string goals_missed;         // with how far they are met; empty: none
  std::array<std::optional<StoredMean>, kReadMeasures.size()> means;

  /// Of one of kReadMeasures; none: the measure is absent there.
  [[nodiscard]] const std::optional<StoredMean>& operator[](Measure measure) const;
};

/// A value of something that is varied.
struct AxisValue {
  std::string text;              // for people: "0.5", "us-central1-a"; long ones are cut
  std::optional<double> number;  // if it is one
};

/// Something that is varied, with all values that the points of the store have of it: numbers ascending,
/// before all others; the others in the order of the points.
struct SweepAxis {
  std::string name;          // the store's column, with its unit at the end where it has one
  std::string pointers;      // into the scenario, with a space between them
  std::string as_written;    // what the scenario has in the first of these places; empty: nothing
  bool is_decision = false;  // what the planner decides, and not what is given
  std::vector<AxisValue> values;

  /// Whether all its values are numbers.
  [[nodiscard]] bool is_number() const;
};

struct StoredPoint {
  std::size_t number = 0;
  std::vector<std::uint32_t> at;                     // by axis: place in its values
  std::vector<std::optional<StoredResult>> results;  // by strategy; none: the point has no such strategy
  std::string goals;                                 // that it is judged by, in words; empty: none
  Verdict::Kind verdict{};
};

struct UnsolvedPoint {
  std::size_t number = 0;
  std::vector<std::uint32_t> at;
  std::string error;
};

/// The store of a sweep as it is now, in memory.
struct StoredSweep {
  StoreHead head;
  std::vector<InputStamp> inputs;
  std::string question;
  std::string scenario_file;  // as the sweep file names it
  std::string scenario_name;
  std::string seed;             // "7"; empty: it is varied
  std::string goal_text;        // "95 % of jobs start within 4h and complete", by semicolons; empty: no goal
  bool goal_varies = false;     // then goal_text is that of the first point
  std::vector<SweepAxis> axes;  // all that is varied
  std::vector<std::string> strategies;  // names, in the order of the first point that has them
  std::vector<StoredPoint> points;      // that are done, by number
  std::vector<UnsolvedPoint> failed;    // by number

  /// "the goal", or "all goals" where there are several.
  [[nodiscard]] std::string_view goal_words() const;

  /// Neither done nor failed, of the whole sweep or of the shard.
  [[nodiscard]] std::size_t missing() const;
};

// What is held in memory at a time: beyond it a store is for SQL, and not for a report.
inline constexpr std::size_t kMostStoredRows = 1'000'000;     // points times strategies
inline constexpr std::size_t kMostStoredValues = 20'000'000;  // points times what is varied

/// Reads a store, of a sweep that is finished or not, or of a shard. The file may have been changed by
/// anybody: throws InputError for one that is none, that is damaged, of another layout, or larger than the
/// bounds above.
[[nodiscard]] StoredSweep read_stored_sweep(const std::string& path);

}  // namespace stockout
