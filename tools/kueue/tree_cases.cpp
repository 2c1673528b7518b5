// Cases of the arithmetic of the quota tree.

#include <algorithm>
#include <limits>

#include "models/orchestrators/kueue/cycle.h"
#include "models/orchestrators/kueue/fair_share.h"
#include "models/orchestrators/kueue/quota_tree.h"
#include "tools/kueue/case_objects.h"
#include "tools/kueue/case_workloads.h"
#include "tools/kueue/kueue_case.h"

namespace stockout::kueue {
namespace {

// Negative where more is used than there is.
Amount read_amount(const CaseValue& value) {
  return Amount{
      value.integer(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max())};
}

QuotaTree tree_of(const KueueCase& one) {
  QuotaTree tree;
  tree.rebuild(one.configuration);
  add_usage(one.value.list("usage"), tree);
  return tree;
}

// Cases of one queue name it nowhere: it is the first.
NodeId first_queue(const KueueCase& one, const QuotaTree& tree) {
  const std::vector<CaseValue> queues = one.value.list("clusterQueues");
  if (queues.empty()) one.value.odd("must have at least one cluster queue");
  return *tree.queue(queues.front().at("name").text());
}

NodeId queue_named(const CaseValue& name, const QuotaTree& tree) {
  const auto queue = tree.queue(name.text());
  if (!queue) name.odd("there is no such cluster queue");
  return *queue;
}

std::map<std::string, Amount> by_name(const Usage& usage, const QuotaTree& tree) {
  std::map<std::string, Amount> named;
  for (const auto& [cell, amount] : usage) {
    named[tree.cell(cell).flavor + '/' + tree.cell(cell).resource] = amount;
  }
  return named;
}

FairShare share_of(const CaseValue& row, const QuotaTree& tree, const Usage& extra) {
  const CaseValue name = row.at("name");
  const bool is_queue = row.at("node").word<bool>({{"clusterQueue", true}, {"cohort", false}});
  if (is_queue) return fair_share(tree, queue_named(name, tree), extra);
  const auto cohort = tree.cohort(name.text());
  if (!cohort) name.odd("there is no such cohort");
  return fair_share(tree, *cohort);
}

}  // namespace

void run_available(const KueueCase& one, Differences& differences) {
  QuotaTree tree = tree_of(one);
  const auto compare = [&](std::string_view key, const auto& amount_of_cell) {
    for (const CaseValue& row : one.expected().list(key)) {
      const NodeId queue = queue_named(row.at("queue"), tree);
      const CellId cell = tree.cell(row.at("flavor").text(), row.at("resource").text());
      differences.expect(fmt::format("{} of {}", key, tree.name(queue)), read_amount(row.at("amount")),
                         amount_of_cell(queue, cell));
    }
  };
  one.expected().knows_only({"available", "potentiallyAvailable"});
  compare("available",
          [&](NodeId queue, CellId cell) { return std::max(Amount{}, tree.available(queue, cell)); });
  compare("potentiallyAvailable",
          [&](NodeId queue, CellId cell) { return tree.potentially_available(queue, cell); });
}

void run_fair_share(const KueueCase& one, Differences& differences) {
  QuotaTree tree = tree_of(one);
  const Usage extra = read_usage(one.value.list("extraRequest"), tree);
  one.expected().knows_only({"shares"});
  for (const CaseValue& row : one.expected().at("shares").items()) {
    const std::string name = row.at("name").text();
    const FairShare share = share_of(row, tree, extra);
    differences.expect("share of " + name, row.at("share").amount().count(), share.reported());
    differences.expect("dominant resource of " + name, row.text_or("resource", {}), share.resource);
    differences.expect("borrowing of " + name, row.at("borrowing").flag(), share.borrows());
  }
}

void run_borrowing_on(const KueueCase& one, Differences& differences) {
  QuotaTree tree = tree_of(one);
  const FairShare share = fair_share(tree, first_queue(one, tree));
  one.expected().knows_only({"borrowing", "borrowingOnRequested"});
  differences.expect("borrowing", one.expected().at("borrowing").flag(), share.borrows());
  differences.expect("borrowing on requested", one.expected().at("borrowingOnRequested").flag(),
                     share.borrows_any(read_usage(one.value.list("requested"), tree)));
}

void run_reserve(const KueueCase& one, Differences& differences) {
  QuotaTree tree = tree_of(one);
  const CaseValue settings = one.value.at("settings");
  const Mode mode = settings.at("mode").word<Mode>({{"Fit", Mode::fit}, {"Preempt", Mode::preempt}});
  Entry entry;
  entry.queue = first_queue(one, tree);
  entry.assignment.usage = read_usage(one.value.list("assignmentUsage"), tree);
  entry.assignment.borrow = static_cast<int>(settings.at("borrowing").integer(0, 100));
  entry.assignment.pod_sets.emplace_back().flavors[""].mode = mode;
  one.expected().knows_only({"reserved"});
  const Usage expected = read_usage(one.expected().list("reserved"), tree);
  differences.expect("reserved", by_name(expected, tree), by_name(reserved_for(tree, entry), tree));
}

}  // namespace stockout::kueue
