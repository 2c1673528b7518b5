#include "models/scenario/load/tenants.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

#include "models/scenario/buying/policies.h"
#include "models/scenario/draft/lengths.h"
#include "models/scenario/format/keys.h"
#include "models/scenario/supply/pools.h"
#include "models/scenario/workload/synthetic_source.h"
#include "models/scenario/workload/workload.h"
#include "sim/core/hours.h"

namespace stockout {
namespace {

// The tenants of one pool: its own keys first, then those all pools share, then the defaults.
class TenantTerms {
 public:
  TenantTerms(const Node& own, const Node& root) : own_{own} {
    if (root.has("tenants")) shared_ = root.at("tenants");
  }

  [[nodiscard]] bool has(std::string_view key) const {
    return own_.has(key) || (shared_ && shared_->has(key));
  }
  [[nodiscard]] Node at(std::string_view key) const {
    return !own_.has(key) && shared_ && shared_->has(key) ? shared_->at(key) : own_.at(key);
  }
  [[nodiscard]] const Node& own() const { return own_; }

 private:
  Node own_;
  std::optional<Node> shared_;
};

struct TenantSizes {
  std::vector<WeightedShape> shapes;
  double mean_gpus = 0;
};

class TenantBuilder {
 public:
  TenantBuilder(Draft& draft, const PolicyRows& rows, const Node& pool_node, std::size_t pool)
      : draft_{draft},
        rows_{rows},
        pool_node_{pool_node},
        terms_{pool_node.at("tenants"), draft.root},
        id_{static_cast<std::uint16_t>(pool)},
        machine_{pool_machine(draft, pool_node, draft.world().pools[pool])} {}

  Source make() {
    const GpuCount capacity = capacity_at_start();
    const TenantSizes sizes = read_sizes(capacity);
    SyntheticDemand demand;
    demand.work = to_law(terms_.at("work"), {.positive = true});
    demand.arrivals = arrivals(capacity, sizes.mean_gpus, cut_mean_ms(demand.work));
    demand.from = draft_.world().begin;
    demand.shapes = sizes.shapes;
    demand.job_class = tenant_class();
    Source source;
    source.name = fmt::format("tenants of {}", pool().name);
    source.demand = std::move(demand);
    source.background = true;
    add_strategies(source);
    tell(capacity);
    return source;
  }

 private:
  [[nodiscard]] const Pool& pool() const { return draft_.scenario.world.pools[index(id_)]; }

  ClassId tenant_class() { return draft_.class_id(pool_node_, std::string{kTenantClass}); }

  GpuCount capacity_at_start() const {
    GpuCount gpus;
    for (const CapacitySource& source : pool().capacity) {
      const auto after = std::ranges::upper_bound(source.steps, kStart, {}, &CapacityStep::at);
      gpus += std::prev(after)->gpus;
    }
    if (gpus <= GpuCount{0})
      terms_.own().fail("the pool has no capacity at the start of the window to be a load of");
    return gpus;
  }

  TenantSizes read_sizes(GpuCount capacity) {
    TenantSizes sizes;
    double total = 0;
    for (const Node& node : terms_.at("sizes").items()) {
      const Shape shape = shape_of(node);
      if (shape.gpus() > capacity) {
        draft_.warn(fmt::format("{}: tenants who ask for {} GPUs find a pool of {}: they are always refused",
                                pool().name, shape.gpus().count(), capacity.count()));
      }
      const double weight = node.number("weight");
      sizes.shapes.push_back({.weight = weight, .shape = draft_.shape_id(node, shape, tenant_class())});
      sizes.mean_gpus += weight * static_cast<double>(shape.gpus().count());
      total += weight;
    }
    sizes.mean_gpus /= total;
    return sizes;
  }

  Shape shape_of(const Node& node) const {
    const MachineType& type = draft_.catalog.machine(machine_);
    std::int64_t machines = 0;
    if (node.has("machines")) {
      machines = node.integer("machines");
    } else {
      const std::int64_t gpus = node.integer("hosts") * type.host_gpus.count();
      if (gpus % type.gpus.count() != 0) {
        node.fail(
            fmt::format("hosts of {} GPUs are no whole number of {}", type.host_gpus.count(), type.name));
      }
      machines = gpus / type.gpus.count();
    }
    return {.gpu = draft_.catalog.gpu_name(type.gpu),
            .machine = type.name,
            .nodes = static_cast<std::int32_t>(machines),
            .gpus_per_node = static_cast<std::int32_t>(type.gpus.count())};
  }

  PoissonArrivals arrivals(GpuCount capacity, double mean_gpus, double mean_ms) {
    if (!terms_.has("load"))
      terms_.own().fail("\"load\" is missing: GPU-time they ask for, as a share of the capacity");
    const double load = terms_.at("load").as_number();
    if (load > kUnlikelyLoad) {
      draft_.warn(
          fmt::format("{}: tenants ask for {:.15g} times its GPUs' time. Is \"load\" meant as a percentage? "
                      "0.95 is 95 %",
                      terms_.at("load").where().pointer, load));
    }
    const double per_hour = load * static_cast<double>(capacity.count()) * kMsPerHour / (mean_gpus * mean_ms);
    PoissonArrivals arrivals;
    arrivals.intensity = daily_profile();
    const double mean_share =
        std::reduce(arrivals.intensity.begin(), arrivals.intensity.end()) / static_cast<double>(kHoursOfWeek);
    arrivals.peak_per_hour = per_hour / mean_share;
    arrivals.origin = first_monday(draft_.calendar);
    arrivals.clock_shifts = clock_shifts(draft_.calendar, draft_.world().begin,
                                         draft_.world().window_end + draft_.world().drain_limit);
    if (arrivals.peak_per_hour > kMostPerHour) {
      terms_.own().fail(
          fmt::format("{:.3g} tenants an hour are more than {:.15g}", arrivals.peak_per_hour, kMostPerHour));
    }
    return arrivals;
  }

  // 1 + swing * cos(...) over the day, highest in the middle of the peak hour, scaled so that the peak is 1.
  std::vector<double> daily_profile() const {
    const double swing = terms_.at("daily_swing").as_number();
    const auto peak = static_cast<double>(terms_.at("peak_hour").as_integer());
    std::vector<double> shares(kHoursOfWeek);
    for (std::size_t hour = 0; hour < kHoursOfWeek; ++hour) {
      const double angle =
          2 * std::numbers::pi * (static_cast<double>(hour % kHoursOfDay) - peak) / kHoursOfDay;
      shares[hour] = (1 + swing * std::cos(angle)) / (1 + swing);
    }
    return shares;
  }

  void add_strategies(Source& source) {
    const Node mix = terms_.at("mix");
    double total = 0;
    for (const Policy& row : tenant_policies()) {
      const double weight = mix.number(row.name);
      total += weight;
      if (weight <= 0) continue;
      source.tenants.push_back(strategy_for(rows_.named(row.name)));
      source.tenant_weights.push_back(weight);
    }
    if (total <= 0) mix.fail("all weights are 0");
  }

  // One leg on this pool. What the provider does holds for everybody: notice, run_max, machines_max,
  // lifetime, provisioning. What a customer does is the planner's own: tenants do not try again, a preempted
  // one does not come back (nothing is known of either), and their start-up is part of their work.
  Strategy strategy_for(Policy policy) const {
    policy.retries = 0;
    policy.restarts = 0;
    policy.chains = false;
    policy.start_up = {};
    policy.health = {};
    if (policy.waits()) policy.max_wait = terms_.at("max_wait").as_duration();
    Leg leg;
    leg.policy = policy;
    leg.label = fmt::format("{} {}", policy.name, pool().place);
    leg.candidates.resize(draft_.scenario.world.shapes.size());
    for (std::size_t i = 0; i < leg.candidates.size(); ++i) {
      const Shape& shape = draft_.scenario.world.shapes[i];
      if (shape.machine != draft_.catalog.machine(machine_).name) continue;
      Candidate candidate{.pool = id_, .gpus = shape.gpus()};
      candidate.parts[0] = {
          .line = {}, .machines = shape.nodes, .gpus = shape.gpus_per_node, .machine = machine_};
      leg.candidates[i].push_back(candidate);
    }
    Strategy strategy;
    strategy.name = policy.name;
    strategy.legs.push_back(std::move(leg));
    return strategy;
  }

  // "0.65 : 0.2 : 0.15 on-demand, flex and Spot".
  [[nodiscard]] std::string mix_text() const {
    const Node mix = terms_.at("mix");
    std::string weights;
    std::string names;
    const std::vector<Policy> rows = tenant_policies();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      weights += fmt::format("{}{:g}", i == 0 ? "" : " : ", mix.number(rows[i].name));
      names += fmt::format("{}{}",
                           i == 0                 ? ""
                           : i + 1 == rows.size() ? " and "
                                                  : ", ",
                           rows[i].among_tenants);
    }
    return fmt::format("{} {}", weights, names);
  }

  void tell(GpuCount capacity) {
    draft_.assume(fmt::format(
        "{}: tenants ask for {:.6g} % of its {} GPUs' time, {}, varying by {:g} % over the day; they "
        "neither retry nor restart",
        pool().name, 100 * terms_.at("load").as_number(), capacity.count(), mix_text(),
        100 * terms_.at("daily_swing").as_number()));
  }

  static constexpr std::string_view kTenantClass = "tenants";
  static constexpr double kUnlikelyLoad = 3;  // of the capacity: from here on it looks like a percentage

  Draft& draft_;
  const PolicyRows& rows_;
  const Node& pool_node_;
  TenantTerms terms_;
  PoolId id_;
  MachineId machine_;
};

}  // namespace

void build_tenants(Draft& draft) {
  if (draft.classes.find("tenants") != nullptr) {
    draft.root.at("workload")
        .fail("\"tenants\" is the class of the provider's other customers: give yours another name");
  }
  const PolicyRows rows{draft.root, draft.catalog};
  const auto nodes = draft.root.list("pools");
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].has("tenants"))
      draft.world().sources.push_back(TenantBuilder{draft, rows, nodes[i], i}.make());
  }
}

}  // namespace stockout
