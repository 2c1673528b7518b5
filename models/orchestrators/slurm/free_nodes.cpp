#include "models/orchestrators/slurm/free_nodes.h"

#include "sim/core/check.h"

namespace stockout::slurm {
namespace {

int cpus_of(const Shape& shape, const Node& node) { return shape.whole ? node.cpus : shape.least_cpus(); }
int gpus_of(const Shape& shape, const Node& node) { return shape.whole ? node.gpus : shape.gpus; }

}  // namespace

FreeNodes::FreeNodes(const std::vector<Node>& nodes) : idle_{nodes.size()}, open_{nodes.size()} {
  for (NodeIndex i = 0; i < nodes.size(); ++i) {
    cpus_.push_back(nodes[i].cpus);
    gpus_.push_back(nodes[i].gpus);
    jobs_.push_back(0);
    idle_.insert(i);
    open_.insert(i);
  }
}

void FreeNodes::take(const std::vector<NodeIndex>& nodes, const Shape& shape, const std::vector<Node>& all) {
  for (const NodeIndex node : nodes) {
    cpus_[node] -= cpus_of(shape, all[node]);
    gpus_[node] -= gpus_of(shape, all[node]);
    STOCKOUT_CHECK(cpus_[node] >= 0 && gpus_[node] >= 0);
    ++jobs_[node];
    idle_.erase(node);
    if (cpus_[node] == 0) open_.erase(node);
  }
}

void FreeNodes::give(const std::vector<NodeIndex>& nodes, const Shape& shape, const std::vector<Node>& all) {
  for (const NodeIndex node : nodes) give(node, shape, all[node]);
}

void FreeNodes::give(NodeIndex node, const Shape& shape, const Node& has) {
  cpus_[node] += cpus_of(shape, has);
  gpus_[node] += gpus_of(shape, has);
  STOCKOUT_CHECK(cpus_[node] <= has.cpus && gpus_[node] <= has.gpus);
  open_.insert(node);
  if (--jobs_[node] == 0) idle_.insert(node);
}

void FreeNodes::select(const NodeSet& among, const Shape& shape, NodeSet& fitting) const {
  fitting = among;
  fitting &= shape.whole ? idle_ : open_;
  fitting.for_each([&](NodeIndex node) {
    if (!fits(node, shape)) fitting.erase(node);
  });
}

}  // namespace stockout::slurm
