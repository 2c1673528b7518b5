#include "tools/kueue/conformance.h"

#include <array>
#include <optional>
#include <set>
#include <utility>

#include "sim/core/error.h"
#include "tools/kueue/case_objects.h"
#include "tools/kueue/case_settings.h"
#include "tools/kueue/kueue_case.h"

namespace stockout::kueue {
namespace {

constexpr std::string_view kFormat = "stockout-conformance-kueue/1";

struct Kind {
  std::string_view name;
  KindRunner run;
};

constexpr std::array kKinds{Kind{"available", run_available},
                            Kind{"fair-share", run_fair_share},
                            Kind{"borrowing-on", run_borrowing_on},
                            Kind{"reserve", run_reserve},
                            Kind{"assign", run_assign},
                            Kind{"prefer-flavor", run_prefer_flavor},
                            Kind{"preempt", run_preempt},
                            Kind{"preempt-policy", run_preempt_policy},
                            Kind{"order-candidates", run_order_candidates},
                            Kind{"order-target-queues", run_order_target_queues},
                            Kind{"order-heads", run_order_heads},
                            Kind{"order-queue", run_order_queue},
                            Kind{"order-timestamp", run_order_timestamp},
                            Kind{"heads", run_heads},
                            Kind{"requeue", run_requeue},
                            Kind{"queue-ops", run_queue_ops},
                            Kind{"flush", run_flush},
                            Kind{"requeue-backoff", run_requeue_backoff},
                            Kind{"requeue-state", run_requeue_state},
                            Kind{"check-retry-time", run_check_retry_time},
                            Kind{"pods-ready-timeout", run_pods_ready_timeout},
                            Kind{"provisioning-check", run_provisioning_check},
                            Kind{"cycle", run_cycle_case},
                            Kind{"cycle-afs", run_cycle_case},
                            Kind{"cycles", run_two_cycles},
                            Kind{"scenario", run_scenario}};

KindRunner runner_of(const std::string& kind) {
  for (const Kind& known : kKinds) {
    if (known.name == kind) return known.run;
  }
  throw NotModelled{"cases of the kind \"" + kind + '"'};
}

void run_case(const CaseValue& value, const Gates& defaults, const std::string& kind,
              Differences& differences) {
  const KindRunner run = runner_of(kind);
  value.knows_only({"id",
                    "kind",
                    "source",
                    "settings",
                    "flavors",
                    "cohorts",
                    "clusterQueues",
                    "localQueues",
                    "admissionChecks",
                    "admitted",
                    "pending",
                    "expect",
                    "steps",
                    "unconvertedAssertions",
                    "tags",
                    "verified",
                    "usage",
                    "assignmentUsage",
                    "extraRequest",
                    "requested",
                    "simulation",
                    "assignment",
                    "targetQueue",
                    "preemptorQueue",
                    "candidateQueues",
                    "actions",
                    "preemptor",
                    "candidate",
                    "policy",
                    "a",
                    "b",
                    "input",
                    "ops",
                    "reason",
                    "lastTriedFlavorIdx",
                    "lastAssignment",
                    "state",
                    "waitUntil",
                    "increment",
                    "checks",
                    "requests",
                    "between"});
  const KueueCase one{value, read_settings(value.at("settings"), defaults), read_configuration(value)};
  run(one, differences);
}

// The id, the kind and the features, which every case has to have.
void read_head(const CaseValue& value, std::set<std::string>& ids, CaseResult& result) {
  result.id = value.at("id").text();
  result.kind = value.at("kind").text();
  if (const auto tags = value.find("tags")) result.features = tags->texts();
  if (!ids.insert(result.id).second) value.at("id").odd("there is another case of this id");
}

CaseResult result_of(const CaseValue& value, const Gates& defaults, std::set<std::string>& ids) {
  CaseResult result;
  Differences differences;
  try {
    read_head(value, ids, result);
    run_case(value, defaults, result.kind, differences);
    result.notes = differences.lines();
    if (!result.notes.empty()) result.verdict = Verdict::failed;
  } catch (const NotModelled& gap) {
    result.verdict = Verdict::not_modelled;
    result.notes = {gap.reason};
  } catch (const OddCase& odd) {
    result.verdict = Verdict::not_modelled;
    result.notes = {odd.what()};
  } catch (const InputError& error) {
    result.verdict = Verdict::malformed;
    result.notes = {error.what()};
  }
  return result;
}

}  // namespace

std::vector<CaseResult> run_conformance(const JsonValue& root, const std::string& file) {
  const CaseValue value{file, root};
  const CaseValue format = value.at("format");
  if (format.text() != kFormat) format.fail(fmt::format("must be \"{}\"", kFormat));
  Gates defaults;
  if (const auto gates = value.find("defaultFeatureGates")) defaults = read_gates(*gates, defaults, false);
  std::vector<CaseResult> results;
  std::set<std::string> ids;
  for (const CaseValue& item : value.at("cases").items()) results.push_back(result_of(item, defaults, ids));
  return results;
}

}  // namespace stockout::kueue
