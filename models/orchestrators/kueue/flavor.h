#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace stockout::kueue {

/// A mark that keeps pods off the nodes of a flavor. Effects: NoSchedule and NoExecute count,
/// PreferNoSchedule does not.
struct Taint {
  std::string key;
  std::string value = {};
  std::string effect = "NoSchedule";
};

/// A right of pods to nodes with a taint. An empty key with "Exists" tolerates all; an empty effect, every
/// effect.
struct Toleration {
  std::string key;
  std::string op = "Equal";  // or "Exists"
  std::string value = {};
  std::string effect = {};
};

using Labels = std::map<std::string, std::string>;

/// A condition on a label of a node: In, NotIn, Exists, DoesNotExist, Gt, Lt, as in Kubernetes.
struct LabelCondition {
  std::string key;
  std::string op;
  std::vector<std::string> values = {};
};

/// Which nodes a pod may go to. `terms` is the required node affinity: one term must hold, all conditions of
/// it.
struct NodeDemand {
  Labels selector = {};
  std::vector<std::vector<LabelCondition>> terms = {};
  std::vector<Toleration> tolerations = {};
};

/// A kind of nodes that quota is given out for: the reservation, DWS Flex Start, Spot.
struct ResourceFlavor {
  std::string name;
  Labels labels = {};
  std::vector<Taint> taints = {};
  std::vector<Toleration> tolerations = {};  // that pods get with the flavor
};

/// Whether pods with this demand can use the flavor. Of selector and affinity only labels that the flavor
/// itself has are looked at.
[[nodiscard]] bool admits(const ResourceFlavor& flavor, const NodeDemand& demand);

/// The demand as text: the same for equal demands, another for others.
[[nodiscard]] std::string describe(const NodeDemand& demand);

}  // namespace stockout::kueue
