#pragma once

#include <cstdint>
#include <vector>

#include "models/orchestrators/slurm/free_nodes.h"
#include "models/orchestrators/slurm/node_set.h"

namespace stockout::slurm {

/// Which of the nodes that would do a job gets, as select/cons_tres does without a topology. Nodes that stand
/// side by side in the configuration, with one weight, are a run. The lowest weight wins; then the smallest
/// run that is enough, else the largest. In the run the first nodes are taken. The last node that a job
/// needs is the one of the run on which the fewest CPUs stay free.
class Selector {
 public:
  /// Sets `chosen` to shape.nodes of the candidates, in the order of their numbers. There are enough
  /// candidates, and the shape fits on each of them.
  void choose(const NodeSet& candidates, const FreeNodes& free, const std::vector<std::int64_t>& weights,
              const Shape& shape, std::vector<NodeIndex>& chosen);

 private:
  struct Run {
    NodeIndex first = 0;
    NodeIndex last = 0;
    std::int64_t weight = 0;
    std::int64_t cpus = 0;
    std::int64_t nodes = 0;
  };
  // Still wanted.
  struct Rest {
    std::int64_t nodes = 0;
    std::int64_t cpus = 0;
  };

  void find_runs(const NodeSet& candidates, const FreeNodes& free, const std::vector<std::int64_t>& weights,
                 const Shape& shape);
  [[nodiscard]] Run* best_run(const Rest& rest);
  [[nodiscard]] static bool is_better(const Run& run, bool is_enough, const Run& best, bool best_is_enough);
  void take_from(const Run& run, const FreeNodes& free, const Shape& shape, Rest& rest,
                 std::vector<NodeIndex>& chosen);

  std::vector<Run> runs_;
};

}  // namespace stockout::slurm
