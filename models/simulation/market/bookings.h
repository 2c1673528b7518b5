#pragma once

#include <span>

#include "models/simulation/books/books.h"
#include "models/simulation/books/draws.h"
#include "models/simulation/market/held_leases.h"
#include "models/simulation/market/market.h"

namespace stockout {

/// Bookings (Calendar mode, future reservations): the provider's answer, and machines gathered beforehand.
class Bookings {
 public:
  /// `in_run`: the held pools of the strategy under test.
  Bookings(std::span<const PoolId> in_run, Books& books, Draws& draws, HeldLeases& held, Market& market)
      : in_run_{in_run}, books_{books}, draws_{draws}, held_{held}, market_{market} {}

  /// Whether the provider says yes now.
  [[nodiscard]] bool accepts(PoolId id);
  /// From now on freed machines of the landlord are kept for it; or no longer.
  void gather_for(PoolId id);
  void stop_gathering(PoolId id);
  /// In the landlord's dispatch: those that gather get their machines as soon as all are free.
  void serve(PoolState& landlord, SimTime now);

 private:
  void take(PoolId id);
  [[nodiscard]] GpuCount promised_at(PoolId id, SimTime at);

  std::span<const PoolId> in_run_;
  Books& books_;
  Draws& draws_;
  HeldLeases& held_;
  Market& market_;
};

}  // namespace stockout
