#include "models/simulation/lives/flights.h"

namespace stockout {
namespace {

bool is_endless(const Law& law) { return !law.is_random() && law.constant() == kForever; }

// No rule can end the lease of such a leg before its work is done, but for the maximum run.
bool is_plain(const Leg& leg) {
  const Policy& policy = leg.policy;
  const bool waits_without_end = policy.waits() && !policy.held && leg.patience() == kForever;
  const bool starts_at_once = !policy.provisioning.is_random() && !policy.start_up.is_random() &&
                              policy.health.takes == SimDuration::zero() && policy.health.fails_ppm == 0;
  return waits_without_end && starts_at_once && is_endless(policy.lifetime) && !leg.partial && !leg.pods &&
         leg.race == Race::first_grant && policy.lease_class != LeaseClass::spot;
}

bool is_plain(const Pool& pool) { return !pool.placement && !pool.hold_for_head && pool.faults.empty(); }

}  // namespace

Flights::Flights(const World& world, Tables& tables, Agenda& agenda, Books& books, Recorder& recorder,
                 const Route& route, const Orchestration& orchestration, LeaseStart& starts)
    : world_{world},
      tables_{tables},
      agenda_{agenda},
      books_{books},
      recorder_{recorder},
      route_{route},
      starts_{starts},
      orchestration_{orchestration},
      plans_{.classes = world.classes.size(), .shapes = world.shapes.size()} {
  plans_.all.resize(route.strategies() * plans_.classes * plans_.shapes);
}

void Flights::add_rows(JobSlot slot) {
  flights_.resize(index(slot) + 1);
  requests_.resize(index(slot) + 1);
}

std::unique_ptr<FlightPlan> Flights::work_out(const Job& job, std::uint32_t number) {
  auto plan = std::make_unique<FlightPlan>();
  const std::optional<GrantPlan> grant = recorder_.log().is_on() ? std::nullopt : only_grant(job, number);
  if (!grant) return plan;
  const Policy& policy = grant->leg->policy;
  const SimDuration provisioning = policy.provisioning.constant();
  *plan = {.is_plain = true,
           .is_tenant = number != 0,
           .job_class = job.job_class,
           .shape = job.shape,
           .strategy_number = number,
           .grant = *grant,
           .checkpoints = checkpoints_of(world_.classes[index(job.job_class)]),
           .provisioning = provisioning,
           .start = provisioning + policy.start_up.constant(),
           .run_max = policy.run_max,
           .series = {}};
  return plan;
}

// Where a job can ask, if that is but one place and nothing but its turn comes between it and its lease.
std::optional<GrantPlan> Flights::only_grant(const Job& job, std::uint32_t number) const {
  JobState asking;
  asking.job = job;
  route_.assign(asking, number);
  const Strategy& strategy = *asking.route.strategy;
  const bool may_exit = world_.classes[index(job.job_class)].exits.any();
  if (strategy.deadline_rule || strategy.cheapest_first || may_exit) return std::nullopt;
  const std::size_t first = route_.first_leg(asking);
  if (first == strategy.legs.size() || !is_plain(strategy.legs[first])) return std::nullopt;
  const auto& places = route_.usable(asking, first);
  if (places.size() != 1 || world_.is_held(places[0]->pool)) return std::nullopt;
  const Leg& leg = strategy.legs[first];
  const Candidate& candidate = *places[0];
  PoolState& pool = books_.pool(candidate.pool);
  if (!is_plain(*pool.spec) || candidate.parts[0].machines == 0 || candidate.parts[1].machines > 0)
    return std::nullopt;
  return GrantPlan{.leg = &leg,
                   .candidate = &candidate,
                   .pool = &pool,
                   .source = pool.source(leg.policy.lease_class),
                   .pool_id = candidate.pool,
                   .lease_class = leg.policy.lease_class,
                   .leg_number = static_cast<std::uint8_t>(first),
                   .rate = candidate.rate_ppm,
                   .gpus = candidate.gpus,
                   .unused = candidate.unused,
                   .machines = MachineCount{candidate.parts[0].machines}};
}

PoolId Flights::end(JobSlot slot) {
  const GrantPlan& grant = grant_of(slot);
  land(slot);
  if (grant.source != nullptr) starts_.start_ready(*grant.pool, *grant.source);
  return grant.pool_id;
}

// The series is asked for once a user.
UsageLedger::Series Flights::open_series(FlightPlan& plan, UserId user) {
  if (plan.series.size() <= index(user)) plan.series.resize(index(user) + 1, kUnknownSeries);
  return plan.series[index(user)] =
             recorder_.meter().series({.line = plan.grant.candidate->parts[0].line.value(),
                                       .user = user,
                                       .job_class = plan.job_class});
}

Lease Flights::lease_of(JobSlot slot) const {
  const Flight& flight = flights_[index(slot)];
  const FlightPlan& plan = *flight.plan;
  const GrantPlan& grant = plan.grant;
  return {.job = slot,
          .pool = grant.pool_id,
          .lease_class = grant.lease_class,
          .tenant = plan.is_tenant,
          .gpus = grant.gpus,
          .asked = {.candidate = grant.candidate, .leg = grant.leg, .attempt = 1},
          .times = {.granted = flight.granted,
                    .up = flight.granted + plan.provisioning,
                    .working = flight.granted + plan.start,
                    .ends = end_of(flight),
                    .stops = flight.granted + flight.length}};
}

Request Flights::to_rooms(JobSlot slot) {
  Flight& flight = flights_[index(slot)];
  const FlightPlan& plan = *flight.plan;
  const FlightRequest& request = requests_[index(slot)];
  JobState& job = tables_.jobs[slot];
  job = {};
  job.job = {.submit = flight.released,
             .work = flight.work,
             .estimate = request.estimate,
             .shape = plan.shape,
             .job_class = plan.job_class,
             .user = flight.user,
             .source = request.source,
             .row = flight.row};
  route_.assign(job, plan.strategy_number);
  job.record = flight.record;
  job.generation = tables_.new_generation();
  job.asks.attempt = 1;
  job.asks.leg = plan.grant.leg_number;
  job.asks.stage = Stage::queueing;
  job.orchestrators.is_released = true;
  job.history.released = flight.released;
  job.work_left = flight.work;
  if (flight.is_running()) {
    job.history.first_grant = job.history.leased_since = flight.granted;
    job.lease = books_.adopt(lease_of(slot));
  } else {
    leave_queue(slot);
  }
  flight.plan = nullptr;
  return {.job = slot,
          .candidate = plan.grant.candidate,
          .leg = plan.grant.leg,
          .leg_number = plan.grant.leg_number,
          .waiting = true,
          .entered = flight.released};
}

std::uint64_t Flights::all_to_rooms() {
  std::uint64_t waiting = 0;
  for (std::size_t i = 0; i < flights_.size(); ++i) {
    if (flights_[i].plan == nullptr) continue;
    if (!flights_[i].is_running()) {
      ++waiting;
      recorder_.requests().closed();
    }
    to_rooms(JobSlot{static_cast<std::uint32_t>(i)});
  }
  return waiting;
}

}  // namespace stockout
