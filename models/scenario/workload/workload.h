#pragma once

#include <string>

#include "models/scenario/draft/draft.h"

namespace stockout {

// What the parts of build_workload() have in common.

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

/// Classes of the table, then all sources but tenants; also the window, if it follows from the traces.
void build_workload(Draft& draft);

}  // namespace stockout
