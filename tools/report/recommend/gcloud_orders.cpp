#include "tools/report/recommend/gcloud_orders.h"

#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace stockout {
namespace {

using Words = std::vector<std::string>;

// One word of a shell, whatever is in it.
std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=,.:/+@%";
  if (word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string{R"('\'')"} : std::string{c};
  return text + "'";
}

class Command {
 public:
  explicit Command(std::string name) { words_.push_back(std::move(name)); }

  Command& flag(std::string_view name) {
    words_.push_back(fmt::format("--{}", name));
    return *this;
  }
  template <typename Value>
  Command& flag(std::string_view name, const Value& value) {
    words_.push_back(shell_word(fmt::format("--{}={}", name, value)));
    return *this;
  }
  [[nodiscard]] Words words() { return std::move(words_); }

 private:
  Words words_;
};

// https://cloud.google.com/sdk/gcloud/reference/compute/reservations/create
Words reservation(const HeldOrder& order) {
  Command command{"gcloud compute reservations create " + order.name};
  command.flag("machine-type", order.machine_type()).flag("vm-count", order.machines);
  if (order.has_attached_gpus()) {
    command.flag("accelerator",
                 fmt::format("count={},type={}", order.machine.gpus.count(), order.accelerator));
  }
  return command.flag("zone", order.zone).flag("require-specific-reservation").words();
}

// https://cloud.google.com/sdk/gcloud/reference/compute/commitments/create
Words commitment(const HeldOrder& order) {
  Command command{fmt::format("gcloud compute commitments create {}-{}y", order.name, *order.years)};
  command.flag("region", order.region).flag("plan", fmt::format("{}-month", 12 * *order.years));
  command.flag("type", order.commitment_type);
  command.flag("resources", fmt::format("vcpu={},memory={}MB", order.vcpus(), order.memory_mb()));
  if (order.machine.has_gpus) {
    command.flag("resources-accelerator", fmt::format("count={},type={}", order.gpus(), order.accelerator));
  }
  return command.flag("existing-reservation", fmt::format("name={},zone={}", order.name, order.zone)).words();
}

// https://cloud.google.com/sdk/gcloud/reference/compute/future-reservations/create
Words future_reservation(const HeldOrder& order) {
  const bool is_calendar = order.kind == HeldOrder::Kind::calendar;
  Command command{"gcloud compute future-reservations create " + order.name};
  command.flag("machine-type", order.machine_type()).flag("total-count", order.machines);
  command.flag("zone", order.zone);
  command.flag("start-time", order_time(*order.from)).flag("end-time", order_time(*order.until));
  if (is_calendar) command.flag("reservation-mode", "CALENDAR").flag("deployment-type", "DENSE");
  if (order.years) {
    command.flag("commitment-name", fmt::format("{}-{}y", order.name, *order.years));
    command.flag("commitment-plan", fmt::format("{}-month", 12 * *order.years));
  }
  command.flag("auto-delete-auto-created-reservations").flag("require-specific-reservation");
  return command.flag("planning-status", "SUBMITTED").words();
}

// https://cloud.google.com/sdk/gcloud/reference/ai/persistent-resources/create
Words persistent_resource(const HeldOrder& order) {
  std::string spec =
      fmt::format("replica-count={0},min-replica-count={0},max-replica-count={1},machine-type={2}",
                  order.least, order.machines, order.machine_type());
  if (order.machine.has_gpus) {
    spec += fmt::format(",accelerator-type={},accelerator-count={}", order.accelerator_of_vertex,
                        order.machine.gpus.count());
  }
  return Command{"gcloud ai persistent-resources create"}
      .flag("persistent-resource-id", order.name)
      .flag("region", order.region)
      .flag("resource-pool-spec", spec)
      .words();
}

// https://cloud.google.com/sdk/gcloud/reference/container/node-pools/create
Words node_pool(const HeldOrder& order) {
  Command command{"gcloud container node-pools create " + order.name};
  command.flag("cluster", "CLUSTER").flag("node-locations", order.zone);
  command.flag("machine-type", order.machine_type());
  if (order.machine.has_gpus) {
    command.flag("accelerator",
                 fmt::format("type={},count={}", order.accelerator, order.machine.gpus.count()));
  }
  if (order.lease_class == LeaseClass::flex) command.flag("flex-start");
  if (order.lease_class == LeaseClass::spot) command.flag("spot");
  return command.flag("enable-autoscaling")
      .flag("num-nodes", order.least)
      .flag("min-nodes", order.least)
      .flag("max-nodes", order.machines)
      .words();
}

}  // namespace

std::vector<std::vector<std::string>> gcloud_commands(const HeldOrder& order) {
  switch (order.kind) {
    case HeldOrder::Kind::reservation:
      if (order.commitment_type.empty()) return {reservation(order)};
      return {reservation(order), commitment(order)};
    case HeldOrder::Kind::calendar:
    case HeldOrder::Kind::future_reservation:
      return {future_reservation(order)};
    case HeldOrder::Kind::persistent_resource:
      return {persistent_resource(order)};
    case HeldOrder::Kind::node_pool:
      return {node_pool(order)};
    case HeldOrder::Kind::slurm_nodes:
      break;
  }
  return {};
}

}  // namespace stockout
