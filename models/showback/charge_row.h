#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "models/billing/money.h"
#include "models/world/world.h"
#include "sim/core/ids.h"
#include "sim/core/quantity.h"

namespace stockout {

/// Purpose of a charge.
enum class ChargeUse : std::uint8_t {
  used,       // machines that jobs had
  lost_race,  // machines of leases that lost a race: paid, and no work was done on them
  idle,       // held or committed to, and used by no job
  purchase,   // the fee of a commitment, as it falls due
  other,      // what is paid beside machines
};
inline constexpr std::array<std::string_view, 5> kChargeUseNames{"used", "lost race", "idle", "purchase",
                                                                 "other"};

/// Who bears what was held and not used.
enum class IdleRule : std::uint8_t {
  to_owner,  // whoever holds it: no user
  by_use,    // users of the same capacity in the same period, in proportion to what they used of it
  by_share,  // every user who submitted a job in the window, in equal parts
};
inline constexpr std::array<std::string_view, 3> kIdleRuleNames{"to-owner", "by-use", "by-share"};

/// Subject of one charge. Costs are a unit price times a time, as everywhere on the bill.
struct ChargeSubject {
  std::int64_t from = 0;  // of the charge period: hours from kStart ...
  std::int64_t to = 0;    // ... to this one, which is not in it
  std::optional<PriceLineId> line;
  std::optional<std::size_t> commitment;  // of BillTerms, that covers the use, is not used, or is paid
  std::optional<std::size_t> other;       // of BillTerms
  ChargeUse use = ChargeUse::used;
  std::optional<UserId> user;  // none: whoever holds the capacity
  std::optional<ClassId> job_class;
  MachineHourPrice list{};        // of a unit, which is a machine-hour, or what the other cost counts
  MachineHourPrice contracted{};  // the same
  MachineHourPrice of_line{};     // contracted, whoever covers it: the line's own price; 0 without a line
  bool after_window = false;      // while jobs drain
  friend auto operator<=>(const ChargeSubject&, const ChargeSubject&) = default;
};

/// One line of a run's bill.
struct ChargeRow {
  ChargeSubject subject;
  MachineTime billed{};
  MachineTime used{};  // without what the billing rule rounds up

  [[nodiscard]] Money list_cost() const { return subject.list * billed; }
  [[nodiscard]] Money contracted_cost() const { return subject.contracted * billed; }
};

/// Whether the charge is use or idle time of a commitment, which `purchase` charges pay for.
[[nodiscard]] bool is_committed(const World& world, const ChargeSubject& subject);

/// Share of the payments that falls on the charge: nothing on the fee of a commitment, whose use and idle
/// time carry it.
[[nodiscard]] Money effective_cost(const ChargeRow& charge);

/// Payment for the charge itself: nothing for the use and idle time of a commitment.
[[nodiscard]] Money billed_cost(const World& world, const ChargeRow& charge);

}  // namespace stockout
