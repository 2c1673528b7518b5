// Cases of the choice of flavors.

#include <algorithm>

#include "models/orchestrators/kueue/flavor_assigner.h"
#include "tools/kueue/case_workloads.h"
#include "tools/kueue/kueue_case.h"

namespace stockout::kueue {
namespace {

const char* name_of(Mode mode) {
  switch (mode) {
    case Mode::fit:
      return "Fit";
    case Mode::preempt:
      return "Preempt";
    case Mode::deferred_fit:
      return "DeferredFit";
    case Mode::no_fit:
      break;
  }
  return "NoFit";
}

const char* name_of(Prospect prospect) {
  switch (prospect) {
    case Prospect::no_candidates:
      return "NoCandidates";
    case Prospect::preempt:
      return "Preempt";
    case Prospect::reclaim:
      return "Reclaim";
    default:
      return "";
  }
}

Prospect read_possibility(const CaseValue& value) {
  return value.word<Prospect>({{"NoCandidates", Prospect::no_candidates},
                               {"Preempt", Prospect::preempt},
                               {"Reclaim", Prospect::reclaim}});
}

// What evictions would come to, as the case has it: for all that are not listed, they help without borrowing.
std::map<CellId, Offer> read_simulation(const CaseValue& value, QuotaTree& tree) {
  std::map<CellId, Offer> offers;
  value.knows_only({"default", "results"});
  for (const CaseValue& row : value.list("results")) {
    row.knows_only({"flavor", "resource", "possibility", "borrowAfter"});
    offers[tree.cell(row.at("flavor").text(), row.at("resource").text())] = {
        read_possibility(row.at("possibility")), static_cast<int>(row.at("borrowAfter").integer(0, 100))};
  }
  return offers;
}

void compare_flavors(const CaseValue& expected, const PodSetAssignment& got, Differences& differences) {
  std::map<std::string, std::string> wanted;
  std::map<std::string, std::string> given;
  for (const auto& [resource, row] : expected.members()) {
    const auto choice = got.flavors.find(resource);
    const bool has_tried = row.has("triedFlavorIdx");
    wanted[resource] = fmt::format("{} {} {}", row.at("flavor").text(), row.at("mode").text(),
                                   has_tried ? row.at("triedFlavorIdx").integer(-1, 1'000'000) : -1);
    if (choice == got.flavors.end()) continue;
    given[resource] = fmt::format("{} {} {}", choice->second.flavor, name_of(choice->second.mode),
                                  has_tried ? choice->second.tried : -1);
  }
  for (const auto& [resource, choice] : got.flavors) given.try_emplace(resource, choice.flavor);
  differences.expect("flavors of " + got.name, wanted, given);
}

const FlavorAttempt* attempt_of(const PodSetAssignment& got, const std::string& flavor) {
  const auto attempt = std::find_if(got.attempts.begin(), got.attempts.end(),
                                    [&](const FlavorAttempt& one) { return one.flavor == flavor; });
  return attempt == got.attempts.end() ? nullptr : &*attempt;
}

// Kueue goes through a map of resources: which groups were tried before one that failed is left to chance
// there. Its tests also name flavors without a fit that come after the one that was taken.
void compare_attempts(const CaseValue& list, const PodSetAssignment& got, Differences& differences) {
  std::set<std::string> expected;
  for (const CaseValue& row : list.items()) {
    row.knows_only({"flavor", "mode", "borrow", "possibility", "noFitReason"});
    const std::string flavor = *expected.insert(row.at("flavor").text()).first;
    const std::string mode = row.at("mode").text();
    const std::string what = fmt::format("attempt of {} with {}", got.name, flavor);
    const FlavorAttempt* attempt = attempt_of(got, flavor);
    if (attempt == nullptr) {
      if (!got.failed && mode != name_of(Mode::no_fit)) differences.note(what, mode, "none");
      continue;
    }
    const auto borrow = row.find("borrow");
    const auto possibility = row.find("possibility");
    const auto reason = row.find("noFitReason");
    differences.expect<std::string>(what, mode, name_of(attempt->mode));
    differences.expect<std::int64_t>(what + ", borrowing", borrow ? borrow->integer(0, 100) : 0,
                                     attempt->borrow);
    differences.expect<std::string>(what + ", evictions", possibility ? possibility->text() : "",
                                    attempt->prospect ? name_of(*attempt->prospect) : "");
    if (reason) differences.expect(what + ", reason", reason->text(), attempt->reason);
  }
  for (const FlavorAttempt& attempt : got.attempts) {
    if (got.failed || expected.contains(attempt.flavor)) continue;
    differences.note(fmt::format("attempt of {} with {}", got.name, attempt.flavor), "none",
                     name_of(attempt.mode));
  }
}

void compare_pod_sets(const CaseValue& list, const Assignment& got, Differences& differences) {
  const std::vector<CaseValue> rows = list.items();
  differences.expect("pod sets", rows.size(), got.pod_sets.size());
  for (std::size_t i = 0; i < std::min(rows.size(), got.pod_sets.size()); ++i) {
    const PodSetAssignment& given = got.pod_sets[i];
    rows[i].knows_only({"name", "count", "flavors", "requests", "attempts"});
    differences.expect("name of a pod set", rows[i].at("name").text(), given.name);
    if (const auto count = rows[i].find("count")) {
      differences.expect("count of " + given.name, count->integer(0, 1LL << 31), given.count);
    }
    compare_flavors(rows[i].at("flavors"), given, differences);
    if (const auto requests = rows[i].find("requests")) {
      Requests wanted;
      for (const auto& [resource, amount] : requests->members()) wanted[resource] = amount.amount();
      differences.expect("requests of " + given.name, wanted, given.requests);
    }
    if (const auto attempts = rows[i].find("attempts")) compare_attempts(*attempts, given, differences);
  }
}

std::map<std::string, Amount> used(const Usage& usage, const QuotaTree& tree) {
  std::map<std::string, Amount> named;
  for (const auto& [cell, amount] : usage) {
    if (amount != Amount{}) named[tree.cell(cell).flavor + '/' + tree.cell(cell).resource] = amount;
  }
  return named;
}

// A search that ended before a flavor says nothing about it.
void compare_reasons(const CaseValue& expected, const Assignment& got, Differences& differences) {
  for (const auto& [flavor, reason] : expected.members()) {
    for (const PodSetAssignment& pod_set : got.pod_sets) {
      const FlavorAttempt* attempt = attempt_of(pod_set, flavor);
      if (attempt == nullptr) continue;
      const std::string given = attempt->mode == Mode::no_fit ? attempt->reason : "";
      differences.expect("reason for " + flavor, reason.text(), given);
    }
  }
}

void compare(const CaseValue& expected, const Assignment& got, QuotaTree& tree, Differences& differences) {
  expected.knows_only({"mode", "podsets", "borrowing", "usage", "flavors", "noFitReason", "flavorReasons"});
  if (const auto mode = expected.find("mode")) {
    differences.expect<std::string>("mode", mode->text(), name_of(got.mode()));
  }
  if (const auto borrowing = expected.find("borrowing")) {
    differences.expect<std::int64_t>("borrowing", borrowing->integer(0, 100), got.borrow);
  }
  if (const auto list = expected.find("podsets")) compare_pod_sets(*list, got, differences);
  if (const auto usage = expected.find("usage")) {
    differences.expect("usage", used(read_usage(usage->items(), tree), tree), used(got.usage, tree));
  }
  if (const auto flavors = expected.find("flavors")) {
    for (const auto& [resource, flavor] : flavors->members()) {
      std::string given;
      for (const PodSetAssignment& pod_set : got.pod_sets) {
        const auto choice = pod_set.flavors.find(resource);
        if (choice != pod_set.flavors.end()) given = choice->second.flavor;
      }
      differences.expect("flavor of " + resource, flavor.text(), given);
    }
  }
  if (const auto reason = expected.find("noFitReason")) {
    differences.expect("reason", reason->text(), got.reason);
  }
  if (const auto reasons = expected.find("flavorReasons")) compare_reasons(*reasons, got, differences);
}

}  // namespace

void run_assign(const KueueCase& one, Differences& differences) {
  Ledger ledger;
  ledger.rebuild(one.configuration);
  add_usage(one.value.list("usage"), ledger.tree());
  const std::vector<Workload> admitted = read_admitted(one.value.list("admitted"));
  for (const Workload& workload : admitted) ledger.hold(workload);
  const std::vector<Workload> pending = read_workloads(one.value.list("pending"));
  if (pending.empty()) one.value.odd("must have one pending workload");
  if (pending.size() > 1) throw NotModelled{"the assignment of several workloads"};
  const auto queue = ledger.tree().queue(pending.front().cluster_queue);
  if (!queue) one.value.at("pending").odd("is in no cluster queue");
  const auto simulation = one.value.find("simulation");
  const auto offers = simulation ? read_simulation(*simulation, ledger.tree()) : std::map<CellId, Offer>{};
  const Scene scene{ledger, one.configuration, one.settings};
  const Assignment got =
      assign_flavors(scene, {.workload = &pending.front(), .queue = *queue}, [&](CellId cell, Amount) {
        const auto offer = offers.find(cell);
        return offer == offers.end() ? Offer{Prospect::preempt, 0} : offer->second;
      });
  compare(one.expected(), got, ledger.tree(), differences);
}

void run_prefer_flavor(const KueueCase& one, Differences& differences) {
  const auto read = [&](std::string_view key) {
    const CaseValue value = one.value.at(key);
    value.knows_only({"preemptionMode", "borrowingLevel"});
    return Offer{value.at("preemptionMode")
                     .word<Prospect>({{"noFit", Prospect::no_fit},
                                      {"noPreemptionCandidates", Prospect::no_candidates},
                                      {"preempt", Prospect::preempt},
                                      {"reclaim", Prospect::reclaim},
                                      {"fit", Prospect::fit}}),
                 static_cast<int>(value.at("borrowingLevel").integer(0, 1'000'000'000))};
  };
  FlavorPreference preference = FlavorPreference::borrowing_over_preemption;
  if (const auto given = one.value.at("settings").find("preference")) {
    preference = given->word<FlavorPreference>(
        {{"BorrowingOverPreemption", FlavorPreference::borrowing_over_preemption},
         {"PreemptionOverBorrowing", FlavorPreference::preemption_over_borrowing}});
  }
  one.expected().knows_only({"aPreferred"});
  differences.expect("a is preferred", one.expected().at("aPreferred").flag(),
                     is_better(read("a"), read("b"), preference));
}

}  // namespace stockout::kueue
