#include "models/showback/charges.h"

#include <algorithm>
#include <set>
#include <span>

#include "models/billing/bill.h"
#include "models/billing/hour.h"
#include "models/measures/grouping.h"
#include "models/measures/terms_units.h"
#include "models/showback/charge_sums.h"
#include "models/showback/commitment_hours.h"
#include "models/showback/idle_shares.h"
#include "models/showback/line_parts.h"
#include "models/showback/split.h"
#include "sim/core/check.h"

namespace stockout {
namespace {

bool is_chosen(const std::vector<bool>& chosen, std::size_t i) {
  return chosen.empty() || (i < chosen.size() && chosen[i]);
}

class RunCharges {
 public:
  RunCharges(const World& world, std::size_t strategy, std::uint64_t replication, const RunRecord& record,
             const BillTerms& terms, const ShowbackOptions& options)
      : world_{world},
        strategy_{strategy},
        replication_{replication},
        record_{record},
        terms_{terms},
        options_{options},
        periods_{world, options.period},
        left_{terms, world.window_end} {}

  std::vector<ChargeRow> rows(const Bill& bill);

 private:
  [[nodiscard]] ChargeSubject in_period_of(std::int64_t hour) const {
    const HourSpan period = periods_.of(hour);
    ChargeSubject subject;
    subject.from = period.from;
    subject.to = period.to;
    subject.after_window = is_after(hour, world_.window_end);
    return subject;
  }

  void add_lines();
  void add_line(PriceLineId line, const Coverage* coverage);
  void cover(PriceLineId line, const Coverage& coverage, std::span<LinePart> parts);
  void take(PriceLineId line, std::size_t commitment, MachineTime& left, bool in_window,
            std::span<LinePart> parts);
  void add_part(PriceLineId line, const LinePart& part);
  void add_commitments();
  void add_other();
  void add_by_window_hour(ChargeSubject subject, std::size_t other);
  void add_jobs();
  void add_leased(std::size_t other);
  void check_sums(std::span<const ChargeRow> rows, const Cost& in_all) const;

  const World& world_;
  std::size_t strategy_;
  std::uint64_t replication_;
  const RunRecord& record_;
  const BillTerms& terms_;
  const ShowbackOptions& options_;
  ChargePeriods periods_;
  CommitmentHours left_;
  ChargeSums sums_;
  std::set<UserId> submitters_;
};

// Lines that commitments cover come in the order in which they are covered.
void RunCharges::add_lines() {
  std::vector<bool> done(world_.price_lines.size());
  for (const Coverage& coverage : terms_.coverage) {
    for (const PriceLineId line : coverage.lines) {
      add_line(line, &coverage);
      done[index(line)] = true;
    }
  }
  for (std::size_t i = 0; i < done.size(); ++i) {
    if (!done[i] && world_.price_lines[i].charge != Charge::sublet)
      add_line(PriceLineId{static_cast<std::uint32_t>(i)}, nullptr);
  }
}

void RunCharges::add_line(PriceLineId line, const Coverage* coverage) {
  std::vector<LinePart> parts = parts_of_line(world_, record_, line);
  for (auto first = parts.begin(); first != parts.end();) {
    const auto next =
        std::find_if(first, parts.end(), [&](const LinePart& part) { return part.hour != first->hour; });
    if (coverage != nullptr) cover(line, *coverage, {first, next});
    std::for_each(first, next, [&](const LinePart& part) { add_part(line, part); });
    first = next;
  }
}

// The parts of one hour, which are lessened by what is covered.
void RunCharges::cover(PriceLineId line, const Coverage& coverage, std::span<LinePart> parts) {
  const std::int64_t hour = parts.front().hour;
  for (const bool in_window : {true, false}) {
    for (const std::size_t commitment : coverage.commitments) {
      CommitmentLeft& left = left_.left(commitment, hour);
      take(line, commitment, in_window ? left.in_window : left.after_window, in_window, parts);
    }
  }
}

// Everyone who uses the line in this hour gets the same share covered.
void RunCharges::take(PriceLineId line, std::size_t commitment, MachineTime& left, bool in_window,
                      std::span<LinePart> parts) {
  std::vector<MachineTime> weights;
  MachineTime open{};
  for (const LinePart& part : parts) {
    weights.push_back(part.billed);
    open += part.billed;
  }
  const MachineTime taken = std::min(left, open);
  if (taken == MachineTime{}) return;
  left -= taken;
  const std::vector<MachineTime> shares = split(taken, weights);
  ChargeSubject subject = in_period_of(parts.front().hour);
  subject.line = line;
  subject.commitment = commitment;
  subject.of_line = price_at(world_.price_lines[index(line)], parts.front().hour).contracted;
  if (in_window) {
    subject.list = terms_.commitments[commitment].list;
    subject.contracted = terms_.commitments[commitment].contracted;
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const MachineTime used = std::min(shares[i], parts[i].used);
    subject.use = parts[i].use;
    subject.user = parts[i].user;
    subject.job_class = parts[i].job_class;
    sums_.add(subject, shares[i], used);
    parts[i].billed -= shares[i];
    parts[i].used -= used;
  }
}

void RunCharges::add_part(PriceLineId line, const LinePart& part) {
  const PriceStep& price = price_at(world_.price_lines[index(line)], part.hour);
  ChargeSubject subject = in_period_of(part.hour);
  subject.line = line;
  subject.use = part.use;
  subject.user = part.user;
  subject.job_class = part.job_class;
  subject.list = price.list;
  subject.contracted = subject.of_line = price.contracted;
  sums_.add(subject, part.billed, part.used);
  if (!commitment_term(world_.price_lines[index(line)].model)) return;
  subject.use = ChargeUse::purchase;
  subject.user = {};
  subject.job_class = {};
  sums_.add(subject, part.billed, {});
}

// What of them nothing took, and what they cost.
void RunCharges::add_commitments() {
  for (std::size_t i = 0; i < terms_.commitments.size(); ++i) {
    for (std::int64_t hour = 0; kStart + hour * kHour < world_.window_end; ++hour) {
      ChargeSubject subject = in_period_of(hour);
      subject.commitment = i;
      subject.list = terms_.commitments[i].list;
      subject.contracted = terms_.commitments[i].contracted;
      subject.use = ChargeUse::idle;
      sums_.add(subject, left_.left(i, hour).in_window, {});
      subject.use = ChargeUse::purchase;
      sums_.add(subject, left_.whole(i, hour).in_window, {});
    }
  }
}

void RunCharges::add_other() {
  for (std::size_t i = 0; i < terms_.other.size(); ++i) {
    const OtherCost& cost = terms_.other[i];
    if (!is_chosen(cost.strategies, strategy_)) continue;
    ChargeSubject subject = in_period_of(0);
    subject.other = i;
    subject.use = ChargeUse::other;
    subject.list = subject.contracted = cost.price;
    if (cost.unit == CostUnit::once) sums_.add(subject, MachineCount{1} * kHour, MachineCount{1} * kHour);
    if (cost.unit == CostUnit::hour) add_by_window_hour(subject, i);
    if (cost.unit == CostUnit::gpu_hour) add_leased(i);
  }
  add_jobs();
}

void RunCharges::add_by_window_hour(ChargeSubject subject, std::size_t other) {
  for (std::int64_t hour = 0; kStart + hour * kHour < world_.window_end; ++hour) {
    const SimTime from = kStart + hour * kHour;
    const MachineTime time = MachineCount{1} * (std::min(world_.window_end, from + kHour) - from);
    const HourSpan period = periods_.of(hour);
    subject.from = period.from;
    subject.to = period.to;
    subject.other = other;
    sums_.add(subject, time, time);
  }
}

// A job is paid when it starts.
void RunCharges::add_jobs() {
  for_each_recorded_job(world_, replication_, [&](std::uint64_t number, const Job& job) {
    submitters_.insert(job.user);
    const JobOutcome outcome = record_.jobs.at(number);
    if (outcome.first_grant == kNever) return;
    for (std::size_t i = 0; i < terms_.other.size(); ++i) {
      const OtherCost& cost = terms_.other[i];
      const bool pays = cost.unit == CostUnit::job && is_chosen(cost.strategies, strategy_) &&
                        is_chosen(cost.classes, index(job.job_class));
      if (!pays) continue;
      ChargeSubject subject = in_period_of((outcome.first_grant - kStart) / kHour);
      subject.other = i;
      subject.use = ChargeUse::other;
      subject.user = job.user;
      subject.job_class = job.job_class;
      subject.list = subject.contracted = cost.price;
      sums_.add(subject, MachineCount{1} * kHour, MachineCount{1} * kHour);
    }
  });
}

void RunCharges::add_leased(std::size_t other) {
  const OtherCost& cost = terms_.other[other];
  const std::vector<LinePlace> places = line_places(world_);
  for (const UsageKey& key : record_.usage.keys()) {
    if (world_.price_lines[index(key.line)].charge == Charge::held) continue;
    if (!is_chosen(cost.classes, index(key.job_class))) continue;
    for (const UsageHour& hour : record_.usage.hours(key)) {
      const GpuTime leased = places[index(key.line)].gpus * SimDuration{hour.used.count()};
      ChargeSubject subject = in_period_of(hour.hour);
      subject.other = other;
      subject.use = ChargeUse::other;
      subject.user = key.user;
      subject.job_class = key.job_class;
      subject.list = subject.contracted = cost.price;
      sums_.add(subject, MachineTime{leased.count()}, MachineTime{leased.count()});
    }
  }
}

// The rows are the run's bill, and no other.
void RunCharges::check_sums(std::span<const ChargeRow> rows, const Cost& in_all) const {
  Money effective;
  Money billed;
  Money list;
  for (const ChargeRow& row : rows) {
    effective += effective_cost(row);
    billed += billed_cost(world_, row);
    if (row.subject.use != ChargeUse::purchase) list += row.list_cost();
  }
  STOCKOUT_CHECK(effective == in_all.contracted && billed == in_all.contracted && list == in_all.list);
}

std::vector<ChargeRow> RunCharges::rows(const Bill& bill) {
  add_lines();
  add_commitments();
  add_other();
  const std::vector<UserId> submitters{submitters_.begin(), submitters_.end()};
  std::vector<ChargeRow> rows = with_idle_shared(sums_.rows(), options_.idle, submitters);
  check_sums(rows, bill.in_all());
  return rows;
}

}  // namespace

std::vector<ChargeRow> charges_of(const World& world, std::size_t strategy, std::uint64_t replication,
                                  const RunRecord& record, const BillTerms& terms, const Bill& bill,
                                  const ShowbackOptions& options) {
  return RunCharges{world, strategy, replication, record, terms, options}.rows(bill);
}

}  // namespace stockout
