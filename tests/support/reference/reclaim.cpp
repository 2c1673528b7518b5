#include <algorithm>
#include <utility>

#include "tests/support/reference/run.h"

namespace stockout::reference {

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

/// What the steps say, or in a held pool the machines that are there, less what is broken. `source` does not
/// matter in a held pool.
std::int64_t Run::capacity_of(std::size_t p, std::size_t source) const {
  std::int64_t whole = 0;
  if (!is_held(p)) {
    whole = pools_[p].sources[source].gpus;
  } else if (held_pool(p).scaling) {
    whole = machines_present(p) * machine_gpus(p);
  } else if (pools_[p].exists) {
    whole = held_pool(p).gpus.count();
  }
  return std::max<std::int64_t>(0, whole - broken_in(p, is_held(p) ? kNone : source));
}

/// GPUs of leases of the source that are not leaving.
std::int64_t Run::staying(std::size_t pool, std::size_t source, bool with_spot) const {
  std::int64_t gpus = 0;
  for (const Lease& lease : leases_) {
    if (!draws_on(lease, pool, source) || lease.leaving) continue;
    if (lease.lease_class != LeaseClass::spot || with_spot) gpus += gpus_staying(lease);
  }
  return gpus;
}

/// GPUs by which leases that are not leaving exceed the source's capacity.
std::int64_t Run::shortage(std::size_t pool, std::size_t source) const {
  return std::max<std::int64_t>(0, staying(pool, source, /*with_spot=*/true) - capacity_of(pool, source));
}

/// By how much the leases of the source, leaving ones included, exceed what is there for those that stay;
/// negative: by how much they do not.
std::int64_t Run::overhang(std::size_t pool, std::size_t source) const {
  std::int64_t gpus = 0;
  for (const Lease& lease : leases_) {
    if (draws_on(lease, pool, source)) gpus += lease.candidate.gpus.count();
  }
  return gpus - capacity_of(pool, source) - shortage(pool, source);
}

/// Spot leases that may be taken back, in the order of the pool's rule.
std::vector<std::size_t> Run::spot_in_order(std::size_t p, std::size_t source) {
  std::vector<std::size_t> victims;  // leases_ is in order of grant
  for (std::size_t i = 0; i < leases_.size(); ++i) {
    const Lease& lease = leases_[i];
    const bool may_go = draws_on(lease, p, source) && !lease.leaving && lease.held_pool == kNone;
    if (may_go && lease.lease_class == LeaseClass::spot) victims.push_back(i);
  }
  const ReclaimRule rule = world_.pool(pool_id(p)).reclaim;
  if (rule == ReclaimRule::oldest) return victims;
  std::reverse(victims.begin(), victims.end());
  if (rule == ReclaimRule::newest) return victims;
  const auto word = [this](std::size_t i) {
    const Lease& lease = leases_[i];
    Draw draw = dice_.draw(Purpose::victim, draw_entity(jobs_[lease.job].job), lease.draws);
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

/// Chooses spot leases of the source, by the pool's rule, until those that stay fit; spares those chosen that
/// turn out unnecessary, in the order of choice; the others are leaving from now on.
void Run::take_back_spot(std::size_t p, std::size_t source) {
  const std::int64_t capacity = capacity_of(p, source);
  std::int64_t stay = staying(p, source, /*with_spot=*/true);
  struct Chosen {
    std::size_t lease = 0;
    std::int64_t gives = 0;
  };
  std::vector<Chosen> chosen;
  for (const std::size_t victim : spot_in_order(p, source)) {
    if (stay <= capacity) break;
    chosen.push_back({.lease = victim, .gives = gpus_to_give(leases_[victim], stay - capacity)});
    stay -= chosen.back().gives;
  }
  for (const Chosen& victim : chosen) {
    if (stay + victim.gives <= capacity) {
      note("spared victim");
      stay += victim.gives;
    } else {
      give_back(victim.lease, victim.gives);
    }
  }
}

/// Phase 2: the step of a capacity source that is due, if any.
void Run::capacity_step(std::size_t p, std::size_t s) {
  SourceState& source = pools_[p].sources[s];
  if (source.next_step == source.steps.size() || source.steps[source.next_step].at != now_) return;
  const std::int64_t before = capacity_of(p, s);
  source.gpus = source.steps[source.next_step++].gpus.count();
  capacity_changed(p, s, before);
}

/// A source has not the capacity any more that it had before.
void Run::capacity_changed(std::size_t p, std::size_t s, std::int64_t before) {
  touch(p);
  const std::int64_t after = capacity_of(p, s);
  if (after > before) start_delayed(p, s);
  if (after >= before) return;
  note("capacity fell");
  take_back_spot(p, s);
  if (shortage(p, s) == 0) return;
  note("over-full: a stronger lease runs on");
  pools_[p].sources[s].was_over_full = true;
}

}  // namespace stockout::reference
