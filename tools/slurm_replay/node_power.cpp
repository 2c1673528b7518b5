#include "tools/slurm_replay/node_power.h"

namespace stockout::slurm {
namespace {

// Slurm's thread for power saving looks each second at what is to be asked for.
constexpr SimDuration kPass = std::chrono::seconds{1};
constexpr std::size_t kMostAsked = 1000;  // then a node comes up in any case: every replay has an end

}  // namespace

const PowerUp& NodePower::current(NodeIndex node) const {
  static const PowerUp kAtOnce{.boot = SimDuration{}};
  if (node >= plan_.size() || plan_[node].empty() || asked_[node] > kMostAsked) return kAtOnce;
  return plan_[node][(asked_[node] - 1) % plan_[node].size()];
}

void NodePower::set(NodeIndex node, SimDuration after, Kind kind) {
  due_.push({.at = slurm_.now() + after, .node = node, .asked = asked_[node], .kind = kind});
}

void NodePower::follow(const Event& event) {
  const NodeIndex node = event.node;
  if (event.kind == Event::Kind::power_up) {
    ++asked_[node];
    const PowerUp& now = current(node);
    if (now.boot == SimDuration{}) {
      slurm_.node_is_up(node);
    } else if (now.boot) {
      set(node, kPass + *now.boot, Kind::up);
    } else if (now.down) {
      set(node, kPass + *now.down, Kind::down);
    }
  } else if (event.kind == Event::Kind::node_down && asked_[node] > 0) {
    if (const auto back = current(node).back) set(node, *back, Kind::restored);
  }
}

void NodePower::act() {
  while (!due_.empty() && due_.top().at <= slurm_.now()) {
    const Due due = due_.top();
    due_.pop();
    if (due.asked != asked_[due.node]) continue;
    if (due.kind == Kind::up) slurm_.node_is_up(due.node);
    if (due.kind == Kind::down) slurm_.node_is_down(due.node);
    if (due.kind == Kind::restored) slurm_.restore_node(due.node);
  }
}

}  // namespace stockout::slurm
