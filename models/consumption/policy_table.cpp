#include <algorithm>
#include <array>

#include "models/consumption/policy.h"

namespace stockout {
namespace {

using namespace std::chrono_literals;

// Sources: the rules of Google's documentation as of 2026-08 unless marked "assumption".
// - Vertex AI retries a job three times after a stock-out and restarts a Spot job six times after preemption;
//   the time between two tries is not public: five minutes is an assumption.
// - Spot gives up to 30 s notice. Flex Start on Vertex waits 24 h by default and runs at most 7 days.
// - Start-up and provisioning are zero here and belong into the scenario (Vertex: 5 to 10 min cold).
// - Flex Start's other forms: a stand-alone VM's request is valid for at most two hours; a managed instance
// group's
//   resize request has no expiry and at most 1,000 VMs; Slurm gives up after its longest resume time, 65,535
//   s.
const std::array<Policy, 7> kTable{
    Policy{.name = "on_demand",
           .offer = Offer::on_demand,
           .admission = Admission::at_once,
           .lease_class = LeaseClass::on_demand,
           .price = PriceModel::on_demand,
           .retries = 3,
           .retry_interval = 5min},
    Policy{.name = "spot",
           .offer = Offer::spot,
           .admission = Admission::at_once,
           .lease_class = LeaseClass::spot,
           .price = PriceModel::spot,
           .notice = 30s,
           .retries = 3,
           .retry_interval = 5min,
           .restarts = 6},
    Policy{.name = "flex_start",
           .offer = Offer::flex_start,
           .admission = Admission::queue,
           .lease_class = LeaseClass::flex,
           .price = PriceModel::flex_start,
           .max_wait = 24h,
           .run_min = 10min,
           .run_max = 7 * 24h},
    Policy{.name = "flex_start_vm",
           .offer = Offer::flex_start,
           .admission = Admission::queue,
           .lease_class = LeaseClass::flex,
           .price = PriceModel::flex_start,
           .max_wait = 2h,
           .run_min = 10min,
           .run_max = 7 * 24h,
           .machines_max = 1},
    Policy{.name = "flex_start_mig",
           .offer = Offer::flex_start,
           .admission = Admission::queue,
           .lease_class = LeaseClass::flex,
           .price = PriceModel::flex_start,
           .run_min = 10min,
           .run_max = 7 * 24h,
           .machines_max = 1'000},
    Policy{.name = "flex_start_slurm",
           .offer = Offer::flex_start,
           .admission = Admission::queue,
           .lease_class = LeaseClass::flex,
           .price = PriceModel::flex_start,
           .max_wait = 65'535s,
           .run_min = 10min,
           .run_max = 7 * 24h},
    Policy{.name = "reservation",
           .offer = Offer::reservation,
           .admission = Admission::queue,
           .lease_class = LeaseClass::reserved,
           .held = true,
           .price = PriceModel::on_demand},
};

}  // namespace

std::span<const Policy> policy_table() { return kTable; }

const Policy* find_policy(std::string_view name) {
  const auto row = std::ranges::find(kTable, name, &Policy::name);
  return row == kTable.end() ? nullptr : &*row;
}

}  // namespace stockout
