#pragma once

#include <string>
#include <vector>

#include "models/consumption/strategy.h"
#include "models/scenario/draft/draft.h"

namespace stockout {

/// Where and with which machines a leg may serve each shape.
class CandidateFinder {
 public:
  /// `leg` is the node for messages; `pools` are asked in this order, zone or held. `machine` is what the leg
  /// insists on, or empty; `gpus` the GPU types it is limited to, or empty.
  CandidateFinder(Draft& draft, const Node& node, const Leg& leg, std::vector<PoolId> pools,
                  std::string machine, std::vector<std::string> gpus);

  /// By ShapeId. Shapes that only classes have which the leg is not open to get none, nor do
  /// those with fewer nodes than asked for in a leg without a flavor of Kueue. Throws InputError if a
  /// shape insists on a machine that the model does not sell, or if a price is not known.
  [[nodiscard]] std::vector<std::vector<Candidate>> all();

 private:
  struct NodeMachine {
    MachineId machine{};
    bool found = false;
  };

  [[nodiscard]] std::vector<Candidate> of_shape(const Shape& shape);
  [[nodiscard]] bool suits(const Shape& shape, PoolId pool) const;
  [[nodiscard]] NodeMachine machine_for(const Shape& shape, PoolId pool, std::int32_t gpus);
  [[nodiscard]] bool has_memory(const Shape& shape, const MachineType& machine);
  [[nodiscard]] bool add_machines(Candidate& candidate, const Shape& shape);
  [[nodiscard]] bool with_fee() const { return leg_.orchestrator == OrchestratorName::vertex; }
  void set_rate(Candidate& candidate, const Shape& shape);
  [[nodiscard]] bool add_part(Candidate& candidate, const Shape& shape, std::int32_t nodes,
                              std::int32_t gpus);

  Draft& draft_;
  const Node& node_;
  const Leg& leg_;
  std::vector<PoolId> pools_;
  std::string machine_;
  std::vector<std::string> gpus_;
};

}  // namespace stockout
