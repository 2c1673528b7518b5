#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "models/orchestrators/orchestrator.h"
#include "models/world/world.h"

namespace stockout {

/// Pipelines: graphs of jobs that come together, of which a step begins once those before it have completed.
/// Where one did not complete, the steps after it are skipped, as Vertex AI Pipelines have it.
class Pipelines final : public Orchestrator {
 public:
  explicit Pipelines(const std::vector<Source>& sources);

  [[nodiscard]] bool concerns(const JobView& job) const override;
  [[nodiscard]] bool may_begin(const JobView& job, Clerk& clerk) override;
  void heard(const News& news, Clerk& clerk) override;
  void check() const override;

 private:
  // A step of a graph. Numbers are those of steps in their graph.
  struct Step {
    std::vector<std::size_t> before;
    bool begins_anyway = false;
  };
  struct Graph {
    bool by_group = false;
    bool ends_with_failure = false;
    std::vector<Step> steps;  // the first begins the pipeline
  };
  // Where the jobs of a source belong.
  struct Place {
    std::size_t graph = 0;
    std::size_t step = 0;
  };
  // The jobs of one step of one pipeline: one, save of a first step that is a group.
  struct Jobs {
    std::uint32_t came = 0;
    std::uint32_t final = 0;
    std::uint32_t completed = 0;
    std::optional<Ticket> held;
    [[nodiscard]] bool is_over() const { return came > 0 && final == came; }
    [[nodiscard]] bool has_failed() const { return completed < final; }  // or was skipped
  };
  using Pipeline = std::vector<Jobs>;  // by step
  using Instances = std::unordered_map<std::uint64_t, Pipeline>;

  [[nodiscard]] Instances::iterator find(const Job& job);
  void look_at(const Graph& graph, Pipeline& pipeline, std::size_t step, Clerk& clerk) const;

  std::vector<Graph> graphs_;
  std::vector<std::optional<Place>> places_;  // by source
  std::vector<Instances> open_;               // by graph
};

}  // namespace stockout
