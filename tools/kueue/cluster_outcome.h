#pragma once

#include <map>
#include <optional>
#include <string>

#include "models/orchestrators/kueue/kueue.h"
#include "tools/kueue/kueue_case.h"

namespace stockout::kueue {

/// A cluster whose workloads are known by name.
class NamedCluster {
 public:
  explicit NamedCluster(const KueueCase& one) : kueue{one.configuration, one.settings} {}

  /// Fails at `value`, which describes it, if there is another one of its name that has not ended.
  void submit(Workload workload, const CaseValue& value);
  /// The workload ends, if there is one of that name.
  void finish(const CaseValue& name);
  /// Fails at `name` if there is no such workload.
  [[nodiscard]] WorkloadId id(const CaseValue& name) const;
  [[nodiscard]] const Workload& workload(const CaseValue& name) const { return kueue.workload(id(name)); }
  /// By name.
  [[nodiscard]] const std::map<std::string, WorkloadId>& ids() const { return ids_; }

  Kueue kueue;

 private:
  std::map<std::string, WorkloadId> ids_;
};

/// An admission as one line of text: flavors, counts and usage by pod set. "none" for none.
[[nodiscard]] std::string admission_text(const std::optional<Admission>& admission);

}  // namespace stockout::kueue
