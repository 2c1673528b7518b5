#pragma once

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tools/kueue/cluster_outcome.h"
#include "tools/kueue/kueue_case.h"

namespace stockout::kueue {

/// A list of steps that do something to a cluster or expect something of it.
///
/// The cluster settles after each creation and before each expectation. What is expected may still have to
/// come: time then goes on from one thing that falls due to the next, until it is as expected, for at most
/// some minutes. Where pods must become ready in time, every step takes 20 ms, since Kueue's tests take time
/// too.
class ScenarioRun {
 public:
  ScenarioRun(const KueueCase& one, Differences& differences);

  void run();

 private:
  using Holds = std::function<bool()>;

  /// How long time goes on, and while what holds; nothing: in any case.
  struct Patience {
    SimDuration longest = std::chrono::minutes{10};
    Holds goes_on = nullptr;
  };

  [[nodiscard]] Kueue& kueue() { return cluster_.kueue; }
  [[nodiscard]] const Workload& workload(const CaseValue& name) const { return cluster_.workload(name); }

  // --- what is done ---
  void act(const CaseValue& step);
  void create(const CaseValue& step);
  void advance(const CaseValue& step);
  void finish(const CaseValue& step);
  void update_workload(const CaseValue& step);
  void finish_eviction(const CaseValue& step);
  void finish_eviction_of(const CaseValue& name);
  void finish_any_running(const CaseValue& step);
  void finish_eviction_of_any(const CaseValue& step);
  void finish_any(const CaseValue& step, bool evicted);
  bool finish_next(const std::string& queue, bool evicted);
  void reclaim(const CaseValue& step);
  void set_checks(const CaseValue& step);
  void set_conditions(const CaseValue& step);
  void leave_to_time(const CaseValue& step);
  void set_flavor(const CaseValue& step);
  void remove_flavor(const CaseValue& step);
  void add_check(const CaseValue& step);
  void set_cluster_queue(const CaseValue& step);
  void remove_cluster_queue(const CaseValue& step);
  void hold(const CaseValue& step);
  void unhold(const CaseValue& step);
  void hold_local_queue(const CaseValue& step);
  void unhold_local_queue(const CaseValue& step);
  template <typename Queues>
  void stop(const Queues& queues, const char* what, const CaseValue& step, StopPolicy policy);
  void remove_check(const CaseValue& step);
  void set_cohort(const CaseValue& step);
  void remove_cohort(const CaseValue& step);
  void set_local_queue(const CaseValue& step);
  void remove_local_queue(const CaseValue& step);

  // --- what is expected ---
  void expect(const CaseValue& step);
  /// Whether a statement about workloads holds, one by one.
  [[nodiscard]] std::vector<std::string> wrong(const CaseValue& step, const std::string& what);
  [[nodiscard]] std::vector<std::string> wrong_count(const CaseValue& step, const std::string& what);
  [[nodiscard]] std::vector<std::string> wrong_state(const CaseValue& step, const std::string& what);
  [[nodiscard]] bool is_as_said(const std::string& what, const CaseValue& step, const Workload& workload);
  [[nodiscard]] std::int64_t count(const std::string& what, const CaseValue& step);
  [[nodiscard]] bool is_preempted(const CaseValue& step, const Workload& workload);

  [[nodiscard]] std::pair<std::int64_t, std::int64_t> waiting_in(const std::string& queue);

  void settle_in_time();
  [[nodiscard]] Patience patience(const CaseValue& step, const std::string& what);
  bool wait_until(const Holds& holds, const Patience& patience);

  const KueueCase& one_;
  Differences& differences_;
  NamedCluster cluster_;
};

}  // namespace stockout::kueue
