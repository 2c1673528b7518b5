#include "models/scenario/buying/kueue_partial.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "models/scenario/buying/some_jobs.h"
#include "models/scenario/format/fill.h"

namespace stockout {
namespace {

constexpr std::size_t kMostReduced = 20'000;

PartialAdmission read_entry(const Draft& draft, const Node& node) {
  PartialAdmission entry{.jobs = read_some_jobs(draft, node)};
  fill(entry, node);
  if (node.has("min_share"))
    entry.min_share_ppm = static_cast<std::int32_t>(std::llround(node.number("min_share") * 1e6));
  return entry;
}

bool may_take(const PartialAdmission& entry, std::size_t job_class) {
  return entry.jobs.classes.empty() || entry.jobs.classes[job_class];
}

// The fewest nodes of a shape that any of its jobs may get.
std::int32_t fewest_nodes(const Draft& draft, const KueueCluster& cluster, std::size_t shape) {
  const Shape& asked = draft.scenario.world.shapes[shape];
  std::int32_t fewest = asked.nodes;
  if (asked.tail_gpus > 0) return fewest;
  for (const PartialAdmission& entry : cluster.partial) {
    const std::vector<bool>& classes = draft.shape_classes[shape];
    for (std::size_t i = 0; i < classes.size(); ++i) {
      if (classes[i] && may_take(entry, i)) fewest = std::min(fewest, entry.least_of(asked.nodes));
    }
  }
  return fewest;
}

void add_reduced(Draft& draft, const Node& list, KueueCluster& cluster, std::size_t shape) {
  const Shape asked = draft.world().shapes[shape];
  for (std::int32_t nodes = fewest_nodes(draft, cluster, shape); nodes < asked.nodes; ++nodes) {
    if (cluster.reduced.size() == kMostReduced) {
      list.fail(
          fmt::format("jobs may be admitted in more than {} sizes: raise the smallest "
                      "\"min_count\" or \"min_share\"",
                      kMostReduced));
    }
    const ShapeId next{static_cast<std::uint32_t>(draft.world().shapes.size())};
    cluster.reduced[{ShapeId{static_cast<std::uint32_t>(shape)}, nodes}] = next;
    Shape reduced = asked;
    reduced.nodes = nodes;
    reduced.of_nodes = asked.nodes;
    draft.world().shapes.push_back(reduced);
    std::vector<bool> classes = draft.shape_classes[shape];
    draft.shape_classes.push_back(std::move(classes));
  }
}

}  // namespace

void read_partial_admission(Draft& draft, const Node& kueue) {
  if (!kueue.has("partial_admission")) return;
  KueueCluster& cluster = *draft.world().kueue;
  const Node list = kueue.at("partial_admission");
  for (const Node& node : list.items()) cluster.partial.push_back(read_entry(draft, node));
  const std::size_t shapes = draft.world().shapes.size();
  for (std::size_t shape = 0; shape < shapes; ++shape) add_reduced(draft, list, cluster, shape);
  if (cluster.reduced.empty()) {
    draft.warn("kueue: \"partial_admission\" has no effect: the jobs that it takes need all their pods");
  } else {
    draft.assume(
        "Kueue: a job that is admitted with fewer pods holds as many nodes, and works in proportion to them");
  }
}

}  // namespace stockout
