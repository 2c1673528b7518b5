#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "models/scenario/draft/draft.h"

namespace stockout {

// Parts of build_workload().

inline constexpr std::size_t kHoursOfDay = 24;
inline constexpr std::size_t kHoursOfWeek = 7 * kHoursOfDay;

/// Terms of one item of `workload`, beside when its jobs come.
struct SourceTerms {
  Node node;
  std::string name;
  std::string machine;  // empty: none named
  std::string gpu;      // GPU type, of the machine if one is named; empty: any. With speeds: the reference
  SpeedId speed{};      // in the world's table
};

/// Whether a source or class says how its jobs run on and who goes first, beside what they ask for.
[[nodiscard]] inline bool describes_jobs(const Node& node) {
  return node.has("checkpoint") || node.has("exits") || node.has("parallel") || node.has("priority");
}

/// Reads the file, makes its jobs columns.
[[nodiscard]] TraceDemand build_trace(Draft& draft, const SourceTerms& source);

/// The last submission of a trace's demand, resampled or not; 1 ms later is the end of the default window.
[[nodiscard]] SimTime last_submit(const TraceDemand& demand);

/// Leaves out jobs outside the window, with a warning. Needs the window.
void cut_to_window(Draft& draft, const SourceTerms& source, TraceDemand& demand);

/// Poisson, schedule or steps of pipelines. Needs the window.
[[nodiscard]] SyntheticDemand build_synthetic(Draft& draft, const SourceTerms& source);

/// The sources that follow one another: which steps of which pipelines their jobs are. `terms`: of all
/// sources, which the world has by now.
void build_pipelines(Draft& draft, std::span<const SourceTerms> terms);

/// The sources that are with one another: which sets their jobs are in. After build_pipelines().
void build_job_sets(Draft& draft, std::span<const SourceTerms> terms);

/// Multiplier of a source's demand: its own key `demand` and the scenario's. Says so among the assumptions.
/// Needs the window.
[[nodiscard]] DemandFactor build_demand_factor(Draft& draft, const SourceTerms& source);

/// 00:00 local of the week's Monday at the start: where hour 0 of a weekly profile lies.
[[nodiscard]] SimTime first_monday(const Calendar& calendar);

/// How far clocks are ahead of those at the start, between two instants: empty if they never change.
[[nodiscard]] std::vector<ClockShift> clock_shifts(const Calendar& calendar, SimTime from, SimTime to);

/// Whether the jobs run on the GPU types that their speeds list, whatever machine the source names.
[[nodiscard]] inline bool runs_by_list(const Draft& draft, const SourceTerms& source) {
  return !draft.scenario.world.speeds[index(source.speed)].gpus.empty();
}

/// Words around a name in a message about it: where in a file that the node names it stands, and a sentence
/// on what to write.
struct SaidOfName {
  std::string in = {};
  std::string cure = {};
};

/// Throws unless the cloud has the GPU type.
void check_gpu(const Draft& draft, const Node& node, const std::string& gpu, const SaidOfName& said = {});
/// The machine of that name; throws if there is none.
[[nodiscard]] MachineId find_machine(const Draft& draft, const Node& node, const std::string& name,
                                     const SaidOfName& said = {});

}  // namespace stockout
