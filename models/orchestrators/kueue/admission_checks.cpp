#include "models/orchestrators/kueue/admission_checks.h"

#include <algorithm>

namespace stockout::kueue {
namespace {

bool uses_any(const Admission& admission, const std::vector<std::string>& flavors) {
  return std::any_of(
      admission.pod_sets.begin(), admission.pod_sets.end(), [&](const PodSetAdmission& pod_set) {
        return std::any_of(pod_set.flavors.begin(), pod_set.flavors.end(), [&](const auto& given) {
          return std::find(flavors.begin(), flavors.end(), given.second) != flavors.end();
        });
      });
}

}  // namespace

const Check* find_check(const Workload& workload, const std::string& name) {
  const auto check = std::find_if(workload.status.checks.begin(), workload.status.checks.end(),
                                  [&](const Check& one) { return one.name == name; });
  return check == workload.status.checks.end() ? nullptr : &*check;
}

bool has_check(const Workload& workload, CheckState state) {
  const auto& checks = workload.status.checks;
  return std::any_of(checks.begin(), checks.end(), [&](const Check& check) { return check.state == state; });
}

bool has_failed_check(const Workload& workload) {
  return has_check(workload, CheckState::retry) || has_check(workload, CheckState::rejected);
}

std::vector<std::string> required_checks(const ClusterQueue& queue, const Admission& admission) {
  std::vector<std::string> names;
  for (const RequiredCheck& check : queue.checks) {
    if (check.flavors.empty() || uses_any(admission, check.flavors)) names.push_back(check.name);
  }
  return names;
}

void keep_checks(Workload& workload, const std::vector<std::string>& names, SimTime now) {
  std::vector<Check>& checks = workload.status.checks;
  std::erase_if(checks, [&](const Check& check) {
    return std::find(names.begin(), names.end(), check.name) == names.end();
  });
  for (const std::string& name : names) {
    if (find_check(workload, name) == nullptr) checks.push_back({.name = name, .changed = now});
  }
}

bool are_ready(const Workload& workload, const std::vector<std::string>& checks) {
  return std::all_of(checks.begin(), checks.end(), [&](const std::string& name) {
    const Check* check = find_check(workload, name);
    return check != nullptr && check->state == CheckState::ready;
  });
}

void change_check(Workload& workload, const Check& check, SimTime now) {
  std::vector<Check>& checks = workload.status.checks;
  auto known =
      std::find_if(checks.begin(), checks.end(), [&](const Check& one) { return one.name == check.name; });
  if (known == checks.end()) known = checks.insert(checks.end(), Check{.name = check.name});
  known->state = check.state;
  known->requeue_after = check.requeue_after;
  known->changed = now;
}

std::optional<SimTime> retry_time(const std::vector<Check>& checks) {
  std::optional<SimTime> latest;
  for (const Check& check : checks) {
    if (check.state != CheckState::retry || !check.requeue_after || !check.changed) continue;
    const SimTime at = later(*check.changed, *check.requeue_after);
    if (!latest || at > *latest) latest = at;
  }
  return latest;
}

void reset_checks(Workload& workload, SimTime now) {
  for (Check& check : workload.status.checks) {
    if (check.state == CheckState::pending) continue;
    check.retries = check.state == CheckState::retry ? check.retries + 1 : 0;
    check.state = CheckState::pending;
    check.changed = now;
  }
}

SimDuration backoff(SimDuration base, SimDuration most, std::int32_t count) {
  SimDuration delay = base;
  for (std::int32_t i = 1; i < count && delay < most; ++i) delay *= 2;
  return std::min(delay, most);
}

}  // namespace stockout::kueue
