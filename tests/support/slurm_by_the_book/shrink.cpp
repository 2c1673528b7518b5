#include <algorithm>

#include "tests/support/slurm_by_the_book/both.h"

namespace stockout::test {
namespace {

// Without the job, and without all dependencies on it.
SlurmCase without_job(const SlurmCase& made, std::size_t place) {
  SlurmCase smaller = made;
  smaller.jobs.erase(smaller.jobs.begin() + static_cast<std::ptrdiff_t>(place));
  for (CaseJob& job : smaller.jobs) {
    auto& on = job.request.dependencies;
    on.erase(std::remove_if(on.begin(), on.end(), [&](const auto& one) { return one.job == place; }),
             on.end());
    for (slurm::Dependency& one : on) one.job -= one.job > place ? 1 : 0;
  }
  return smaller;
}

SlurmCase without_fault(const SlurmCase& made, std::size_t place) {
  SlurmCase smaller = made;
  smaller.faults.erase(smaller.faults.begin() + static_cast<std::ptrdiff_t>(place));
  return smaller;
}

}  // namespace

SlurmCase shrink(const SlurmCase& made, const std::function<bool(const SlurmCase&)>& still) {
  SlurmCase smallest = made;
  const auto accept = [&](const SlurmCase& smaller) {
    if (!still(smaller)) return false;
    smallest = smaller;
    return true;
  };
  for (bool has_shrunk = true; has_shrunk;) {
    has_shrunk = false;
    for (std::size_t i = smallest.jobs.size(); i-- > 0;)
      has_shrunk = accept(without_job(smallest, i)) || has_shrunk;
    for (std::size_t i = smallest.faults.size(); i-- > 0;)
      has_shrunk = accept(without_fault(smallest, i)) || has_shrunk;
  }
  for (CaseJob& job : smallest.jobs) {
    const auto change = [&](auto make) {
      const CaseJob before = job;
      make(job);
      if (!still(smallest)) job = before;
    };
    change([](CaseJob& one) { one.request.dependencies.clear(); });
    change([](CaseJob& one) { one.cancel = kNever; });
    change([](CaseJob& one) { one.requeue = kNever; });
    change([](CaseJob& one) { one.tasks = 0; });
    change([](CaseJob& one) { one.request.nice = 0; });
    change([](CaseJob& one) { one.request.partitions.resize(1); });
    change([](CaseJob& one) { one.request.size.gpus_per_node = 0; });
    change([](CaseJob& one) { one.request.batch = true; });
  }
  return smallest;
}

}  // namespace stockout::test
