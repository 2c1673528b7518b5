#include "models/scenario/workload/synthetic_source.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "models/scenario/draft/lengths.h"
#include "models/scenario/format/keys.h"
#include "models/workload/arrivals/expected_demand.h"
#include "sim/core/duration_text.h"

namespace stockout {
namespace {

using std::chrono::days;
using std::chrono::hours;

constexpr std::size_t kMostBatches = 1'000'000;

std::vector<double> weights_of(const Node& list) {
  std::vector<double> weights;
  for (const Node& weight : list.items()) weights.push_back(weight.as_number());
  if (std::ranges::all_of(weights, [](double weight) { return weight == 0; })) list.fail("all weights are 0");
  return weights;
}

std::vector<double> hour_weights(const Node& poisson) {
  if (poisson.has("hour_profile")) return weights_of(poisson.at("hour_profile"));
  const ClockSpan span = poisson.at("hours").as_clock_span();
  if (span.from % hours{1} != SimDuration::zero() || span.to % hours{1} != SimDuration::zero()) {
    poisson.at("hours").fail("must be whole hours");
  }
  std::vector<double> weights(kHoursOfDay);
  for (std::size_t hour = 0; hour < kHoursOfDay; ++hour) {
    if (hours{hour} >= span.from && hours{hour} < span.to) weights[hour] = 1;
  }
  return weights;
}

std::vector<double> day_weights(const Node& poisson) {
  if (poisson.has("day_profile")) return weights_of(poisson.at("day_profile"));
  const auto open = open_days(poisson.at("days"));
  return {open.begin(), open.end()};
}

// By local hour of the week from Monday 00:00; the greatest is 1.
std::vector<double> weekly_profile(const Node& poisson) {
  const auto by_hour = hour_weights(poisson);
  const auto by_day = day_weights(poisson);
  const double most = std::ranges::max(by_hour) * std::ranges::max(by_day);
  std::vector<double> profile;
  for (const double day : by_day) {
    for (const double hour : by_hour) profile.push_back(day * hour / most);
  }
  return profile;
}

double count_open(const std::vector<double>& weights) {
  return static_cast<double>(std::ranges::count_if(weights, [](double weight) { return weight > 0; }));
}

std::vector<WeightedCount> read_batches(const Node& poisson) {
  const auto count_of = [](const Node& node) { return static_cast<std::int32_t>(node.integer("count")); };
  if (!poisson.has("counts")) return {{.weight = 1, .count = count_of(poisson)}};
  std::vector<WeightedCount> batches;
  for (const Node& size : poisson.list("counts"))
    batches.push_back({.weight = size.number("weight"), .count = count_of(size)});
  return batches;
}

PoissonArrivals read_poisson(const Draft& draft, const Node& node) {
  PoissonArrivals arrivals;
  arrivals.intensity = weekly_profile(node);
  const double week = std::reduce(arrivals.intensity.begin(), arrivals.intensity.end());
  if (node.has("per_hour"))
    arrivals.peak_per_hour = node.number("per_hour") * (count_open(arrivals.intensity) / week);
  if (node.has("per_day"))
    arrivals.peak_per_hour = node.number("per_day") * count_open(day_weights(node)) / week;
  if (node.has("per_week")) arrivals.peak_per_hour = node.number("per_week") / week;
  arrivals.batches = read_batches(node);
  arrivals.grouped = node.flag("grouped");
  if (const double jobs = arrivals.peak_per_hour * mean_batch(arrivals); jobs > kMostPerHour)
    node.fail(fmt::format("{:.6g} jobs in the busiest hour are more than {:.15g}", jobs, kMostPerHour));
  if (week == static_cast<double>(arrivals.intensity.size())) arrivals.intensity.clear();
  arrivals.origin = first_monday(draft.calendar);
  arrivals.clock_shifts = clock_shifts(draft.calendar, kStart, draft.scenario.world.window_end);
  return arrivals;
}

// The instants of batches in [kStart, end of the window).
class BatchTimes {
 public:
  BatchTimes(const Draft& draft, const Node& node, SimTime end)
      : calendar_{draft.calendar}, node_{node}, end_{end} {}

  std::vector<SimTime> all() {
    const SimDuration clock = node_.at("at").as_clock();
    if (node_.has("every")) {
      const SimDuration every = node_.duration("every");
      for (SimTime at = calendar_.time(calendar_.written_day(), clock); at < end_; at += every) add(at);
      return std::move(times_);
    }
    if (node_.has("on_days")) {
      for (const Node& day : node_.list("on_days")) {
        add(calendar_.time(calendar_.written_day() + days{day.as_integer()}, clock));
      }
    } else {
      add_weekly(clock);
    }
    std::ranges::sort(times_);
    return std::move(times_);
  }

 private:
  void add_weekly(SimDuration clock) {
    std::array<bool, 7> open{};
    open.fill(true);
    if (node_.has("days")) open = open_days(node_.at("days"));
    for (Date day = calendar_.first_day(); calendar_.time(day, clock) < end_; day += days{1}) {
      const std::chrono::weekday weekday{day};
      if (open[weekday.iso_encoding() - 1]) add(calendar_.time(day, clock));
    }
  }

  void add(SimTime at) {
    if (at < kStart || at >= end_) return;
    times_.push_back(at);
    if (times_.size() > kMostBatches)
      node_.fail(fmt::format("more than {} batches in the window", kMostBatches));
  }

  const Calendar& calendar_;
  const Node& node_;
  SimTime end_;
  std::vector<SimTime> times_;
};

ScheduledArrivals read_schedule(Draft& draft, const Node& node) {
  ScheduledArrivals arrivals;
  arrivals.at = BatchTimes{draft, node, draft.world().window_end}.all();
  arrivals.count = static_cast<std::int32_t>(node.integer("count"));
  arrivals.grouped = node.flag("grouped");
  if (arrivals.at.empty()) node.fail("no batch falls into the window");
  return arrivals;
}

// That local time of each day, the last after every submission.
std::vector<SimTime> instants_of(const Draft& draft, SimDuration clock) {
  std::vector<SimTime> instants{draft.calendar.next_clock(draft.scenario.world.begin, clock)};
  while (instants.back() <= draft.scenario.world.window_end)
    instants.push_back(draft.calendar.next_clock(instants.back(), clock));
  return instants;
}

void read_deadline(const Draft& draft, const Node& node, SyntheticDemand& demand) {
  if (node.kind() == ValueKind::duration) {
    demand.deadline_plus = node.as_duration();
  } else if (node.has("work_plus")) {
    demand.deadline_work_factor = 1;
    demand.deadline_plus = node.duration("work_plus");
  } else {
    demand.deadline_at = instants_of(draft, node.at("at").as_clock());
  }
}

// `node`: the source, or one of its sizes.
Shape read_shape(const Draft& draft, const SourceTerms& source, const Node& node) {
  Shape shape{.gpu = source.gpu,
              .machine = source.machine,
              .nodes = static_cast<std::int32_t>(node.integer("nodes")),
              .speed = source.speed};
  if (node.has("gpus")) shape.gpus_per_node = static_cast<std::int32_t>(node.integer("gpus"));
  if (source.machine.empty()) {
    if (!node.has("gpus")) node.fail("\"gpus\" of a node is missing, or \"machine\"");
    return shape;
  }
  const auto held = draft.catalog.machine(*draft.catalog.find_machine(source.machine)).gpus.count();
  if (!node.has("gpus")) shape.gpus_per_node = static_cast<std::int32_t>(held);
  if (runs_by_list(draft, source)) shape.machine.clear();
  if (shape.gpus_per_node > held) {
    node.at("gpus").fail(
        fmt::format("{} has {} GPUs, but a node needs {}", source.machine, held, shape.gpus_per_node));
  }
  return shape;
}

void read_shapes(Draft& draft, const SourceTerms& source, SyntheticDemand& demand) {
  const auto add = [&](const Node& node, double weight) {
    const Shape shape = read_shape(draft, source, node);
    demand.shapes.push_back({.weight = weight, .shape = draft.shape_id(node, shape, demand.job_class)});
  };
  if (!source.node.has("sizes")) return add(source.node, 1);
  for (const Node& size : source.node.list("sizes")) add(size, size.number("weight"));
}

// People who are new, one after another; the first of them.
UserId add_users(Draft& draft, const Node& node, const std::string& name, std::int64_t count) {
  const std::size_t first = draft.users.names().size();
  for (std::int64_t i = 1; i <= count; ++i) {
    const std::string user = fmt::format("{} {}", name, i);
    if (draft.users.find(user) != nullptr)
      node.at("users").fail(fmt::format(
          "there is a user \"{}\" already: sources with the same people say \"user_names\"", user));
    static_cast<void>(draft.user_id(node, user));
  }
  return UserId{static_cast<std::uint32_t>(first)};
}

void read_users(Draft& draft, const SourceTerms& source, SyntheticDemand& demand) {
  if (!source.node.has("users")) return;
  demand.users = static_cast<std::int32_t>(source.node.integer("users"));
  if (!source.node.has("user_names")) {
    demand.first_user = add_users(draft, source.node, source.name, demand.users);
  } else {
    const std::string first = source.node.text("user_names") + " 1";
    demand.first_user = draft.user_id(source.node, first);  // added by add_shared_users()
  }
}

}  // namespace

SimTime first_monday(const Calendar& calendar) {
  const std::chrono::weekday weekday{calendar.first_day()};
  return kStart - days{weekday.iso_encoding() - 1};
}

std::vector<ClockShift> clock_shifts(const Calendar& calendar, SimTime from, SimTime to) {
  const SimDuration at_start = calendar.zone().offset_at(calendar.start());
  std::vector<ClockShift> shifts;
  for (const OffsetStep& step : calendar.offset_steps(from, to)) {
    const SimDuration by = step.offset - at_start;
    if (!shifts.empty() || by != SimDuration::zero()) shifts.push_back({.at = step.at, .by = by});
  }
  return shifts;
}

void add_shared_users(Draft& draft, std::span<const SourceTerms> terms) {
  struct Shared {
    std::string name;
    Node node;  // of the source with most of them
    std::int64_t most = 0;
  };
  std::vector<Shared> all;
  for (const SourceTerms& source : terms) {
    if (!source.node.has("user_names")) continue;
    const std::string name = source.node.text("user_names");
    const std::int64_t count = source.node.integer("users");
    const auto known = std::ranges::find(all, name, &Shared::name);
    if (known == all.end()) {
      all.push_back({.name = name, .node = source.node, .most = count});
    } else if (known->most < count) {
      known->node = source.node;
      known->most = count;
    }
  }
  for (const Shared& shared : all) static_cast<void>(add_users(draft, shared.node, shared.name, shared.most));
}

SyntheticDemand build_synthetic(Draft& draft, const SourceTerms& source) {
  const Node& node = source.node;
  SyntheticDemand demand;
  demand.until = draft.world().window_end;
  demand.max_wait = to_law(node.at("max_wait"), {.may_last = true});
  if (node.has("work")) demand.work = to_law(node.at("work"), {});
  if (node.has("schedule")) {
    demand.arrivals = read_schedule(draft, node.at("schedule"));
  } else if (node.has("after")) {
    demand.arrivals = FollowingArrivals{};
  } else if (node.has("with")) {
    demand.arrivals = FollowingArrivals{.as_long = true};
  } else {
    demand.arrivals = read_poisson(draft, node.at("poisson"));
  }
  if (node.has("deadline")) read_deadline(draft, node.at("deadline"), demand);
  demand.job_class = draft.class_id(node, node.has("class") ? node.text("class") : source.name);
  read_shapes(draft, source, demand);
  read_users(draft, source, demand);
  return demand;
}

}  // namespace stockout
