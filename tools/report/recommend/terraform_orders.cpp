#include "tools/report/recommend/terraform_orders.h"

#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/report/recommend/gcloud_orders.h"

namespace stockout {
namespace {

// A text of Terraform, in which "${" and "%{" would begin a template.
std::string text_of(std::string_view value) {
  std::string text = "\"";
  for (std::size_t i = 0; i < value.size(); ++i) {
    const char c = value[i];
    const bool begins_template = (c == '$' || c == '%') && i + 1 < value.size() && value[i + 1] == '{';
    if (c == '"' || c == '\\') text += '\\';
    if (begins_template) text += c;
    text += c;
  }
  return text + '"';
}

// Resources, line by line.
class Blocks {
 public:
  void open(const std::string& head) {
    line(head + " {");
    ++depth_;
  }
  void close() {
    --depth_;
    line("}");
  }
  void set(std::string_view key, std::string_view text) { raw(key, text_of(text)); }
  void raw(std::string_view key, std::string_view value) { line(fmt::format("{} = {}", key, value)); }
  [[nodiscard]] std::string text() { return std::move(text_); }

 private:
  void line(const std::string& text) { text_ += std::string(2 * depth_, ' ') + text + '\n'; }

  std::string text_;
  std::size_t depth_ = 0;
};

// "accelerator-optimized-a3", "12-month": as the API has it.
std::string in_capitals(std::string_view name) {
  std::string text;
  for (const char c : name) text += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 0x20 : c);
  return text;
}

std::string_view plan_of(int years) { return years == 1 ? "TWELVE_MONTH" : "THIRTY_SIX_MONTH"; }

std::string resource(std::string_view type, std::string_view name) {
  return fmt::format(R"(resource "{}" "{}")", type, name);
}

void add_instance(Blocks& blocks, const HeldOrder& order) {
  blocks.open("instance_properties");
  blocks.set("machine_type", order.machine_type());
  if (order.has_attached_gpus()) {
    blocks.open("guest_accelerators");
    blocks.set("accelerator_type", order.accelerator);
    blocks.raw("accelerator_count", std::to_string(order.machine.gpus.count()));
    blocks.close();
  }
  blocks.close();
}

void add_reservation(Blocks& blocks, const HeldOrder& order) {
  blocks.open(resource("google_compute_reservation", order.name));
  blocks.set("name", order.name);
  blocks.set("zone", order.zone);
  blocks.raw("specific_reservation_required", "true");
  blocks.open("specific_reservation");
  blocks.raw("count", std::to_string(order.machines));
  add_instance(blocks, order);
  blocks.close();
  blocks.close();
}

void add_amount(Blocks& blocks, std::string_view type, std::int64_t amount,
                std::string_view accelerator = {}) {
  blocks.open("resources");
  blocks.set("type", type);
  blocks.set("amount", std::to_string(amount));
  if (!accelerator.empty()) blocks.set("accelerator_type", accelerator);
  blocks.close();
}

void add_commitment(Blocks& blocks, const HeldOrder& order) {
  const std::string name = fmt::format("{}-{}y", order.name, *order.years);
  blocks.open(resource("google_compute_region_commitment", name));
  blocks.set("name", name);
  blocks.set("region", order.region);
  blocks.set("plan", plan_of(*order.years));
  blocks.set("type", in_capitals(order.commitment_type));
  blocks.set("category", "MACHINE");
  blocks.raw("existing_reservations", fmt::format("google_compute_reservation.{}.self_link", order.name));
  add_amount(blocks, "VCPU", order.vcpus());
  add_amount(blocks, "MEMORY", order.memory_mb());
  if (order.machine.has_gpus) add_amount(blocks, "ACCELERATOR", order.gpus(), order.accelerator);
  blocks.close();
}

void add_future_reservation(Blocks& blocks, const HeldOrder& order) {
  blocks.open(resource("google_compute_future_reservation", order.name));
  blocks.set("name", order.name);
  blocks.set("zone", order.zone);
  blocks.set("planning_status", "SUBMITTED");
  blocks.raw("auto_delete_auto_created_reservations", "true");
  blocks.raw("specific_reservation_required", "true");
  if (order.kind == HeldOrder::Kind::calendar) {
    blocks.set("reservation_mode", "CALENDAR");
    blocks.set("deployment_type", "DENSE");
  }
  blocks.open("time_window");
  blocks.set("start_time", order_time(*order.from));
  blocks.set("end_time", order_time(*order.until));
  blocks.close();
  blocks.open("specific_sku_properties");
  blocks.set("total_count", std::to_string(order.machines));
  add_instance(blocks, order);
  blocks.close();
  if (order.years) {
    blocks.open("commitment_info");
    blocks.set("commitment_name", fmt::format("{}-{}y", order.name, *order.years));
    blocks.set("commitment_plan", plan_of(*order.years));
    blocks.close();
  }
  blocks.close();
}

void add_node_pool(Blocks& blocks, const HeldOrder& order) {
  blocks.open(resource("google_container_node_pool", order.name));
  blocks.set("name", order.name);
  blocks.set("cluster", "CLUSTER");
  blocks.raw("node_locations", fmt::format("[{}]", text_of(order.zone)));
  blocks.raw("initial_node_count", std::to_string(order.least));
  blocks.open("autoscaling");
  blocks.raw("min_node_count", std::to_string(order.least));
  blocks.raw("max_node_count", std::to_string(order.machines));
  blocks.close();
  blocks.open("node_config");
  blocks.set("machine_type", order.machine_type());
  if (order.lease_class == LeaseClass::flex) blocks.raw("flex_start", "true");
  if (order.lease_class == LeaseClass::spot) blocks.raw("spot", "true");
  if (order.machine.has_gpus) {
    blocks.open("guest_accelerator");
    blocks.set("type", order.accelerator);
    blocks.raw("count", std::to_string(order.machine.gpus.count()));
    blocks.close();
  }
  blocks.close();
  blocks.close();
}

// What the provider has no resource for.
std::string in_comments(const HeldOrder& order) {
  std::string text;
  for (const auto& command : gcloud_commands(order)) text += fmt::format("# {}\n", fmt::join(command, " "));
  return text;
}

std::string resources_of(const HeldOrder& order) {
  Blocks blocks;
  switch (order.kind) {
    case HeldOrder::Kind::reservation:
      add_reservation(blocks, order);
      if (!order.commitment_type.empty()) add_commitment(blocks, order);
      break;
    case HeldOrder::Kind::calendar:
    case HeldOrder::Kind::future_reservation:
      add_future_reservation(blocks, order);
      break;
    case HeldOrder::Kind::node_pool:
      add_node_pool(blocks, order);
      break;
    case HeldOrder::Kind::persistent_resource:
    case HeldOrder::Kind::slurm_nodes:
      return in_comments(order);
  }
  return blocks.text();
}

}  // namespace

std::string terraform_blocks(const HeldOrder& order) {
  std::string text = resources_of(order);
  for (const std::string& remark : order.remarks) text += fmt::format("# {}\n", remark);
  return text;
}

}  // namespace stockout
