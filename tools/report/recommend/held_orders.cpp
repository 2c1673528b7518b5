#include "tools/report/recommend/held_orders.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "models/billing/cost.h"
#include "models/workload/readers/cloud_names.h"

namespace stockout {
namespace {

using std::chrono::days;
using std::chrono::sys_seconds;

// A name as Compute Engine takes it: small letters, digits and hyphens, a letter first (RFC 1035), with room
// for what may be put behind it.
std::string resource_name(const std::string& name) {
  constexpr std::size_t kLongest = 50;
  std::string text;
  for (const char c : name) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool is_digit = c >= '0' && c <= '9';
    if (is_letter || (is_digit && !text.empty())) {
      text += is_letter ? static_cast<char>(c | 0x20) : c;
    } else if (!text.empty() && text.back() != '-') {
      text += '-';
    }
  }
  text.resize(std::min(text.size(), kLongest));
  while (!text.empty() && text.back() == '-') text.pop_back();
  return text.empty() ? "held" : text;
}

// By held pool, no two alike.
std::vector<std::string> names_apart(const World& world, const std::vector<PoolId>& held) {
  std::vector<std::string> names;
  for (const PoolId id : held) {
    const std::string name = resource_name(world.held_pool(id).pool.name);
    std::string apart = name;
    for (int number = 2; std::ranges::find(names, apart) != names.end(); ++number)
      apart = fmt::format("{}-{}", name, number);
    names.push_back(std::move(apart));
  }
  return names;
}

HeldOrder::Kind kind_of(const World& world, const HeldPool& held) {
  if (held.scaling) {
    if (!held.scaling->is_node_pool) return HeldOrder::Kind::persistent_resource;
    return world.slurm ? HeldOrder::Kind::slurm_nodes : HeldOrder::Kind::node_pool;
  }
  if (!held.booking) return HeldOrder::Kind::reservation;
  const bool is_calendar = world.price_lines[index(held.line)].model == PriceModel::calendar;
  return is_calendar ? HeldOrder::Kind::calendar : HeldOrder::Kind::future_reservation;
}

struct CommitmentType {
  std::string_view family;  // how its name begins
  std::string_view type;
};

// Source: "Purchase commitments without attached reservations", Compute Engine's documentation, 2026-07.
// A3 Ultra, A4 and A4X are committed to with a future reservation through the account team.
constexpr std::array kCommitmentTypes{
    CommitmentType{"a2-", "accelerator-optimized"},
    CommitmentType{"a3-edgegpu", "accelerator-optimized-a3"},
    CommitmentType{"a3-highgpu", "accelerator-optimized-a3"},
    CommitmentType{"a3-megagpu", "accelerator-optimized-a3-mega"},
    CommitmentType{"g2-", "graphics-optimized"},
    CommitmentType{"g4-", "graphics-optimized-g4"},
    CommitmentType{"n1-", "general-purpose"},
};

std::string commitment_type_of(const HeldOrder& order) {
  if (order.machine.has_gpus && order.accelerator.empty()) return {};
  const auto found = std::ranges::find_if(kCommitmentTypes, [&](const CommitmentType& one) {
    return order.machine.family.starts_with(one.family);
  });
  return found == kCommitmentTypes.end() ? std::string{} : std::string{found->type};
}

void set_commitment(HeldOrder& order, SimDuration term) {
  order.years = static_cast<int>(term / days{365});
  order.commitment_type = commitment_type_of(order);
  if (order.kind != HeldOrder::Kind::reservation || !order.commitment_type.empty()) return;
  order.remarks.push_back(
      fmt::format("A {}-year commitment for {} {} in {}, with {} attached: through your account team.",
                  *order.years, order.machines, order.machine_type(), order.region, order.name));
}

sys_seconds utc(const World& world, SimTime at) {
  return std::chrono::floor<std::chrono::seconds>(world.start_date + (at - kStart));
}

// What is held from the start of warm-up is there from the start of the window: warm-up is no time to pay
// for.
SimTime ordered_from(const World& world, const HeldPool& held) {
  return held.from <= world.begin ? std::max(held.from, kStart) : held.from;
}

// What is booked without an end is booked for a year, or for the term of its commitment.
void set_times(HeldOrder& order, const World& world, const HeldPool& held) {
  order.from = utc(world, ordered_from(world, held));
  const days least = days{365} * order.years.value_or(1);
  order.until = held.until == kNever ? *order.from + least : utc(world, held.until);
}

void set_scaling(HeldOrder& order, const Scaling& scaling) {
  order.least = scaling.least.count();
  order.lease_class = scaling.lease_class;
  if (!scaling.steps.empty())
    order.remarks.push_back(
        fmt::format("The minimum of {} is raised at the times that the scenario says.", order.name));
  if (order.kind == HeldOrder::Kind::slurm_nodes) {
    order.remarks.push_back(fmt::format("{}: a node set of {} {} in {}, in the blueprint of Cluster Toolkit.",
                                        order.name, order.machines, order.machine_type(), order.zone));
  }
}

// The names of regions end in a digit, those of zones in a letter.
void set_zone(HeldOrder& order, const std::string& place) {
  if (place.back() < '0' || place.back() > '9') {
    order.zone = place;
    return;
  }
  order.zone = "ZONE";
  order.remarks.push_back(
      fmt::format("{}: the scenario names a region only, {}. Choose one of its zones.", order.name, place));
}

// How many, where, from when and until when: a command says no more of it than its tool takes.
std::string held_text(const HeldOrder& order, const World& world, const HeldPool& held) {
  const auto time_text = [](sys_seconds at) { return fmt::format("{:%Y-%m-%d %H:%M} UTC", at); };
  std::string until = "on, as long as it is held";
  if (order.until) {
    until = "until " + time_text(*order.until);
  } else if (held.until != kNever) {
    until = "until " + time_text(utc(world, held.until));
  }
  const std::string count =
      held.scaling ? fmt::format("{} to {}", order.least, order.machines) : std::to_string(order.machines);
  return fmt::format("{}: {} {} in {}, from {} {}.", order.name, count, order.machine_type(), held.pool.place,
                     time_text(utc(world, ordered_from(world, held))), until);
}

HeldOrder order_of(const World& world, const HeldPool& held, const std::string& name) {
  const PriceLine& line = world.price_lines[index(held.line)];
  HeldOrder order{.kind = kind_of(world, held),
                  .name = name,
                  .zone = {},
                  .region = line.region,
                  .machine = world.machines[index(held.machine)],
                  .accelerator = {},
                  .accelerator_of_vertex = {},
                  .machines = held.machines.count()};
  if (order.machine.has_gpus) {
    const std::string& gpu = world.gpu_types[index(order.machine.gpu)];
    order.accelerator = compute_engine_name_of_gpu(gpu);
    order.accelerator_of_vertex = vertex_name_of_gpu(gpu);
  }
  if (order.kind != HeldOrder::Kind::persistent_resource) set_zone(order, held.pool.place);
  if (const auto term = commitment_term(line.model)) set_commitment(order, *term);
  if (held.booking) set_times(order, world, held);
  if (held.scaling) set_scaling(order, *held.scaling);
  order.remarks.insert(order.remarks.begin(), held_text(order, world, held));
  return order;
}

}  // namespace

std::int64_t HeldOrder::memory_mb() const {
  constexpr double kMbOfGb = 1024;
  return std::llround(static_cast<double>(machines) * machine.memory_gb * kMbOfGb);
}

std::vector<HeldOrder> held_orders(const RecommendationReport& report) {
  if (report.found.kind != Recommendation::Kind::recommended) return {};
  const Purchase& best = report.purchase(report.best());
  const World& world = report.purchases.scenario(best).world;
  std::vector<HeldOrder> orders;
  const std::vector<PoolId>& held = world.strategies[best.strategy].held;
  const std::vector<std::string> names = names_apart(world, held);
  for (std::size_t i = 0; i < held.size(); ++i)
    orders.push_back(order_of(world, world.held_pool(held[i]), names[i]));
  return orders;
}

std::string order_time(sys_seconds at) { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", at); }

}  // namespace stockout
