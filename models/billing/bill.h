#pragma once

#include <array>
#include <span>
#include <vector>

#include "models/billing/cost.h"
#include "models/billing/price_line.h"
#include "models/billing/terms.h"
#include "models/billing/usage.h"

namespace stockout {

/// Held capacity that came, and so binds whoever committed to it or booked it.
struct HeldMachines {
  PriceLineId line{};
  MachineCount machines{};
  SimDuration booked{};  // of a booking: its length, whatever part of it is in the run; 0 of others
  friend bool operator==(const HeldMachines&, const HeldMachines&) = default;
};

/// Paid use of one run, in exact integers, all users and classes together. There is no price in it: with
/// price lines and terms it becomes a bill, with others another one.
class BilledUse {
 public:
  /// Of a world with `lines` price lines.
  explicit BilledUse(std::size_t lines = 0) : lines_(lines), lost_races_(lines) {}

  /// Books hours of a line. Those of a sublet line without rounding: what is held has been paid for.
  void add(PriceLineId line, std::span<const UsageHour> hours) { add(lines_[index(line)], hours); }
  /// Of what was booked, that of leases which lost a race. Direct lines only.
  void add_lost_races(PriceLineId line, std::span<const UsageHour> hours) {
    add(lost_races_[index(line)], hours);
  }
  /// No more comes: each hour of a line is there once, in order.
  void close();

  [[nodiscard]] std::size_t lines() const { return lines_.size(); }
  [[nodiscard]] std::span<const UsageHour> hours(PriceLineId line) const { return lines_[index(line)].hours; }
  [[nodiscard]] std::span<const UsageHour> lost_races(PriceLineId line) const {
    return lost_races_[index(line)].hours;
  }

  std::vector<HeldMachines> held;
  std::vector<MachineTime> other;  // by BillTerms::other: an hour for each unit; 0 where the run pays none

 private:
  // Hours are gathered as they come, and added up whenever they have doubled.
  struct Line {
    std::vector<UsageHour> hours;
    std::size_t summed = 0;  // how many there were after the last time
  };

  static void add(Line& line, std::span<const UsageHour> hours);
  static void sum(Line& line);

  std::vector<Line> lines_;
  std::vector<Line> lost_races_;
};

using CostByModel = std::array<Cost, kPriceModelNames.size()>;

/// Cost of machines, by charge and price model, before anything is covered.
struct MachineBill {
  CostByModel direct{};
  CostByModel held{};
  CostByModel sublet{};  // a part of `held`

  /// Adds the cost of one line under its charge.
  void add(const PriceLine& line, const Cost& cost);
  /// Direct and held.
  [[nodiscard]] Cost paid() const;
};

/// Cost of a run. Exact.
struct Bill {
  MachineBill machines;
  Money lost_races;                  // contracted, part of the direct cost
  Cost covered;                      // usage at the on-demand price that existing commitments pay for
  std::vector<Money> covered_lines;  // contracted, the same by PriceLineId; empty where there are none
  Cost drain;                // of machines, less what is covered: in hours that begin after the window
  Cost sunk;                 // these commitments, within the window ...
  Cost sunk_left;            // ... and after it: not a part of in_all()
  std::vector<Money> other;  // by BillTerms::other
  Money obligation;          // contracted, over the whole terms of commitments and bookings: not in in_all()

  [[nodiscard]] Money other_sum() const;
  /// Payment for the run.
  [[nodiscard]] Cost in_all() const;
};

/// Completes a bill of machines and lost races, of this use, by what the terms add to it and take off, in a
/// run whose window ends at `window_end`.
void add_terms(Bill& bill, const BilledUse& use, std::span<const PriceLine> lines, const BillTerms& terms,
               SimTime window_end);

/// Bill of the use under these lines and terms: for whoever has no machines priced already.
[[nodiscard]] Bill bill_of(const BilledUse& use, std::span<const PriceLine> lines, const BillTerms& terms,
                           SimTime window_end);

}  // namespace stockout
