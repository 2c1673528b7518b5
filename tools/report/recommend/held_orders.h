#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/catalog/types.h"
#include "tools/report/recommend/answer.h"

namespace stockout {

/// Held capacity of the best purchase, with all that an order of it says.
struct HeldOrder {
  enum class Kind { reservation, calendar, future_reservation, persistent_resource, node_pool, slurm_nodes };

  Kind kind = Kind::reservation;
  std::string name;  // as Compute Engine takes it, unique among the orders
  std::string zone;
  std::string region;
  MachineType machine;
  std::string accelerator;                             // "nvidia-h100-80gb"; empty: none, or no such name
  std::string accelerator_of_vertex;                   // "NVIDIA_H100_80GB"
  std::int64_t machines = 0;                           // of what grows and shrinks: the most
  std::int64_t least = 0;                              // of what grows and shrinks
  LeaseClass lease_class = LeaseClass::on_demand;      // of the machines of a node pool
  std::optional<std::chrono::sys_seconds> from = {};   // of what is booked, UTC
  std::optional<std::chrono::sys_seconds> until = {};  // of what is booked, UTC
  std::optional<int> years = {};                       // of its commitment ...
  std::string commitment_type = {};                    // ... "accelerator-optimized"; empty: has no command
  std::vector<std::string> remarks = {};               // what no command says

  /// Of "n1-standard-4+t4" the machine to which GPUs are attached: "n1-standard-4".
  [[nodiscard]] std::string machine_type() const { return machine.name.substr(0, machine.name.find('+')); }
  [[nodiscard]] bool has_attached_gpus() const { return machine.name.find('+') != std::string::npos; }

  // Of all machines.
  [[nodiscard]] std::int64_t gpus() const { return machines * machine.gpus.count(); }
  [[nodiscard]] std::int64_t vcpus() const { return machines * machine.vcpus; }
  [[nodiscard]] std::int64_t memory_mb() const;
};

/// In the order of the strategy. None where nothing is held, or nothing is recommended.
[[nodiscard]] std::vector<HeldOrder> held_orders(const RecommendationReport& report);

/// "2026-08-03T00:00:00Z".
[[nodiscard]] std::string order_time(std::chrono::sys_seconds at);

}  // namespace stockout
