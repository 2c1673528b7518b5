#include <algorithm>
#include <optional>
#include <utility>

#include "models/supply/capacity_path.h"
#include "tests/support/reference/run.h"

// Section 4: who holds which GPUs, and how many there are.
namespace stockout::reference {

/// R4.1: The capacity source that the class draws on, or kNone: it is unlimited, or the pool is held.
std::size_t Run::source_of(std::size_t p, LeaseClass lease_class) const {
  const auto& sources = pool_of(p).capacity;
  const auto names_it = [lease_class](const CapacitySource& source) {
    return source.classes[static_cast<std::size_t>(lease_class)];
  };
  const auto found = std::ranges::find_if(sources, names_it);
  return found == sources.end() ? kNone : static_cast<std::size_t>(found - sources.begin());
}

bool Run::draws_on(const Asked& asked, std::size_t pool, std::size_t source) const {
  return asked.pool == pool && source_of(pool, asked.lease_class) == source;
}

/// R4.2, R4.3: All steps of the source in this replication. The levels of a chain come from the function
/// that the chain's own tests hold to its theory.
std::vector<CapacityStep> Run::steps_of(const CapacitySource& source) const {
  if (source.chain == nullptr) return source.steps;
  CapacityPath path{source, random_, world_.begin, latest_end()};
  std::vector<CapacityStep> steps{{.at = world_.begin, .gpus = path.gpus()}};
  while (path.next_at() != kNever) {
    const SimTime at = path.next_at();
    path.advance();
    steps.push_back({.at = at, .gpus = path.gpus()});
  }
  return steps;
}

/// R4.4, R8.9, R12.2: What the steps say, or in a held pool the machines that are there, less what is
/// broken. `source` does not matter in a held pool.
std::int64_t Run::capacity_of(std::size_t p, std::size_t source) const {
  std::int64_t gpus = 0;
  if (!is_held(p)) {
    const SourceState& state = pools_[p].sources[source];
    gpus = state.steps[state.next_step - 1].gpus.count();
  } else if (held_pool(p).scaling) {
    gpus = machines_leased(p, /*present=*/true) * held_pool(p).machine_gpus().count();
  } else if (pools_[p].created != kNever && !is_over(p)) {
    gpus = held_pool(p).gpus.count();
  }
  for (const Broken& broken : pools_[p].broken)
    gpus -= is_held(p) || broken.source == source ? broken.gpus : 0;
  return std::max<std::int64_t>(0, gpus);
}

/// GPUs of the lease now.
std::int64_t Run::gpus_of(const Lease& lease) const {
  return gpus_where(lease, [](const Machine& machine) { return machine.gone == kNever; });
}

/// Its GPUs beside machines that are leaving before the others.
std::int64_t Run::gpus_staying(const Lease& lease) const {
  return gpus_where(lease, [](const Machine& machine) { return !machine.leaving; });
}

/// R4.4: GPUs of leases of the source that are not leaving.
std::int64_t Run::staying(std::size_t pool, std::size_t source, bool with_spot) const {
  std::int64_t gpus = 0;
  for (const Lease& lease : leases_) {
    if (!lease.stays() || !draws_on(lease, pool, source)) continue;
    if (lease.lease_class != LeaseClass::spot || with_spot) gpus += gpus_staying(lease);
  }
  return gpus;
}

/// R16.5: GPUs by which leases that are not leaving exceed the source's capacity.
std::int64_t Run::shortage(std::size_t pool, std::size_t source) const {
  return std::max<std::int64_t>(0, staying(pool, source, /*with_spot=*/true) - capacity_of(pool, source));
}

/// R4.4: By how much the leases of the source, leaving ones included, exceed what is there for those
/// that stay; negative: by how much they do not.
std::int64_t Run::overhang(std::size_t pool, std::size_t source) const {
  std::int64_t gpus = 0;
  for (const Lease& lease : leases_) {
    if (lease.open() && draws_on(lease, pool, source)) gpus += gpus_of(lease);
  }
  return gpus - capacity_of(pool, source) - shortage(pool, source);
}

/// R12.6: GPUs of a held pool that no lease has; negative while a lease works out its notice on a broken
/// machine.
std::int64_t Run::room_in_held(std::size_t p) const {
  std::int64_t room = capacity_of(p, kNone);
  for (const Lease& lease : leases_) {
    if (lease.open() && lease.pool == p) room -= gpus_of(lease);
  }
  return room;
}

/// R12.19: GPUs that bookings keep from everybody else while they gather.
std::int64_t Run::gathered_for(std::size_t p, std::size_t source) const {
  std::int64_t gpus = 0;
  for (const Request& request : requests_) {
    const bool here = request.open() && is_of_booking(request) && draws_on(request, p, source);
    gpus += here ? request.candidate.gpus.count() : 0;
  }
  return gpus;
}

/// R5.6 to R5.9: GPUs that are kept from an at-once request because they gather for the head of the
/// queue.
std::int64_t Run::kept_for_head(const Request& request) {
  const std::size_t p = request.pool;
  if (is_held(p) || !pool_of(p).hold_for_head || request.job == nullptr || request.queues()) return 0;
  if (request.lease_class == LeaseClass::reserved) return 0;
  if (!draws_on(request, p, source_of(p, LeaseClass::flex))) return 0;
  const std::vector<Request*> waiting = waiting_in_order(p);
  return waiting.empty() ? 0 : waiting.front()->candidate.gpus.count();
}

/// R4.4, R12.6: GPUs that the request may have, those of spot leases too if it is stronger.
std::int64_t Run::room_for(const Request& request) {
  const std::size_t p = request.pool;
  if (is_held(p)) return is_over(p) ? 0 : room_in_held(p);
  const std::size_t source = source_of(p, request.lease_class);
  if (source == kNone) return kNoLimit;
  const std::int64_t gathered = is_of_booking(request) ? 0 : gathered_for(p, source);
  return capacity_of(p, source) - staying(p, source, request.lease_class == LeaseClass::spot) - gathered -
         kept_for_head(request);
}

/// R6.4, R4.21, R10.3.
bool Run::fits(const Request& request) {
  if (is_partial(request)) {
    const bool gathers = leg_of(request).partial->gather > SimDuration::zero();
    return machines_within_room(request) >= (gathers ? 1 : request.candidate.least);
  }
  if (request.candidate.gpus.count() > room_for(request)) return false;
  return !has_hosts(request.pool) || finds_hosts(request);
}

/// R2.2, R4.5: Phase 2: of the capacity sources whose step is due, the one whose step was set first. False:
/// none is due.
bool Run::capacity_step() {
  std::optional<std::pair<std::size_t, std::size_t>> first;
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    for (std::size_t s = 0; s < pools_[p].sources.size(); ++s) {
      const SourceState& source = pools_[p].sources[s];
      if (source.next_step == source.steps.size() || source.steps[source.next_step].at != now_) continue;
      if (!first || source.order < pools_[first->first].sources[first->second].order) first = {p, s};
    }
  }
  if (!first) return false;
  const auto [p, s] = *first;
  SourceState& source = pools_[p].sources[s];
  const std::int64_t before = capacity_of(p, s);
  ++source.next_step;
  source.order = orders_++;
  capacity_changed(p, s, before);
  return true;
}

/// R4.5, R4.6, R4.9: A source has not the capacity any more that it had before.
void Run::capacity_changed(std::size_t p, std::size_t s, std::int64_t before) {
  touch(p);
  const std::int64_t after = capacity_of(p, s);
  if (after > before) start_delayed(p, s);
  if (after >= before) return;
  note("capacity fell");
  reclaim_spot(p, s);
  if (shortage(p, s) == 0) return;
  note("over-full: a stronger lease runs on");
  pools_[p].sources[s].was_over_full = true;
}

std::int64_t Run::gpus_of_batch(const Lease& lease, std::size_t batch) const {
  return gpus_where(lease, [batch](const Machine& machine) { return machine.batch == batch; });
}

/// R4.9, R4.10, R4.28: Room has come free in the source, or its capacity has risen: those whose turn it
/// is start up.
void Run::start_delayed(std::size_t p, std::size_t source) {
  if (source == kNone) return;
  const auto delayed = delayed_ones(p, source);
  std::int64_t available = -std::max<std::int64_t>(0, overhang(p, source));
  for (const auto& [lease, batch] : delayed) available += gpus_of_batch(*lease, batch);
  for (const auto& [lease, batch] : delayed) {
    if (has_hosts(p) && !hosts_are_free(*lease)) continue;
    if (!has_hosts(p) && gpus_of_batch(*lease, batch) > available) return;
    available -= gpus_of_batch(*lease, batch);
    if (lease->granted < now_) {
      note(has_hosts(p) ? "hosts: delayed lease began later" : "delayed lease began later");
    }
    if (shortage(p, source) > 0) note("over-full: a delayed lease begins");
    begin_batch(*lease, batch);
  }
}

/// R4.8: Batches in the order in which they joined the list.
std::vector<std::pair<Lease*, std::size_t>> Run::delayed_ones(std::size_t p, std::size_t source) {
  std::vector<std::pair<Lease*, std::size_t>> delayed;
  for (Lease& lease : leases_) {
    if (!lease.open() || !draws_on(lease, p, source)) continue;
    for (std::size_t k = 0; k < lease.batches.size(); ++k) {
      if (lease.batches[k].delayed) delayed.emplace_back(&lease, k);
    }
  }
  std::ranges::sort(delayed, {}, [](const auto& one) { return one.first->batches[one.second].delayed; });
  return delayed;
}

}  // namespace stockout::reference
