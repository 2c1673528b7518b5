#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/record/run_record.h"
#include "models/showback/charge_row.h"
#include "models/world/world.h"

namespace stockout {

/// Who used what of a price line in one hour.
struct LinePart {
  std::int64_t hour = 0;  // from kStart
  ChargeUse use = ChargeUse::used;
  std::optional<UserId> user;  // none: idle
  std::optional<ClassId> job_class;
  MachineTime billed{};
  MachineTime used{};
};

/// All of a direct or held line, hour by hour, in order: what is billed of an hour is what its parts add up
/// to. Of a held line it is who used the capacity, and the idle rest. Where jobs go on on capacity that is no
/// longer paid for, as with HoldEnd::last_start, they share what is paid in proportion to their use. Of a
/// management fee it is the use that the fee is paid for.
[[nodiscard]] std::vector<LinePart> parts_of_line(const World& world, const RunRecord& record,
                                                  PriceLineId line);

}  // namespace stockout
