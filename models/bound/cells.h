#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "models/bound/lower_bound.h"

namespace stockout {

/// Time in cells that follow one another, from the first submission of the work to the horizon.
class Cells {
 public:
  /// A new cell wherever anything changes: a submission, a due time, a price, a capacity. Nothing if they
  /// would be more than `most`.
  [[nodiscard]] static std::optional<Cells> exact(const BoundMarket& market, const WorkToDo& work,
                                                  SimTime horizon, std::size_t most);

  /// `count` cells of equal length over the time in which jobs come and are due, and the rest as one.
  [[nodiscard]] static Cells equal(const WorkToDo& work, SimTime horizon, std::size_t count);

  [[nodiscard]] std::size_t size() const { return edges_.size() - 1; }
  [[nodiscard]] SimTime begin(std::size_t cell) const { return edges_[cell]; }
  [[nodiscard]] SimTime end(std::size_t cell) const { return edges_[cell + 1]; }
  /// The cell of a time; the last one for times after the horizon.
  [[nodiscard]] std::size_t at(SimTime time) const;
  /// Of equal cells their length; 0 for exact ones.
  [[nodiscard]] SimDuration length() const { return length_; }

 private:
  std::vector<SimTime> edges_;  // rising, at least two
  SimDuration length_{};
};

}  // namespace stockout
