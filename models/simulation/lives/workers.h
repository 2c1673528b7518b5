#pragma once

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <vector>

#include "models/consumption/policy.h"
#include "models/simulation/books/books.h"
#include "models/simulation/books/draws.h"
#include "models/simulation/ground/agenda.h"
#include "models/simulation/ground/tables.h"
#include "models/simulation/lives/gangs.h"
#include "models/simulation/lives/spreads.h"
#include "models/world/world.h"

namespace stockout {

/// Workers of jobs whose own code may fail, one on each machine: when the first of a lease exits, and how
/// often each was started again where it is. What comes of an exit is not its business.
class Workers {
 public:
  Workers(const World& world, const Tables& tables, Agenda& agenda, Books& books, Draws& draws, Gangs& gangs,
          const Spreads& spreads)
      : world_{world},
        tables_{tables},
        agenda_{agenda},
        books_{books},
        draws_{draws},
        gangs_{gangs},
        spreads_{spreads},
        have_exits_{
            std::ranges::any_of(world.classes, [](const JobClass& each) { return each.exits.any(); })} {}

  /// The begin of the lease's work is set anew: so is the first exit of its workers. None exits while there
  /// is no begin. Of a gang that is spread: the lease that leads.
  void set(LeaseSlot slot) {
    if (have_exits_) set_first_exit(slot);
  }
  /// The lease is over.
  void forget(LeaseSlot slot) {
    if (!leases_.empty()) drop(slot);
  }

  /// Consequence of an exit.
  enum class Need : std::uint8_t {
    restart,      // of the worker, on its machine; counted now
    new_attempt,  // it was started again there as often as may be
    none,         // the job fails
  };
  /// The worker exits that was to exit first.
  [[nodiscard]] Need exit(LeaseSlot slot);

 private:
  struct Worker {
    Draw draw;  // of all its exits on this machine
    Tries restarts = 0;
  };
  struct OfLease {
    std::vector<Worker> workers;  // by machine
    std::size_t first = 0;        // that exits
    EventHandle exit{};
  };

  void set_first_exit(LeaseSlot slot);
  void drop(LeaseSlot slot);
  void add_workers(OfLease& all, const Lease& lease);
  [[nodiscard]] std::size_t machines(const Lease& lease) const;
  [[nodiscard]] bool is_idle(const Lease& lease, std::size_t machine) const;
  [[nodiscard]] const WorkerExits& rule_of(const Lease& lease) const {
    return world_.classes[index(tables_.job_of(lease).job.job_class)].exits;
  }

  const World& world_;
  const Tables& tables_;
  Agenda& agenda_;
  Books& books_;
  Draws& draws_;
  Gangs& gangs_;
  const Spreads& spreads_;
  bool have_exits_;                                // jobs of any class
  std::unordered_map<LeaseSlot, OfLease> leases_;  // of such jobs
};

}  // namespace stockout
