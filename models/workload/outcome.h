#pragma once

#include <cstdint>
#include <string_view>

namespace stockout {

/// How a recorded attempt ended, whatever the file's own word for it.
enum class RecordedOutcome : std::uint8_t {
  unknown,
  completed,
  failed,
  cancelled,    // by its user or an administrator
  timed_out,    // at a limit of its run time
  interrupted,  // preempted, evicted, or its machine broke: no fault of the job
  refused,      // there were no machines, and it was told so
  expired,      // at a limit of its waiting time
  running,      // when the file was written
  waiting,      // when the file was written
};
/// The outcome that a word stands for: states of Slurm, Vertex AI, Kubernetes and the published traces, and
/// plain English ones. Case does not count, nor what follows a blank ("CANCELLED by 1003"), nor a leading
/// "JOB_STATE_". A word that is none of these is RecordedOutcome::unknown.
[[nodiscard]] RecordedOutcome recorded_outcome_of(std::string_view word);

}  // namespace stockout
