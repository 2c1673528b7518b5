#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "models/scenario/format/placed_value.h"
#include "models/scenario/format/unknown.h"

namespace stockout {

/// One world of a set.
struct CalibratedWorld {
  std::string name;   // unique: "world 7"
  double weight = 0;  // against the others, above 0
  std::vector<PlacedValue> changes;
};

/// A place that worlds change.
struct WorldPlace {
  std::string pointer;
  std::string in;  // what it points into: `pool "h100 us-central1-a"`; empty: nothing that has a name
};

/// An unknown as a history leaves it, for people.
struct KnownNow {
  std::string name;
  std::string prior;   // "4 to 64"
  std::string median;  // of a choice: the likeliest
  std::string low;     // of the set that holds 95 % of the weight; empty for choices
  std::string high;
  std::string provenance;  // "fitted", or "assumed" where the history says nothing of it
  std::vector<WorldPlace> places = {};
};

/// The worlds that agree with a history, as a file: what `calibrate` writes, and others run.
struct WorldSet {
  std::string version;   // of the program that made it
  std::string scenario;  // its name
  std::string observed;  // the file of the history
  std::string strategy;  // under which it came about
  std::size_t runs = 0;  // that were simulated to find it
  double unlike = 0;     // Calibration::unlike
  std::vector<KnownNow> unknown;
  std::size_t typical = 0;  // the world nearest to the middle of all
  std::vector<CalibratedWorld> worlds;

  /// At most so many worlds that represent all, alike in weight: systematic resampling. A world that has
  /// more weight than one of them stands for is there once, with the weight of all that it stands for. Their
  /// weights add up to 1; in the order of the file.
  [[nodiscard]] std::vector<CalibratedWorld> representative(std::size_t most) const;
};

/// A set of worlds in which more of the figures of the history occur nowhere does not explain it.
inline constexpr double kMostUnlike = 0.1;

/// Agreement of worlds in words: "agree with waits.csv", or that they are only the nearest to it.
[[nodiscard]] std::string agreement_text(const WorldSet& set);

/// As JSON, with a last line break.
[[nodiscard]] std::string write_world_set(const WorldSet& set);

/// Reads what write_world_set() wrote; `file` names it in messages. Throws InputError with line and JSON
/// pointer.
[[nodiscard]] WorldSet parse_world_set(std::string_view text, const std::string& file);
[[nodiscard]] WorldSet read_world_set(const std::string& path);

/// Throws InputError, with the place in `file`, unless every world says one thing of each unknown of its
/// scenario, and changes nothing else. Of a scenario without unknowns, all worlds change the same places.
void check_places(const WorldSet& set, const std::vector<Unknown>& unknown, const std::string& file);

}  // namespace stockout
