#include <algorithm>
#include <tuple>

#include "tests/support/reference/run.h"

namespace stockout::reference {
namespace {

PoolId pool_id(std::size_t pool) { return PoolId{static_cast<std::uint16_t>(pool)}; }

/// The greatest whole number not above `ppm` millionths of `of`, for the small numbers of test worlds.
std::int64_t millionths(std::int64_t ppm, std::int64_t of) {
  constexpr std::int64_t kMillion = 1'000'000;
  std::int64_t whole = of * ppm / kMillion;
  while (whole * kMillion > of * ppm) --whole;
  return whole;
}

}  // namespace

void Run::make_request(std::size_t j, const Candidate& candidate) {
  const JobState& job = jobs_[j];
  const Policy& policy = leg_of(job, job.leg).policy;
  requests_.push_back({.job = j,
                       .leg = job.leg,
                       .pool = index(candidate.pool),
                       .lease_class = policy.lease_class,
                       .queues = policy.held || policy.admission == Admission::queue,
                       .candidate = candidate,
                       .entered = now_});
  touch(index(candidate.pool));
}

/// Phase 2: a held pool is due.
void Run::request_held_pool(std::size_t p) {
  const HeldPool& held = world_.held_pool(pool_id(p));
  pools_[p].creation = Due{};
  if (held.added_supply) {
    note("held pool added to the supply");
    create_held_pool(p);
    return;
  }
  Candidate candidate{.pool = held.landlord, .gpus = held.gpus};
  requests_.push_back(
      {.held_pool = p, .pool = index(held.landlord), .candidate = candidate, .entered = now_});
  touch(index(held.landlord));
}

void Run::create_held_pool(std::size_t p) {
  pools_[p].exists = true;
  pools_[p].created = now_;
  touch(p);
}

void Run::withdraw_all(std::size_t job, std::size_t except_request) {
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    Request& request = requests_[i];
    if (!request.open || request.job != job || i == except_request) continue;
    request.open = false;
    touch(request.pool);
  }
}

/// Something changed in the pool: it is to be dispatched.
void Run::touch(std::size_t p) {
  const bool after_dispatch =
      world_.ties == Ties::starts_first && (phase_ == Phase::releases || phase_ == Phase::capacity);
  if (after_dispatch) {
    pools_[p].touched_later.push_back(now_ + std::max(world_.grid, SimDuration{1}));
  } else {
    pools_[p].touched = true;
  }
}

/// The capacity source that the class draws on in a zone pool.
std::size_t Run::source_of(std::size_t p, LeaseClass lease_class) const {
  const auto& sources = world_.pool(pool_id(p)).capacity;
  for (std::size_t s = 0; s < sources.size(); ++s) {
    if (sources[s].classes[static_cast<std::size_t>(lease_class)]) return s;
  }
  return kNone;
}

bool Run::draws_on(const Lease& lease, std::size_t pool, std::size_t source) const {
  return lease.open && lease.pool == pool && source_of(pool, lease.lease_class) == source;
}

/// GPUs of leases of the source that are not leaving.
std::int64_t Run::staying(std::size_t pool, std::size_t source, bool with_spot) const {
  std::int64_t gpus = 0;
  for (const Lease& lease : leases_) {
    if (!draws_on(lease, pool, source) || lease.leaving) continue;
    if (lease.lease_class != LeaseClass::spot || with_spot) gpus += lease.candidate.gpus.count();
  }
  return gpus;
}

/// By how much the leases of the source, leaving ones included, exceed its capacity; negative: by how much
/// they do not.
std::int64_t Run::overhang(std::size_t pool, std::size_t source) const {
  std::int64_t gpus = 0;
  for (const Lease& lease : leases_) {
    if (draws_on(lease, pool, source)) gpus += lease.candidate.gpus.count();
  }
  return gpus - pools_[pool].sources[source].gpus;
}

bool Run::fits(const Request& request) const {
  const std::int64_t wanted = request.candidate.gpus.count();
  if (world_.is_held(pool_id(request.pool))) {
    if (!pools_[request.pool].exists) return false;
    std::int64_t room = world_.held_pool(pool_id(request.pool)).gpus.count();
    for (const Lease& lease : leases_) {
      if (lease.open && lease.pool == request.pool) room -= lease.candidate.gpus.count();
    }
    return wanted <= room;
  }
  const std::size_t source = source_of(request.pool, request.lease_class);
  if (source == kNone) return true;
  const bool is_spot = request.lease_class == LeaseClass::spot;
  return wanted <= pools_[request.pool].sources[source].gpus - staying(request.pool, source, is_spot);
}

void Run::dispatch_zone_pool(std::size_t p) {
  serve_held_creations(p);
  serve_at_once(p, LeaseClass::reserved);
  serve_at_once(p, LeaseClass::on_demand);
  dispatch_queue(p);
  serve_at_once(p, LeaseClass::flex);
  serve_at_once(p, LeaseClass::spot);
}

void Run::serve_held_creations(std::size_t p) {
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    if (!requests_[i].open || requests_[i].pool != p || requests_[i].held_pool == kNone) continue;
    if (fits(requests_[i])) {
      grant(i);
      continue;
    }
    note("held pool refused");
    requests_[i].open = false;
    const std::size_t held_pool = requests_[i].held_pool;
    pools_[held_pool].creation = from_now(world_.held_pool(pool_id(held_pool)).retry_every);
  }
}

/// At-once requests of one class, in the order in which they were made: granted or refused, one by one.
void Run::serve_at_once(std::size_t p, LeaseClass lease_class) {
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    const Request& request = requests_[i];
    if (!request.open || request.pool != p || request.queues || request.job == kNone) continue;
    if (request.lease_class != lease_class) continue;
    if (fits(request)) {
      grant(i);
    } else {
      requests_[i].open = false;
      refused_at_place(requests_[i].job);
    }
  }
}

/// Waiting requests in the order of the pool's discipline; requests_ itself is in the order in which they
/// were made.
std::vector<std::size_t> Run::waiting_in_order(std::size_t p) const {
  std::vector<std::size_t> waiting;
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    if (requests_[i].open && requests_[i].pool == p && requests_[i].queues) waiting.push_back(i);
  }
  const Pool& pool = world_.pool(pool_id(p));
  const auto rank = [&](std::size_t i) -> std::int64_t {
    const Request& request = requests_[i];
    const std::int64_t estimate = jobs_[request.job].job.estimate.count();
    switch (pool.discipline) {
      case Discipline::fifo:
      case Discipline::first_fit:
        return 0;
      case Discipline::shortest:
      case Discipline::shortest_first_fit:
        return estimate;
      case Discipline::smallest:
        return request.candidate.gpus.count();
      case Discipline::shortest_ageing:
        return estimate + millionths(pool.ageing_ppm, (request.entered - kStart).count());
    }
    return 0;
  };
  const auto key = [&](std::size_t i) { return std::tuple{rank(i), requests_[i].entered, i}; };
  std::sort(waiting.begin(), waiting.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  return waiting;
}

/// For judging coverage: the request is granted before one that entered earlier.
void Run::note_overtaking(std::size_t p, std::size_t request) {
  for (const std::size_t other : waiting_in_order(p)) {
    if (other >= request || !fits(requests_[other])) continue;
    const Discipline discipline = world_.pool(pool_id(p)).discipline;
    if (discipline == Discipline::smallest) note("overtook by being smaller");
    if (discipline == Discipline::shortest_ageing) note("overtook by being shorter, with ageing");
  }
}

/// Grants one waiting request after the other, looking at everything anew after each.
void Run::dispatch_queue(std::size_t p) {
  const Discipline discipline = world_.pool(pool_id(p)).discipline;
  const bool strict = discipline == Discipline::fifo || discipline == Discipline::shortest;
  bool granted = true;
  while (granted) {
    granted = false;
    for (const std::size_t request : waiting_in_order(p)) {
      if (fits(requests_[request])) {
        note_overtaking(p, request);
        grant(request);
        granted = true;
        break;
      }
      if (strict) break;
    }
  }
}

void Run::grant(std::size_t r) {
  Request& request = requests_[r];
  const std::size_t p = request.pool;
  request.open = false;
  Lease lease{.held_pool = request.held_pool,
              .pool = p,
              .lease_class = request.lease_class,
              .candidate = request.candidate,
              .granted = now_};
  if (request.job != kNone) {
    JobState& job = jobs_[request.job];
    if (has_open_request(request.job)) note("race won, others withdrawn");
    if (request.leg != job.leg) note("kept request granted");
    withdraw_all(request.job, r);
    job.patience = job.own_wait = job.step_due = Due{};
    job.leg = request.leg;
    if (job.first_grant == kNever) job.first_grant = now_;
    lease.job = request.job;
    lease.leg = request.leg;
    lease.attempt = job.attempt;
    lease.notice = leg_of(job, request.leg).policy.notice;
  }
  leases_.push_back(lease);
  const bool zone = !world_.is_held(pool_id(p));
  const std::size_t source = zone ? source_of(p, lease.lease_class) : kNone;
  if (source != kNone) {
    if (lease.lease_class != LeaseClass::spot) take_back(p, source, {LeaseClass::spot});
    if (overhang(p, source) > 0) {
      note("delayed lease");
      leases_.back().delayed = true;
      return;
    }
  }
  begin_lease(leases_.size() - 1);
}

/// Leases of one class that may be taken back, in the order of the pool's rule.
std::vector<std::size_t> Run::victims_in_order(std::size_t p, std::size_t source, LeaseClass lease_class) {
  std::vector<std::size_t> victims;  // leases_ is in order of grant
  for (std::size_t i = 0; i < leases_.size(); ++i) {
    const Lease& lease = leases_[i];
    const bool may_go = draws_on(lease, p, source) && !lease.leaving && lease.held_pool == kNone;
    if (may_go && lease.lease_class == lease_class) victims.push_back(i);
  }
  const ReclaimRule rule = world_.pool(pool_id(p)).reclaim;
  if (rule == ReclaimRule::oldest) return victims;
  std::reverse(victims.begin(), victims.end());
  if (rule == ReclaimRule::newest) return victims;
  const auto word = [this](std::size_t i) {
    const Lease& lease = leases_[i];
    Draw draw = dice_.draw(Purpose::victim, draw_entity(jobs_[lease.job].job),
                           static_cast<std::uint64_t>(lease.attempt));
    return draw();
  };
  std::vector<std::pair<std::uint64_t, std::size_t>> ranked;  // equal ranks: in order of victims
  for (const std::size_t i : victims) {
    const bool by_draw = rule == ReclaimRule::random;
    ranked.emplace_back(by_draw ? word(i) : static_cast<std::uint64_t>(loss_now(leases_[i])), i);
  }
  const auto by_rank = [](const auto& a, const auto& b) { return a.first < b.first; };
  std::stable_sort(ranked.begin(), ranked.end(), by_rank);
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    if (i > 0 && ranked[i - 1].first == ranked[i].first) note("losses are equal");
    if (ranked[i].second != victims[i]) {
      note(rule == ReclaimRule::random ? "victims by draw" : "victims by loss");
    }
    victims[i] = ranked[i].second;
  }
  return victims;
}

/// Chooses leases of the source, weakest class first and within a class by the pool's rule, until those that
/// stay fit; spares those chosen that turn out unnecessary, in the order of choice; the others are leaving
/// from now on.
void Run::take_back(std::size_t p, std::size_t source, std::vector<LeaseClass> weakest_first) {
  const std::int64_t capacity = pools_[p].sources[source].gpus;
  std::int64_t stay = staying(p, source, /*with_spot=*/true);
  std::vector<std::size_t> chosen;
  for (const LeaseClass lease_class : weakest_first) {
    for (const std::size_t victim : victims_in_order(p, source, lease_class)) {
      if (stay <= capacity) break;
      stay -= leases_[victim].candidate.gpus.count();
      chosen.push_back(victim);
    }
  }
  for (const std::size_t victim : chosen) {
    const std::int64_t gpus = leases_[victim].candidate.gpus.count();
    if (stay + gpus <= capacity) {
      note("spared victim");
      stay += gpus;
    } else {
      set_leaving(victim);
    }
  }
}

/// Phase 2: the step of a capacity source that is due, if any.
void Run::capacity_step(std::size_t p, std::size_t s) {
  SourceState& source = pools_[p].sources[s];
  if (source.next_step == source.steps.size() || source.steps[source.next_step].at != now_) return;
  const std::int64_t before = source.gpus;
  source.gpus = source.steps[source.next_step++].gpus.count();
  touch(p);
  if (source.gpus > before) start_delayed(p, s);
  if (source.gpus >= before) return;
  note("capacity fell");
  take_back(p, s, {LeaseClass::spot, LeaseClass::flex, LeaseClass::on_demand, LeaseClass::reserved});
}

}  // namespace stockout::reference
