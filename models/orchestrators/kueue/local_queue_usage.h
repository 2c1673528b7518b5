#pragma once

#include <map>
#include <optional>
#include <string>

#include "models/orchestrators/kueue/configuration.h"
#include "models/orchestrators/kueue/ledger.h"
#include "models/orchestrators/kueue/settings.h"
#include "models/orchestrators/kueue/workload.h"
#include "sim/core/time.h"

namespace stockout::kueue {

/// Recent use by the workloads of each local queue, for admission fair sharing: consumption that decays with
/// a half life, and a penalty at each admission until the next sample takes it in. Floating point, as in
/// Kueue.
class LocalQueueUsages {
 public:
  /// Local queues begin with what the configuration says that they consumed.
  LocalQueueUsages(const Configuration& configuration, const AdmissionFairSharing& rule);

  /// Usage of a local queue by which its workloads are ordered: less goes first. Infinite with a weight of
  /// zero.
  [[nodiscard]] double usage(const std::string& local_queue) const;
  /// The same for a workload, if the cluster queue that it belongs to goes by usage.
  [[nodiscard]] std::optional<double> usage_for(const Workload& workload) const;

  /// A workload was admitted: the penalty of its requests.
  void admitted(const Workload& workload);
  /// Time goes on: a sample at each end of an interval, of what those who are admitted use now.
  void pass_time(SimTime from, SimTime to, const Ledger& ledger);
  /// The first sample after `now`.
  [[nodiscard]] SimTime next_sample(SimTime now) const;

 private:
  using Amounts = std::map<std::string, double>;
  struct Book {
    Amounts consumed = {};
    Amounts penalty = {};
  };

  [[nodiscard]] std::map<std::string, Amounts> in_use(const Ledger& ledger) const;
  void sample(const std::string& local_queue, const Amounts& current, SimDuration passed);

  const Configuration& configuration_;
  const AdmissionFairSharing& rule_;
  std::map<std::string, Book> books_;
};

/// Rest of a value after `passed`, with a half life; nothing if the half life is zero.
[[nodiscard]] double decay(SimDuration passed, SimDuration half_life);

}  // namespace stockout::kueue
