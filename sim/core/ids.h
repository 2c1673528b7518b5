#pragma once

#include <cstdint>

namespace stockout {

/// The place of a named thing in its table. An empty enum class is the whole type: identifiers need no
/// arithmetic, and one kind never passes for another.
enum class SourceId : std::uint16_t {};
enum class ShapeId : std::uint32_t {};
enum class SpeedId : std::uint32_t {};
enum class ClassId : std::uint16_t {};
enum class UserId : std::uint32_t {};
enum class PoolId : std::uint16_t {};
enum class GpuTypeId : std::uint16_t {};
enum class MachineId : std::uint16_t {};
enum class PriceLineId : std::uint32_t {};

/// The index of an identifier in its table.
template <typename Id>
constexpr std::size_t index(Id id) {
  return static_cast<std::size_t>(id);
}

}  // namespace stockout
