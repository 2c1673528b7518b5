#include "models/scenario/supply/held_forms.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/scenario/draft/lengths.h"
#include "models/scenario/format/fill.h"
#include "models/scenario/supply/least_calendar.h"
#include "sim/core/duration_text.h"
#include "sim/core/hours.h"

namespace stockout {
namespace {

using namespace std::chrono_literals;

constexpr SimDuration kCalendarLead = 87h;
constexpr std::chrono::days kShortestCalendar{1};
constexpr std::chrono::days kLongestCalendar{90};
constexpr std::chrono::days kCalendarHorizon{120};
constexpr std::chrono::days kCalendarLock{56};
constexpr std::chrono::year_month_day kCancelSince{std::chrono::year{2026}, std::chrono::June,
                                                   std::chrono::day{26}};
constexpr SimDuration kFutureLead = 30 * 24h;
constexpr SimDuration kGather = 24h;
constexpr SimDuration kIdleAfter = 10min;     // of a node pool: the autoscaler's scale-down-unneeded-time
constexpr SimDuration kSuspendTime = 5min;    // of Slurm's nodes: Cluster Toolkit's
constexpr SimDuration kNodePoolRetry = 5min;  // the first back-off of a node group, ResumeTimeout of Slurm
constexpr SimDuration kNodePoolAfterAdd = 10min;  // the autoscaler's scale-down-delay-after-add
const Law kMassSpread{.kind = Law::Kind::uniform, .a = 0min, .b = 3min};
const Law kColdStart{.kind = Law::Kind::uniform, .a = 5min, .b = 10min};

bool is_booked(HeldModel model) {
  return model == HeldModel::calendar || model == HeldModel::future_reservation;
}

// Of a key that may be missing.
double share_of(const Node& node, std::string_view key) { return node.has(key) ? node.number(key) : 1; }

std::int32_t ppm(double share) { return static_cast<std::int32_t>(std::llround(share * 1e6)); }

void check_calendar(const Node& node, SimDuration lead) {
  const auto length = std::chrono::sys_days{node.date("until")} -
                      std::chrono::sys_days{node.date("from")};  // clocks may change
  if (length < kShortestCalendar || length > kLongestCalendar) {
    node.at("until").fail(fmt::format("a calendar booking is for 1 to 90 days, not {}", length.count()));
  }
  if (lead < kCalendarLead) {
    node.at(node.has("booked") ? "booked" : "lead_time")
        .fail(fmt::format("a calendar booking is made at least {} beforehand, not {}",
                          format_duration(kCalendarLead), format_duration(lead)));
  }
  const bool is_of_days = node.has("booked");  // clocks may change between them
  if (lead > kCalendarHorizon + (is_of_days ? 1h : 0h)) {
    node.at(is_of_days ? "booked" : "lead_time")
        .fail(fmt::format("a calendar booking is made at most {} days beforehand, not {}",
                          kCalendarHorizon.count(), format_duration(lead)));
  }
}

// The day on which a held pool begins.
Date first_day_of(const Draft& draft, const Node& node) {
  return node.has("from") ? node.date("from") : draft.calendar.local_day(draft.scenario.world.begin);
}

void check_future(Draft& draft, const Node& node, SimDuration lead) {
  const Date first = first_day_of(draft, node);
  if (node.has("until") && node.date("until") < years_after(first, 1)) {
    node.at("until").fail(
        fmt::format("a future reservation is for a year or more, to {} at least; for 1 to 90 days "
                    "there is \"calendar\"",
                    to_text(years_after(first, 1))));
  }
  if (lead >= kFutureLead) return;
  draft.warn(
      fmt::format("{}: a future reservation is requested {} beforehand; no lead time is published, and {} is "
                  "assumed for the account team",
                  node.text("name"), format_duration(lead), format_duration(kFutureLead)));
}

// A calendar booking is locked 56 days before it starts, or when it is made if that is later; it cannot be
// cancelled from then on, and could not be at all before 2026-06-26.
void check_cancelled(const Draft& draft, const Node& node, const HeldPool& held, SimDuration lead) {
  const Node day = node.at("cancelled");
  const auto cancelled = std::chrono::sys_days{day.as_date()};
  if (cancelled < std::chrono::sys_days{kCancelSince}) {
    day.fail(fmt::format("calendar bookings can be cancelled since {} only", to_text(kCancelSince)));
  }
  const SimTime booked = held.from - lead;
  const SimTime at = draft.calendar.time(day.as_date(), {});
  if (at < booked) day.fail("is before the booking is made: see \"booked\" and \"lead_time\"");
  const auto lock = std::chrono::sys_days{node.date("from")} - kCalendarLock;
  if (booked >= draft.calendar.time(Date{lock}, {})) {
    day.fail(fmt::format("a booking made less than {} days before its start is locked at once",
                         kCalendarLock.count()));
  }
  if (cancelled >= lock) {
    day.fail(fmt::format("is too late: the booking is locked from {} on, {} days before it starts",
                         to_text(Date{lock}), kCalendarLock.count()));
  }
}

Booking read_booking(Draft& draft, const Node& node, HeldModel model, HeldPool& held) {
  const SimTime begin = draft.world().begin;
  const SimDuration usual = model == HeldModel::calendar ? kCalendarLead : kFutureLead;
  SimDuration lead = node.has("lead_time") ? node.duration("lead_time") : usual;
  if (node.has("booked")) {
    lead = held.from - draft.calendar.time(node.date("booked"), {});
    if (lead < SimDuration::zero()) node.at("booked").fail("must not be after \"from\"");
  }
  if (model == HeldModel::calendar) check_calendar(node, lead);
  if (model == HeldModel::future_reservation) check_future(draft, node, lead);
  const bool is_cancelled = node.has("cancelled");
  if (is_cancelled) check_cancelled(draft, node, held, lead);
  const Booking booking{.decided = std::clamp(held.from - lead, begin, std::max(begin, held.from)),
                        .gather = node.has("gather") ? node.duration("gather") : kGather,
                        .accept_ppm = is_cancelled ? 0 : ppm(share_of(node, "acceptance")),
                        .bookable_ppm = ppm(share_of(node, "bookable"))};
  if (is_cancelled) {
    draft.assume(
        fmt::format("{}: cancelled on {}, before its lock: not held and not paid, as if never booked",
                    held.pool.name, to_text(node.date("cancelled"))));
    return booking;
  }
  draft.assume(fmt::format(
      "{}: {:.4g} % of bookings with room are accepted. Up to {:.4g} % of the capacity can be promised; "
      "freed machines are kept for it from {} before its start",
      held.pool.name, booking.accept_ppm / 1e4, booking.bookable_ppm / 1e4, format_duration(booking.gather)));
  return booking;
}

Scaling read_scaling(Draft& draft, const Node& node, HeldModel model, HeldPool& held) {
  const bool is_node_pool = model != HeldModel::persistent_resource;
  const bool is_of_slurm = model == HeldModel::slurm_nodes;
  if (is_node_pool && !node.has("retry_every")) held.retry_every = kNodePoolRetry;
  const std::int64_t usual = is_node_pool ? 0 : std::min<std::int64_t>(1, held.machines.count());
  Scaling scaling{.least = MachineCount{node.has("least") ? node.integer("least") : usual},
                  .idle_after = node.has("idle_after") ? node.duration("idle_after")
                                : is_of_slurm          ? kSuspendTime
                                                       : kIdleAfter,
                  .cold_start = node.has("cold_start") ? to_law(node.at("cold_start"), {}) : kColdStart};
  scaling.is_node_pool = is_node_pool;
  if (is_node_pool && !is_of_slurm) scaling.after_add = kNodePoolAfterAdd;
  if (node.has("after_add")) scaling.after_add = node.duration("after_add");
  if (scaling.least > held.machines) {
    node.at("least").fail(fmt::format("must be at most \"count\", {}, but is {}", held.machines.count(),
                                      scaling.least.count()));
  }
  if (node.has("raised")) scaling.steps = read_least_steps(draft, node, scaling.least, held);
  draft.assume(fmt::format("{}: grows by what waits, gives back a machine after {} without work{}",
                           held.pool.name, format_duration(scaling.idle_after),
                           is_node_pool ? ", and asks again at one interval, which does not double" : ""));
  return scaling;
}

// A commitment is paid for its whole term, from the day on which its machines were to come.
void read_term(Draft& draft, const Node& node, HeldPool& held) {
  const int years = node.text("commitment") == "3y" ? 3 : node.text("commitment") == "1y" ? 1 : 0;
  if (years == 0) return;
  const Date end = years_after(first_day_of(draft, node), years);
  const SimTime term_ends = draft.calendar.time(end, {});
  held.committed = std::max(SimDuration::zero(), term_ends - held.from);
  if (std::min(held.until, draft.world().window_end) > term_ends) {
    draft.warn(
        fmt::format("{}: its commitment of {} ends on {}, and is taken to be renewed at the same price",
                    held.pool.name, node.text("commitment"), to_text(end)));
  }
  if (held.until >= term_ends) return;
  draft.assume(fmt::format("{}: its commitment is paid to {}, also after it is given back on {}",
                           held.pool.name, to_text(end), to_text(node.date("until"))));
}

}  // namespace

void read_form(Draft& draft, const Node& node, HeldModel model, HeldPool& held) {
  held.from = draft.world().begin;
  if (node.has("from")) held.from = draft.calendar.time(node.date("from"), {});
  if (node.has("until")) held.until = draft.calendar.time(node.date("until"), {});
  if (held.until <= std::max(held.from, draft.world().begin))
    node.at("until").fail("must be after \"from\", and after the start of the run");
  if (is_booked(model)) held.booking = read_booking(draft, node, model, held);
  if (is_elastic(model)) held.scaling = read_scaling(draft, node, model, held);
  held.from = std::max(held.from, draft.world().begin);
  read_term(draft, node, held);
}

std::vector<FaultRule> read_faults(const Node& pool) {
  std::vector<FaultRule> rules;
  for (const Node& node : pool.list("faults")) {
    FaultRule rule{.name = {},
                   .life = to_law(node.at("life"), {.positive = true, .may_last = true}),
                   .notice = {},
                   .repair = to_law(node.at("repair"), {})};
    fill(rule, node);
    if (cut_mean_ms(rule.life) < kMsPerHour) node.at("life").fail("must be at least 1h on the average");
    rules.push_back(std::move(rule));
  }
  return rules;
}

std::optional<MassReclaim> read_mass_reclaim(Draft& draft, const Node& node, const Pool& pool) {
  if (!node.has("mass_reclaim")) return std::nullopt;
  const Node rule = node.at("mass_reclaim");
  const MassReclaim read{.every = to_law(rule.at("every"), {.positive = true}),
                         .share_ppm = ppm(rule.number("share")),
                         .spread = rule.has("spread") ? to_law(rule.at("spread"), {}) : kMassSpread};
  if (cut_mean_ms(read.every) < kMsPerHour) rule.at("every").fail("must be at least 1h on the average");
  draft.assume(
      fmt::format("{}: {:.4g} % of its Spot machines are preempted together, every {:.4g} h on the average",
                  pool.name, read.share_ppm / 1e4, cut_mean_ms(read.every) / kMsPerHour));
  return read;
}

}  // namespace stockout
