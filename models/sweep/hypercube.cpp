#include "models/sweep/hypercube.h"

#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <boost/random/uniform_int_distribution.hpp>

#include "models/sweep/keys.h"
#include "sim/random/draw.h"

namespace stockout {
namespace {

// Which stratum each point lies in: Fisher-Yates.
std::vector<std::size_t> strata(std::uint64_t seed, std::size_t range, std::size_t points) {
  std::vector<std::size_t> order(points);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Draw draw{seed, 0, Purpose::design, range, 0};
  for (std::size_t left = points; left > 1; --left) {
    boost::random::uniform_int_distribution<std::size_t> pick{0, left - 1};
    std::swap(order[left - 1], order[pick(draw)]);
  }
  return order;
}

struct Bounds {
  double low = 0;
  double high = 0;
};

Bounds bounds_of(const Node& node) {
  const auto items = node.items();
  const Bounds bounds{.low = items[0].as_number(), .high = items[1].as_number()};
  if (!(bounds.low < bounds.high)) node.fail("must be two numbers, the lesser first");
  return bounds;
}

/// The values of a range, from 0 (its lower end) to 1 (not reached).
class RangeValues {
 public:
  RangeValues(const Parameter& parameter, const Node& node) : unit_{parameter.unit} {
    for (const char* key : {"linear", "log", "integer", "values"}) {
      if (node.has(key)) kind_ = key;
    }
    const Node given = node.at(kind_);
    for (const Node& item : given.items()) check_value(parameter, item);
    if (kind_ == "values") {
      for (const Node& item : given.items()) choices_.push_back(item.value());
      return;
    }
    bounds_ = bounds_of(given);
    if (kind_ == "log" && bounds_.low <= 0) given.fail("must be above 0: it is even in the logarithm");
    if (kind_ == "integer" &&
        (std::trunc(bounds_.low) != bounds_.low || std::trunc(bounds_.high) != bounds_.high))
      given.fail("must be whole numbers");
  }

  [[nodiscard]] JsonValue at(double share) const {
    if (kind_ == "values") return choices_[place(share, choices_.size())];
    const double width = bounds_.high - bounds_.low;
    if (kind_ == "integer") {
      const auto count = static_cast<std::size_t>(width) + 1;
      const auto low = static_cast<std::int64_t>(bounds_.low);
      return JsonValue{low + static_cast<std::int64_t>(place(share, count))};
    }
    const double number = kind_ == "linear"
                              ? bounds_.low + width * share
                              : bounds_.low * std::exp(std::log(bounds_.high / bounds_.low) * share);
    return JsonValue{whole_ms(std::min(number, bounds_.high))};
  }

 private:
  static std::size_t place(double share, std::size_t count) {
    return std::min(static_cast<std::size_t>(share * static_cast<double>(count)), count - 1);
  }

  // A duration is a whole number of milliseconds, and the column says what the scenario gets.
  [[nodiscard]] double whole_ms(double number) const {
    const auto unit = static_cast<double>(unit_.count());
    return unit_ == SimDuration::zero() ? number : std::round(number * unit) / unit;
  }

  SimDuration unit_;
  std::string kind_;
  Bounds bounds_;
  std::vector<JsonValue> choices_;
};

}  // namespace

DesignPart read_hypercube(const Node& node) {
  const auto points = static_cast<std::size_t>(node.integer("points"));
  const auto seed = static_cast<std::uint64_t>(node.integer("seed"));
  const auto ranges = node.list("ranges");
  if (static_cast<double>(points * ranges.size()) > kMostValuesOfAPart) {
    node.fail(fmt::format("has {} points of {} ranges: at most {:.0f} values are drawn", points,
                          ranges.size(), kMostValuesOfAPart));
  }
  DesignPart part;
  part.values.resize(points * ranges.size());
  for (std::size_t range = 0; range < ranges.size(); ++range) {
    part.parameters.push_back(read_parameter(ranges[range]));
    const RangeValues values{part.parameters.back(), ranges[range]};
    const auto stratum = strata(seed, range, points);
    for (std::size_t point = 0; point < points; ++point) {
      Draw draw{seed, 0, Purpose::design, range, point + 1};
      const double share =
          (static_cast<double>(stratum[point]) + uniform01(draw)) / static_cast<double>(points);
      part.values[point * ranges.size() + range] = values.at(share);
    }
  }
  return part;
}

}  // namespace stockout
