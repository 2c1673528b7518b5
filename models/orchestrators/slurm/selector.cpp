#include "models/orchestrators/slurm/selector.h"

#include <algorithm>

#include "sim/core/check.h"

namespace stockout::slurm {

void Selector::find_runs(const NodeSet& candidates, const FreeNodes& free,
                         const std::vector<std::int64_t>& weights, const Shape& shape) {
  runs_.clear();
  candidates.for_each([&](NodeIndex node) {
    const bool joins =
        !runs_.empty() && runs_.back().last + 1 == node && runs_.back().weight == weights[node];
    if (!joins) runs_.push_back({.first = node, .weight = weights[node]});
    Run& run = runs_.back();
    run.last = node;
    run.cpus += free.usable_cpus(node, shape);
    ++run.nodes;
  });
}

bool Selector::is_better(const Run& run, bool is_enough, const Run& best, bool best_is_enough) {
  if (run.weight != best.weight) return run.weight < best.weight;
  if (is_enough) return !best_is_enough || run.cpus < best.cpus;
  return run.cpus > best.cpus;
}

Selector::Run* Selector::best_run(const Rest& rest) {
  Run* best = nullptr;
  bool best_is_enough = false;
  for (Run& run : runs_) {
    if (run.nodes == 0) continue;
    const bool is_enough = run.cpus >= rest.cpus && run.nodes >= rest.nodes;
    if (best != nullptr && !is_better(run, is_enough, *best, best_is_enough)) continue;
    best = &run;
    best_is_enough = is_enough;
  }
  return best;
}

void Selector::take_from(const Run& run, const FreeNodes& free, const Shape& shape, Rest& rest,
                         std::vector<NodeIndex>& chosen) {
  NodeIndex first = run.first;
  if (rest.nodes <= 1) {
    std::int64_t least = 0;
    for (NodeIndex node = run.first; node <= run.last; ++node) {
      const std::int64_t cpus = free.usable_cpus(node, shape);
      if (cpus < rest.cpus || (least > 0 && cpus >= least)) continue;
      first = node;
      least = cpus;
    }
  }
  for (NodeIndex node = first; node <= run.last && rest.nodes > 0; ++node) {
    chosen.push_back(node);
    --rest.nodes;
    rest.cpus -= free.usable_cpus(node, shape);
  }
}

void Selector::choose(const NodeSet& candidates, const FreeNodes& free,
                      const std::vector<std::int64_t>& weights, const Shape& shape,
                      std::vector<NodeIndex>& chosen) {
  chosen.clear();
  find_runs(candidates, free, weights, shape);
  Rest rest{.nodes = shape.nodes, .cpus = std::int64_t{shape.nodes} * shape.least_cpus()};
  while (rest.nodes > 0) {
    Run* run = best_run(rest);
    STOCKOUT_CHECK(run != nullptr);
    take_from(*run, free, shape, rest, chosen);
    run->nodes = 0;
  }
  std::sort(chosen.begin(), chosen.end());
}

}  // namespace stockout::slurm
