#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/scenario/format/node.h"
#include "models/sweep/parameter.h"

namespace stockout {

/// One part of a design: rows of values for some parameters.
struct DesignPart {
  std::vector<Parameter> parameters;  // at least one
  std::vector<JsonValue> values;      // row after row, as many in each as there are parameters

  [[nodiscard]] std::size_t rows() const { return values.size() / parameters.size(); }
};

/// The points of a sweep, numbered from 0: all combinations of the rows of its parts. The last part changes
/// fastest.
class Design {
 public:
  /// Reads `vary`. Throws InputError for bounds that make no range, rows of the wrong length, too many
  /// points, and columns or places that come twice.
  static Design read(const Node& vary);

  [[nodiscard]] std::size_t points() const { return points_; }
  /// Of all parts, in the order of the columns.
  [[nodiscard]] const std::vector<Parameter>& parameters() const { return parameters_; }
  /// By parameter. Valid as long as the design.
  [[nodiscard]] std::vector<const JsonValue*> values(std::size_t point) const;
  /// Values that the point puts into the scenario.
  [[nodiscard]] std::vector<PlacedValue> placed(std::size_t point) const;

 private:
  void add(const Node& vary, DesignPart part);

  std::vector<DesignPart> parts_;
  std::vector<Parameter> parameters_;
  std::size_t points_ = 1;
};

}  // namespace stockout
