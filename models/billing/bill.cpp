#include "models/billing/bill.h"

#include <algorithm>

#include "models/billing/hour.h"
#include "sim/core/check.h"

namespace stockout {

namespace {

constexpr std::size_t kFewHours = 1'024;

CostByModel& part_of(MachineBill& bill, Charge charge) {
  switch (charge) {
    case Charge::held:
      return bill.held;
    case Charge::sublet:
      return bill.sublet;
    case Charge::direct:
      break;
  }
  return bill.direct;
}

// Takes what is covered off the bill: of one machine type in one region, an hour at a time, in the order of
// the lines.
void cover(Bill& bill, const Coverage& coverage, const BilledUse& use, std::span<const PriceLine> lines,
           const BillTerms& terms, SimTime window_end) {
  std::vector<MachineTime> left;  // by hour
  for (const PriceLineId line : coverage.lines) {
    for (const UsageHour& hour : use.hours(line)) {
      while (left.size() <= static_cast<std::size_t>(hour.hour))
        left.push_back(covered_in(terms, coverage, static_cast<std::int64_t>(left.size())));
      MachineTime& rest = left[static_cast<std::size_t>(hour.hour)];
      const MachineTime taken = std::min(rest, hour.billed);
      rest -= taken;
      const PriceStep& price = price_at(lines[index(line)], hour.hour);
      const Cost covered{.list = price.list * taken, .contracted = price.contracted * taken};
      bill.covered += covered;
      bill.covered_lines[index(line)] += covered.contracted;
      if (is_after(hour.hour, window_end)) bill.drain -= covered;
    }
  }
}

// What machines cost in the hours after the window.
Cost drained(const PriceLine& line, std::span<const UsageHour> hours, SimTime window_end) {
  const auto first =
      std::ranges::find_if(hours, [&](const UsageHour& hour) { return is_after(hour.hour, window_end); });
  return cost_of(line, {first, hours.end()});
}

}  // namespace

void BilledUse::add(Line& line, std::span<const UsageHour> hours) {
  line.hours.insert(line.hours.end(), hours.begin(), hours.end());
  if (line.hours.size() > std::max(kFewHours, 2 * line.summed)) sum(line);
}

void BilledUse::sum(Line& line) {
  std::vector<UsageHour>& hours = line.hours;
  std::ranges::sort(hours, {}, &UsageHour::hour);
  std::size_t kept = 0;
  for (const UsageHour& hour : hours) {
    if (kept > 0 && hours[kept - 1].hour == hour.hour) {
      hours[kept - 1].used += hour.used;
      hours[kept - 1].billed += hour.billed;
    } else {
      hours[kept++] = hour;
    }
  }
  hours.resize(kept);
  line.summed = kept;
}

void BilledUse::close() {
  for (Line& line : lines_) sum(line);
  for (Line& line : lost_races_) sum(line);
}

void MachineBill::add(const PriceLine& line, const Cost& cost) {
  part_of(*this, line.charge)[static_cast<std::size_t>(line.model)] += cost;
}

Cost MachineBill::paid() const {
  Cost total;
  for (const CostByModel* part : {&direct, &held})
    for (const Cost& cost : *part) total += cost;
  return total;
}

Money Bill::other_sum() const {
  Money sum;
  for (const Money cost : other) sum += cost;
  return sum;
}

Cost Bill::in_all() const {
  Cost total = machines.paid();
  total -= covered;
  total += sunk;
  total += {.list = other_sum(), .contracted = other_sum()};
  return total;
}

void add_terms(Bill& bill, const BilledUse& use, std::span<const PriceLine> lines, const BillTerms& terms,
               SimTime window_end) {
  STOCKOUT_CHECK(use.lines() == lines.size() && use.other.size() == terms.other.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].charge != Charge::sublet)
      bill.drain += drained(lines[i], use.hours(PriceLineId{static_cast<std::uint32_t>(i)}), window_end);
  }
  if (!terms.coverage.empty()) bill.covered_lines.resize(lines.size());
  for (const Coverage& coverage : terms.coverage) cover(bill, coverage, use, lines, terms, window_end);
  for (const Commitment& commitment : terms.commitments) {
    bill.sunk += cost_between(commitment, kStart, window_end);
    bill.sunk_left += cost_between(commitment, window_end, kNever);
  }
  for (std::size_t i = 0; i < terms.other.size(); ++i)
    bill.other.push_back(terms.other[i].price * use.other[i]);
  for (const HeldMachines& held : use.held)
    bill.obligation += obligation(lines[index(held.line)], held.machines, held.booked).contracted;
}

Bill bill_of(const BilledUse& use, std::span<const PriceLine> lines, const BillTerms& terms,
             SimTime window_end) {
  STOCKOUT_CHECK(use.lines() == lines.size());
  Bill bill;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const PriceLineId line{static_cast<std::uint32_t>(i)};
    bill.machines.add(lines[i], cost_of(lines[i], use.hours(line)));
    bill.lost_races += cost_of(lines[i], use.lost_races(line)).contracted;
  }
  add_terms(bill, use, lines, terms, window_end);
  return bill;
}

}  // namespace stockout
