#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/simulation/books/books.h"
#include "models/simulation/books/pool_checks.h"
#include "models/simulation/books/recorder.h"
#include "models/simulation/ground/agenda.h"
#include "models/simulation/ground/outcome.h"
#include "models/simulation/ground/tables.h"
#include "models/simulation/lives/flights.h"
#include "models/simulation/lives/gangs.h"
#include "models/simulation/lives/lease_start.h"
#include "models/simulation/lives/making_way.h"
#include "models/simulation/lives/requests.h"
#include "models/simulation/lives/spreads.h"

namespace stockout {

/// Grants and refuses: the dispatch of a pool, one decision at a time, and the asking of held pools for
/// machines of their landlord.
class Market {
 public:
  Market(Tables& tables, Agenda& agenda, Books& books, Recorder& recorder, Gangs& gangs, Spreads& spreads,
         LeaseStart& starts, Flights& flights, MakingWay& making_way, Requests& requests, Outcomes& outcomes);

  // The dispatch of a pool.

  void begin_dispatch(PoolId pool);
  /// Makes the next decision; false: there is none left. What became of it is an outcome, to be heard before
  /// the next one.
  bool decide();

  // What others ask.

  /// GPUs for a request that is granted or refused at once: less by what gathers for the head of the queue.
  [[nodiscard]] GpuCount room_at_once(const PoolState& pool, LeaseClass lease_class) const;
  /// Whether an at-once request would be granted now.
  [[nodiscard]] bool has_room(const Candidate& candidate, const Leg& leg);

  /// A held pool asks its landlord for machines, all or nothing: its lease, or kNoLease. `number`: of the
  /// machine of an elastic pool, from 1 on.
  LeaseSlot lease_machines(PoolId held, const HeldPool& spec, MachineCount machines, LeaseClass lease_class,
                           std::uint32_t number = 0);
  /// The same for machines that were found to be free.
  LeaseSlot take_machines(PoolId held, const HeldPool& spec, MachineCount machines, LeaseClass lease_class,
                          std::uint32_t number);

 private:
  // What a dispatch consists of, in order.
  enum class Stage : std::uint8_t {
    bookings,
    turns,
    reserved,
    early_queue,
    on_demand,
    queue,
    flex,
    spot,
    served
  };
  struct Serving {
    PoolId pool{};
    std::uint32_t stages = 0;     // a bit for each that has anything to decide, and is not over
    std::size_t next = 0;         // how far the stage is
    std::vector<PoolId> turns{};  // held pools that ask
  };

  bool decide_in(Stage stage, PoolState& pool);
  bool call_once(Outcome::Kind kind);
  bool call_turn(PoolState& pool);
  bool decide_at_once(PoolState& pool, LeaseClass lease_class);
  bool decide_in_queue(PoolState& pool);
  [[nodiscard]] RequestSlot next_in_queue(PoolState& pool);
  void grow_leases(PoolState& pool, LeaseClass lease_class);
  void refuse(RequestSlot slot);
  void turn_away(RequestSlot slot);
  void grant(RequestSlot slot, GpuCount gpus);
  void give(const Request& request, GpuCount gpus);
  void decide_spread(RequestSlot slot);
  void give_spread(const Request& request, const std::vector<Candidate>& shares);
  // Its job's other requests go, and the job has leases from now on.
  void is_granted(const Request& request) {
    ++books_.pool(request.candidate->pool).counts.requests_ended;
    JobState& job = tables_.jobs[request.job];
    if (job.asks.first_request != kNoRequest) requests_.withdraw_losers(request);
    if (job.lease != kNoLease) return;
    job.history.leased_since = now();
    recorder_.log().job(job, JobChange::What::leasing);
  }
  LeaseSlot enter(const Request& request, const Candidate& share, GpuCount gpus);
  void settle_grant(PoolState& pool, LeaseClass lease_class);
  static void count_refusal(PoolState& pool, LeaseClass lease_class, bool had_room);
  [[nodiscard]] SimTime now() const { return agenda_.now(); }

  Tables& tables_;
  Agenda& agenda_;
  Books& books_;
  Recorder& recorder_;
  Gangs& gangs_;
  Spreads& spreads_;
  LeaseStart& starts_;
  Flights& flights_;
  MakingWay& making_way_;
  Requests& requests_;
  Outcomes& outcomes_;
  Serving serving_;
};

}  // namespace stockout
