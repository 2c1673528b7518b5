#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/ids.h"
#include "sim/core/quantity.h"

namespace stockout {

/// How a machine is bought, the column of a price list; and last what an orchestrator takes on top.
enum class PriceModel : std::uint8_t {
  on_demand,
  spot,
  flex_start,
  calendar,
  cud_1y,
  cud_3y,
  management_fee,  // Vertex AI's, a share of the on-demand price: no list has it
};
inline constexpr std::array<std::string_view, 7> kPriceModelNames{
    "on_demand", "spot", "flex_start", "calendar", "cud_1y", "cud_3y", "management_fee"};
static_assert(kPriceModelNames.size() == static_cast<std::size_t>(PriceModel::management_fee) + 1);
/// The names of the ways to buy a machine, by PriceModel: all but the fee.
inline constexpr std::span kWaysToBuy = std::span{kPriceModelNames}.first<kPriceModelNames.size() - 1>();

/// Offer under which the provider sells a machine. The bit of a MachineType::accepts.
enum class Offer : std::uint8_t { on_demand, spot, flex_start, calendar, reservation };
inline constexpr std::array<std::string_view, 5> kOfferNames{"on_demand", "spot", "flex_start", "calendar",
                                                             "reservation"};

/// The name of the GPU type of machines without GPUs.
inline constexpr std::string_view kNoGpu = "none";

/// One kind of virtual machine.
struct MachineType {
  std::string name;    // "a3-highgpu-8g"
  std::string family;  // "a3-highgpu": what a pool has capacity of
  GpuTypeId gpu{};
  bool has_gpus = true;      // else vCPUs stand for GPUs in the next two, and so in pools
  GpuCount gpus{};           // whole GPUs in one machine, at least 1
  GpuCount host_gpus{};      // GPUs of a host of the family: 8, or 16 for a2-megagpu-16g; 1 for generic
  double gpu_memory_gb = 0;  // of one GPU; 0 where it does not matter
  int vcpus = 0;             // 0 where it does not matter
  double memory_gb = 0;      // main memory
  double network_gbps = 0;   // of one machine; 0 where not known
  std::array<bool, kOfferNames.size()> accepts{};       // by Offer; false too where it is not known
  std::array<bool, kOfferNames.size()> not_known = {};  // by Offer: no source says whether it is sold so
  std::string source;                                   // key into Catalog::sources()
  std::string note = {};                                // what a reader must know of it; may be empty
};

/// A zone, or a region where the zone does not matter.
struct Place {
  std::string name;                   // "us-central1-a", or the region's own name
  std::string region;                 // "us-central1"
  std::vector<std::string> families;  // machine families the place has
  std::string source;                 // keys into Catalog::sources(), separated by blanks
};

}  // namespace stockout
