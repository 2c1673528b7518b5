#include <algorithm>
#include <array>
#include <utility>
#include <vector>

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
//   group's resize request has no expiry and at most 1,000 VMs, and a project has at most 100 of them active
//   (quota ACTIVE_RESIZE_REQUESTS); Slurm gives up after its longest resume time, 65,535 s.
Policy on_demand() {
  return {.name = "on_demand",
          .offer = Offer::on_demand,
          .admission = Admission::at_once,
          .lease_class = LeaseClass::on_demand,
          .price = PriceModel::on_demand,
          .retries = 3,
          .retry_interval = 5min};
}

Policy spot() {
  Policy row = on_demand();
  row.name = "spot";
  row.offer = Offer::spot;
  row.lease_class = LeaseClass::spot;
  row.price = PriceModel::spot;
  row.notice = 30s;
  row.restarts = 6;
  return row;
}

// The forms of Flex Start differ in how long a request stays, in its size and how many may be open (0: no
// bound).
Policy flex_start(std::string name, SimDuration max_wait, std::int32_t machines_max,
                  std::int32_t open_max = 0) {
  return {.name = std::move(name),
          .offer = Offer::flex_start,
          .admission = Admission::queue,
          .lease_class = LeaseClass::flex,
          .price = PriceModel::flex_start,
          .max_wait = max_wait,
          .run_max = 7 * 24h,
          .machines_max = machines_max,
          .open_max = open_max};
}

// Capacity the planner holds, and from which jobs are served; how it is got is said where it is held.
Policy held(std::string name, Offer offer, PriceModel price) {
  return {.name = std::move(name),
          .offer = offer,
          .admission = Admission::queue,
          .lease_class = LeaseClass::reserved,
          .held = true,
          .price = price};
}

const std::array<Policy, 10> kTable{on_demand(),
                                    spot(),
                                    flex_start("flex_start", 24h, 0),
                                    flex_start("flex_start_vm", 2h, 1),
                                    flex_start("flex_start_mig", kForever, 1'000, 100),
                                    flex_start("flex_start_slurm", 65'535s, 0),
                                    held("reservation", Offer::reservation, PriceModel::on_demand),
                                    held("calendar", Offer::calendar, PriceModel::calendar),
                                    held("future_reservation", Offer::reservation, PriceModel::on_demand),
                                    held("persistent_resource", Offer::on_demand, PriceModel::on_demand)};

}  // namespace

std::span<const Policy> policy_table() { return kTable; }

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const Policy& row : kTable) names.push_back(row.name);
  return names;
}

const Policy* find_policy(std::string_view name) {
  const auto row = std::ranges::find(kTable, name, &Policy::name);
  return row == kTable.end() ? nullptr : &*row;
}

}  // namespace stockout
