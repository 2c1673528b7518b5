#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/simulation/books/books.h"
#include "models/simulation/books/draws.h"
#include "models/simulation/ground/tables.h"
#include "models/simulation/lives/gangs.h"
#include "models/simulation/lives/lease_life.h"
#include "models/simulation/lives/reclaim.h"

namespace stockout {

/// Leases that make way for others: whom the pool's rule chooses (victims), and on hosts, where the others
/// are placed then.
class MakingWay {
 public:
  MakingWay(Tables& tables, Books& books, Draws& draws, Gangs& gangs, LeaseLife& lives)
      : tables_{tables}, books_{books}, draws_{draws}, gangs_{gangs}, lives_{lives} {}

  /// Reclaims spot leases of the source until all that stay fit its capacity, or none is left.
  void make_room(const PoolState& pool, const SourceState& source);
  /// Where machines of a class are placed that were found to fit; spot leases that are placed there get
  /// notice. Empty in a pool without hosts. Void at the next call.
  std::span<const HostShare> find_hosts(PoolState& pool, LeaseClass lease_class, const Footprint& footprint);

 private:
  [[nodiscard]] std::uint64_t rank(const PoolState& pool, const Lease& lease);
  [[nodiscard]] std::vector<LeaseSlot> clear_hosts(PoolState& pool, const Footprint& footprint);

  Tables& tables_;
  Books& books_;
  Draws& draws_;
  Gangs& gangs_;
  LeaseLife& lives_;
  std::vector<HostShare> shares_;
};

}  // namespace stockout
