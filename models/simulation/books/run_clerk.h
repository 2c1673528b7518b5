#pragma once

#include <cstdint>
#include <deque>

#include "models/orchestrators/clerk.h"
#include "models/simulation/books/books.h"
#include "models/simulation/ground/agenda.h"
#include "models/simulation/ground/tables.h"

namespace stockout {

/// The clerk of one orchestrator: what it is told of a job becomes a step of that job.
class RunClerk final : public Clerk {
 public:
  /// Steps that are told in a turn.
  struct Turn {
    bool is_on = false;
    std::deque<Due> told;
  };

  /// `number`: of the orchestrator. All others outlive the clerk.
  RunClerk(std::uint8_t number, Tables& tables, Agenda& agenda, Books& books, Turn& turn)
      : number_{number}, tables_{tables}, agenda_{agenda}, books_{books}, turn_{turn} {}

  void admit(Ticket job) override;
  void fail(Ticket job) override;
  void skip(Ticket job) override;
  void evict(Ticket job) override;
  void suspend(Ticket job) override;
  void open_legs(Ticket job, std::uint16_t legs) override;
  void reshape(Ticket job, ShapeId shape) override;
  void start_over(Ticket job) override;
  void work(Ticket job) override;
  void begin_anew(Ticket job, bool in_place) override;
  void wake(SimTime at, Token token) override;
  [[nodiscard]] SimTime now() const override { return agenda_.now(); }
  [[nodiscard]] PoolView view(PoolId pool, LeaseClass lease_class) const override;

 private:
  [[nodiscard]] JobState& job_of(Ticket job);
  void tell(Ticket job, Step step);

  std::uint8_t number_;
  Tables& tables_;
  Agenda& agenda_;
  Books& books_;
  Turn& turn_;
};

}  // namespace stockout
