#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <tuple>
#include <vector>

#include "models/orchestrators/slurm/slurm.h"
#include "tools/slurm_replay/power_plan.h"

namespace stockout::slurm {

/// Nodes that a replay powers up as its plan says.
class NodePower {
 public:
  /// `plan`: empty, or of each node; it must live on.
  NodePower(Slurm& slurm, const PowerPlan& plan)
      : slurm_{slurm}, plan_{plan}, asked_(slurm.configuration().nodes.size()) {}

  /// When a node next does something by itself.
  [[nodiscard]] std::optional<SimTime> next() const {
    return due_.empty() ? std::nullopt : std::optional{due_.top().at};
  }
  /// Nodes do what is due now.
  void act();
  /// Something happened to a node.
  void follow(const Event& event);

 private:
  enum class Kind : std::uint8_t { up, down, restored };
  // Void once the node has been asked again.
  struct Due {
    SimTime at{};
    NodeIndex node = 0;
    std::size_t asked = 0;
    Kind kind{};
    friend bool operator>(const Due& a, const Due& b) {
      return std::tuple{a.at, a.node} > std::tuple{b.at, b.node};
    }
  };

  [[nodiscard]] const PowerUp& current(NodeIndex node) const;
  void set(NodeIndex node, SimDuration after, Kind kind);

  Slurm& slurm_;
  const PowerPlan& plan_;
  std::vector<std::size_t> asked_;  // how often, by node
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
};

}  // namespace stockout::slurm
