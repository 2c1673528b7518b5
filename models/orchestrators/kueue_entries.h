#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/orchestrators/clerk.h"
#include "models/orchestrators/kueue/workload.h"
#include "models/orchestrators/kueue_books.h"

namespace stockout {

/// A job under Kueue: a pod set of its workload, the one with its place among the members.
struct KueueMember {
  Ticket ticket;
  std::uint64_t job = 0;  // JobView::number
  ShapeId asked{};        // for which it came
  bool was_granted = false;
  bool has_gone_on = false;  // it was let go on ...
  bool is_stopping = false;  // ... and is to be pending again
  bool is_final = false;
  bool is_done = false;    // final, and completed
  bool is_ready = false;   // its pods are
  int leases = 0;          // several: of a gang that is spread
  SimTime works = kNever;  // when its pods will be ready
  std::optional<KueueHold> quota = std::nullopt;
};

/// A workload of Kueue's: that of a job, or of a set of jobs.
struct KueueEntry {
  enum class Stage : std::uint8_t {
    pending,   // it waits for quota
    gone_on,   // it has quota: its jobs ask, or have leases, or wait for requests for capacity of others
    stopping,  // its jobs are to be pending again
    leaving,   // they are back, and it keeps its quota until their pods are gone
  };
  /// A set of jobs: its first source, and the row of its job.
  using SetKey = std::pair<SourceId, std::uint64_t>;

  std::optional<SetKey> set = std::nullopt;
  std::optional<kueue::WorkloadId> workload = std::nullopt;  // none: its jobs are coming
  std::vector<KueueMember> members = {};
  Stage stage = Stage::pending;
  bool is_failing = false;     // its jobs fail
  SimTime gave_back = kNever;  // when it last gave quota back ...
  int times = 0;               // ... and how often in that instant
  SimTime leaves = kNever;     // when its pods will be gone

  [[nodiscard]] bool is_over() const;
  /// Whether none of its jobs has gone on.
  [[nodiscard]] bool is_back() const;
  /// Of all its jobs that are not final, of which there is one.
  [[nodiscard]] bool are_pods_ready() const;
};

/// Workloads of jobs that are open. They go by the job that came first, and jobs by JobView::number.
class KueueEntries {
 public:
  /// A job, the workload to which it belongs, and the first job of that.
  struct Place {
    std::uint64_t first = 0;
    KueueEntry* entry = nullptr;
    KueueMember* member = nullptr;
  };

  /// The job has come: to its set, if it is of one.
  Place add(const KueueMember& job, const std::optional<KueueEntry::SetKey>& set);
  [[nodiscard]] std::optional<Place> find(std::uint64_t job);
  /// Null: all its jobs are final.
  [[nodiscard]] KueueEntry* entry_of(std::uint64_t first);
  void erase(std::uint64_t first);
  [[nodiscard]] const std::unordered_map<std::uint64_t, KueueEntry>& all() const { return entries_; }

 private:
  std::unordered_map<std::uint64_t, KueueEntry> entries_;    // by their first jobs
  std::unordered_map<std::uint64_t, std::uint64_t> firsts_;  // by the other jobs of sets
  std::map<KueueEntry::SetKey, std::uint64_t> sets_;         // their first jobs
};

}  // namespace stockout
