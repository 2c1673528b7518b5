#include "models/consumption/policy.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

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
//   (quota ACTIVE_RESIZE_REQUESTS); Slurm gives up after its longest resume time, 65,535 s. A maximum wait of
//   0 is no limit for Vertex AI and for resize requests.
Policy on_demand() {
  return {.name = "on_demand",
          .offer = Offer::on_demand,
          .admission = Admission::at_once,
          .lease_class = LeaseClass::on_demand,
          .price = PriceModel::on_demand,
          .retries = 3,
          .retry_interval = 5min,
          .among_tenants = "on-demand"};
}

Policy spot() {
  Policy row = on_demand();
  row.name = "spot";
  row.offer = Offer::spot;
  row.lease_class = LeaseClass::spot;
  row.price = PriceModel::spot;
  row.notice = 30s;
  row.restarts = 6;
  row.among_tenants = "Spot";
  return row;
}

// Any form of Flex Start: runs of 10 minutes to 7 days.
Policy any_flex_start(std::string name) {
  return {
      .name = std::move(name),
      .offer = Offer::flex_start,
      .admission = Admission::queue,
      .lease_class = LeaseClass::flex,
      .price = PriceModel::flex_start,
      .retry_interval = 5min,
      .run_max = 7 * 24h,
      .bounds = {
          .product = "Flex Start", .run_least = 10min, .run_most = 7 * 24h, .source = "compute-docs-2026"}};
}

// Vertex AI's. With its bounds taken off it also stands for a plain queue, in published references.
Policy flex_start() {
  Policy row = any_flex_start("flex_start");
  row.max_wait = 24h;
  row.bounds.run_least_is_assumed = row.bounds.run_most_is_assumed = true;
  row.bounds.source = "vertex-docs-2026-08";
  row.zero_wait_is_forever = true;
  row.among_tenants = "flex";
  return row;
}

Policy flex_start_vm() {
  Policy row = any_flex_start("flex_start_vm");
  row.max_wait = 2h;
  row.machines_max = row.bounds.machines_most = 1;
  row.bounds.wait_least = 90s;
  row.bounds.wait_most = 2h;
  row.bounds.wait_rule = "a stand-alone flex-start VM waits 0s, or 90s to 2h";
  return row;
}

Policy flex_start_mig() {
  Policy row = any_flex_start("flex_start_mig");
  row.machines_max = row.bounds.machines_most = 1'000;
  row.open_max = 100;
  row.by_resize_request = true;
  row.zero_wait_is_forever = true;
  return row;
}

Policy flex_start_slurm() {
  Policy row = any_flex_start("flex_start_slurm");
  row.max_wait = row.bounds.wait_most = 65'535s;
  row.bounds.wait_rule = "Slurm's longest resume time is 65535s";
  row.bounds.source = "toolkit-2026-06";
  return row;
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

const auto kTable = std::to_array<Policy>({
    on_demand(),
    spot(),
    flex_start(),
    flex_start_vm(),
    flex_start_mig(),
    flex_start_slurm(),
    held("reservation", Offer::reservation, PriceModel::on_demand),
    held("calendar", Offer::calendar, PriceModel::calendar),
    held("future_reservation", Offer::reservation, PriceModel::on_demand),
    held("persistent_resource", Offer::on_demand, PriceModel::on_demand),
    held("node_pool", Offer::on_demand, PriceModel::on_demand),
    held("slurm_nodes", Offer::on_demand, PriceModel::on_demand),
});

}  // namespace

std::span<const Policy> policy_table() { return kTable; }

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const Policy& row : kTable) names.push_back(row.name);
  return names;
}

std::vector<Policy> tenant_policies() {
  std::vector<Policy> rows;
  for (const Policy& row : kTable) {
    if (!row.among_tenants.empty()) rows.push_back(row);
  }
  std::ranges::stable_sort(rows, {}, &Policy::lease_class);
  return rows;
}

const Policy* find_policy(std::string_view name) {
  const auto row = std::ranges::find(kTable, name, &Policy::name);
  return row == kTable.end() ? nullptr : &*row;
}

}  // namespace stockout
