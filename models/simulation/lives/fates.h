#pragma once

#include <cstdint>

#include "models/simulation/books/books.h"
#include "models/simulation/books/draws.h"
#include "models/simulation/ground/agenda.h"
#include "models/simulation/ground/tables.h"
#include "models/simulation/lives/gangs.h"
#include "models/simulation/lives/mass_reclaims.h"
#include "models/world/world.h"

namespace stockout {

/// Fates of machines: they live their time, break, and are under repair. Sets it on the agenda when machines
/// start up.
class Fates {
 public:
  Fates(const World& world, const Tables& tables, Agenda& agenda, Books& books, Draws& draws, Gangs& gangs)
      : world_{world},
        tables_{tables},
        agenda_{agenda},
        books_{books},
        draws_{draws},
        gangs_{gangs},
        mass_reclaims_{world, draws} {}

  /// Of a whole lease: the first of its machines to be taken by the provider, and the first to break.
  void set(LeaseSlot slot);
  /// Of each of the machines of a partial lease that start up now.
  void set_each(LeaseSlot slot, Gangs::Batch batch);
  /// That machine of the lease breaks by the rule of that number: until it is repaired it is gone from the
  /// capacity of its pool, if that has any for its class.
  void break_machine(const Lease& lease, std::uint8_t rule, std::uint32_t machine);

 private:
  void set_life(LeaseSlot slot);
  void set_fault(LeaseSlot slot);
  [[nodiscard]] SimDuration life_of(const Lease& lease, std::uint64_t machine, SimTime up);
  [[nodiscard]] EventHandle set_life_of(LeaseSlot slot, std::size_t machine, SimTime up);
  void set_fault_of(LeaseSlot slot, std::size_t machine);
  [[nodiscard]] GpuCount gpus_of_machine(const Lease& lease, std::uint32_t machine) const;
  [[nodiscard]] const Job& job_of(const Lease& lease) const { return tables_.jobs[lease.job].job; }

  const World& world_;
  const Tables& tables_;
  Agenda& agenda_;
  Books& books_;
  Draws& draws_;
  Gangs& gangs_;
  MassReclaims mass_reclaims_;
};

}  // namespace stockout
