#pragma once

#include <cstdint>

#include "models/simulation/books/books.h"
#include "models/simulation/books/orchestration.h"
#include "models/simulation/books/route.h"
#include "models/simulation/ground/agenda.h"
#include "models/simulation/ground/tables.h"
#include "models/simulation/lives/lease_life.h"
#include "models/simulation/market/market.h"
#include "models/world/world.h"

namespace stockout {

/// Decides for jobs under a deadline rule: on which of their two legs they should be.
class DeadlineMoves {
 public:
  enum class Move : std::uint8_t { stay, leave, ask_cheap, ask_safe };

  DeadlineMoves(const World& world, Tables& tables, const Agenda& agenda, Books& books, const Route& route,
                LeaseLife& lives, Market& market, const Orchestration& orchestration)
      : world_{world},
        tables_{tables},
        agenda_{agenda},
        books_{books},
        route_{route},
        lives_{lives},
        market_{market},
        orchestration_{orchestration} {}

  static constexpr std::uint8_t kCheap = 0;
  static constexpr std::uint8_t kSafe = 1;

  /// Whether some leg could ever hold the job.
  [[nodiscard]] bool is_possible(const JobState& job) const {
    return may_ask(job, kCheap) || may_ask(job, kSafe);
  }
  /// The job's move now.
  [[nodiscard]] Move decide(JobSlot slot);
  /// The leg that the job asked refused it in all its places: it is not asked again at this instant.
  void bar_leg(JobState& job) const;

 private:
  [[nodiscard]] bool may_ask(const JobState& job, std::size_t leg) const;
  [[nodiscard]] bool is_available(JobSlot slot, std::uint8_t leg);

  const World& world_;
  Tables& tables_;
  const Agenda& agenda_;
  Books& books_;
  const Route& route_;
  LeaseLife& lives_;
  Market& market_;
  const Orchestration& orchestration_;
};

}  // namespace stockout
