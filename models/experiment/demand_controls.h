#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/world/world.h"
#include "sim/stats/controlled.h"

namespace stockout {

/// Something drawn whose expectation is known.
struct Control {
  std::string name;     // "jobs", "work"
  std::string unit;     // "jobs", "GPU-h"
  double expected = 0;  // in a replication
};

/// Expected demand of a world, before anything is drawn: how many jobs its sources of Poisson arrivals bring,
/// and how much work in GPU-hours; of the planner's in the window, of tenants from the start of the warm-up
/// to the end of the window. Sources together, so that there are at most four controls, whatever the
/// scenario. Schedules, traces and resampled traces are no controls; with a `grid`, which floors what is
/// drawn, there is none. What is rounded to the millisecond is taken as if it were not.
class DemandControls {
 public:
  explicit DemandControls(const World& world);

  [[nodiscard]] const std::vector<Control>& controls() const { return controls_; }

  /// Drawn demand of a replication less the expected one, as a share of that.
  [[nodiscard]] Surplus surplus(std::uint64_t replication) const;

 private:
  /// The sources that are tenants', or those that are not.
  struct Side {
    SimTime from{};
    std::vector<SourceId> sources;
    double jobs = 0;       // expected
    double gpu_hours = 0;  // expected
  };

  void add_side(bool tenants);

  const World& world_;
  std::vector<Side> sides_;
  std::vector<Control> controls_;
};

}  // namespace stockout
