#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sim/stats/interval.h"

namespace stockout {

/// Difference of two forecasters' scores over a stretch of time of a zone.
struct ScoreBlock {
  double difference = 0;  // sum over the moments
  double moments = 0;
};

/// How many blocks go together at first, and how many at most; the latter is a power of two times the former.
struct BlockLengths {
  std::size_t least = 1;
  std::size_t most = 1;
};

/// Mean difference per moment over all zones, and its 95 % interval. Element i of `zones` are the blocks of
/// zone i, in time and of one length. The zones are taken as given and the days as drawn: each zone has its
/// own mean, about which its blocks vary. So the interval is for other days of these zones.
///
/// Blocks must be long enough to be independent: they are joined two by two while neighbours rise and fall
/// together (one-sided 5 %), as batch means are (A. M. Law: Simulation Modeling and Analysis, 9.5.3). The
/// degrees of freedom are Satterthwaite's (1946), so that a zone that alone varies counts alone. None, if a
/// zone has moments in one block only.
[[nodiscard]] std::optional<Estimate> mean_difference(std::span<const std::vector<ScoreBlock>> zones,
                                                      const BlockLengths& lengths);

}  // namespace stockout
