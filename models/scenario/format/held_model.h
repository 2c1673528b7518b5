#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace stockout {

/// Ways of holding capacity; each is also a row of the policy table.
enum class HeldModel : std::uint8_t {
  reservation,
  calendar,
  future_reservation,
  persistent_resource,
  node_pool,
  slurm_nodes
};
inline constexpr std::array<std::string_view, 6> kHeldModelNames{
    "reservation", "calendar", "future_reservation", "persistent_resource", "node_pool", "slurm_nodes"};

/// Whether it grows and shrinks with the jobs that wait.
[[nodiscard]] constexpr bool is_elastic(HeldModel model) {
  return model == HeldModel::persistent_resource || model == HeldModel::node_pool ||
         model == HeldModel::slurm_nodes;
}

}  // namespace stockout
