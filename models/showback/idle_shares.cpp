#include "models/showback/idle_shares.h"

#include <map>
#include <optional>
#include <utility>

#include "models/showback/charge_sums.h"
#include "models/showback/split.h"

namespace stockout {
namespace {

// Whose capacity is idle: a held line, or a commitment that nothing took.
struct IdleHolder {
  std::optional<PriceLineId> line;
  std::optional<std::size_t> commitment;
  friend auto operator<=>(const IdleHolder&, const IdleHolder&) = default;
};

struct Bearer {
  UserId user{};
  std::optional<ClassId> job_class;
  friend auto operator<=>(const Bearer&, const Bearer&) = default;
};

using Uses = std::map<Bearer, MachineTime>;

class IdleBearers {
 public:
  IdleBearers(std::span<const ChargeRow> rows, IdleRule rule, std::span<const UserId> submitters) {
    if (rule == IdleRule::by_share)
      for (const UserId user : submitters) equal_[{.user = user, .job_class = {}}] = MachineTime{1};
    if (rule != IdleRule::by_use) return;
    for (const ChargeRow& row : rows) {
      const ChargeSubject& subject = row.subject;
      if (!subject.user) continue;
      if (subject.line) add({.line = subject.line, .commitment = {}}, row);
      if (subject.commitment) add({.line = {}, .commitment = subject.commitment}, row);
    }
  }

  /// Who bears what is idle, and in which proportion; empty: its owner.
  [[nodiscard]] const Uses& of(const ChargeSubject& idle) const {
    if (!equal_.empty()) return equal_;
    const IdleHolder holder = idle.line ? IdleHolder{.line = idle.line, .commitment = {}}
                                        : IdleHolder{.line = {}, .commitment = idle.commitment};
    const auto then = in_period_.find({idle.from, holder});
    if (then != in_period_.end()) return then->second;
    const auto ever = in_run_.find(holder);
    return ever != in_run_.end() ? ever->second : none_;
  }

 private:
  void add(const IdleHolder& holder, const ChargeRow& row) {
    if (row.used == MachineTime{}) return;
    const Bearer bearer{.user = *row.subject.user, .job_class = row.subject.job_class};
    in_period_[{row.subject.from, holder}][bearer] += row.used;
    in_run_[holder][bearer] += row.used;
  }

  Uses equal_;
  Uses none_;
  std::map<std::pair<std::int64_t, IdleHolder>, Uses> in_period_;
  std::map<IdleHolder, Uses> in_run_;
};

void share_out(ChargeSums& sums, const ChargeRow& idle, const Uses& uses) {
  std::vector<MachineTime> weights;
  for (const auto& [bearer, use] : uses) weights.push_back(use);
  const std::vector<MachineTime> billed = split(idle.billed, weights);
  const std::vector<MachineTime> used = split(idle.used, weights);
  std::size_t place = 0;
  for (const auto& [bearer, use] : uses) {
    ChargeSubject subject = idle.subject;
    subject.user = bearer.user;
    subject.job_class = bearer.job_class;
    sums.add(subject, billed[place], used[place]);
    ++place;
  }
}

}  // namespace

std::vector<ChargeRow> with_idle_shared(std::span<const ChargeRow> rows, IdleRule rule,
                                        std::span<const UserId> submitters) {
  const IdleBearers bearers{rows, rule, submitters};
  ChargeSums sums;
  for (const ChargeRow& row : rows) {
    const Uses* uses = row.subject.use == ChargeUse::idle ? &bearers.of(row.subject) : nullptr;
    if (uses == nullptr || uses->empty()) {
      sums.add(row.subject, row.billed, row.used);
    } else {
      share_out(sums, row, *uses);
    }
  }
  return sums.rows();
}

}  // namespace stockout
