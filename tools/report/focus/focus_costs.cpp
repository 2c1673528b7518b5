#include "tools/report/focus/focus_costs.h"

#include <map>
#include <utility>

#include "models/showback/split.h"

namespace stockout {
namespace {

// Rows that pay for one another: those of a commitment, by what it is; 0: all others.
std::vector<std::size_t> payment_groups(const World& world, std::span<const ChargeRow> rows) {
  using Paid = std::pair<std::optional<std::size_t>, std::optional<PriceLineId>>;
  std::map<Paid, std::size_t> groups;
  std::vector<std::size_t> result;
  for (const ChargeRow& row : rows) {
    const ChargeSubject& subject = row.subject;
    if (subject.use != ChargeUse::purchase && !is_committed(world, subject)) {
      result.push_back(0);
      continue;
    }
    const Paid paid{subject.commitment, subject.commitment ? std::nullopt : subject.line};
    result.push_back(groups.try_emplace(paid, groups.size() + 1).first->second);
  }
  return result;
}

// Rounds the amounts of each group to the group's sum, and the groups' sums to the sum of all.
std::vector<Money> rounded(std::span<const Money> amounts, std::span<const std::size_t> groups) {
  std::map<std::size_t, std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < groups.size(); ++i) places[groups[i]].push_back(i);
  std::vector<Money> sums;
  for (const auto& [group, of_group] : places) {
    Money& sum = sums.emplace_back();
    for (const std::size_t i : of_group) sum += amounts[i];
  }
  const std::vector<Money> whole = in_nano_dollars(sums);
  std::vector<Money> result(amounts.size());
  std::size_t number = 0;
  for (const auto& [group, of_group] : places) {
    std::vector<Money> parts;
    for (const std::size_t i : of_group) parts.push_back(amounts[i]);
    parts = in_nano_dollars(parts, whole[number++]);
    for (std::size_t i = 0; i < parts.size(); ++i) result[of_group[i]] = parts[i];
  }
  return result;
}

// Fees and what they pay for are two accounts of the same money, each rounded by itself.
std::vector<Money> rounded_apart(std::span<const Money> amounts, std::span<const ChargeRow> rows) {
  std::vector<Money> result(amounts.size());
  for (const bool fees : {false, true}) {
    std::vector<std::size_t> places;
    std::vector<Money> parts;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if ((rows[i].subject.use == ChargeUse::purchase) != fees) continue;
      places.push_back(i);
      parts.push_back(amounts[i]);
    }
    parts = in_nano_dollars(parts);
    for (std::size_t i = 0; i < parts.size(); ++i) result[places[i]] = parts[i];
  }
  return result;
}

}  // namespace

FocusCosts focus_costs(const World& world, std::span<const ChargeRow> rows) {
  FocusCosts costs;
  for (const ChargeRow& row : rows) {
    costs.list.push_back(row.list_cost());
    costs.contracted.push_back(row.contracted_cost());
    costs.effective.push_back(effective_cost(row));
    costs.billed.push_back(billed_cost(world, row));
  }
  const std::vector<std::size_t> groups = payment_groups(world, rows);
  costs.list = rounded_apart(costs.list, rows);
  costs.contracted = rounded_apart(costs.contracted, rows);
  costs.effective = rounded(costs.effective, groups);
  costs.billed = rounded(costs.billed, groups);
  return costs;
}

}  // namespace stockout
