#include "models/workload/outcome.h"

#include <algorithm>
#include <array>

namespace stockout {
namespace {

struct OutcomeWord {
  std::string_view word;
  RecordedOutcome outcome;
};

// Sources: job states of Slurm (sacct's manual page), JobState of Vertex AI, conditions of Kubernetes' Job
// and of Kueue's Workload, the READMEs of Helios, PAI and openb.
constexpr std::array kOutcomeWords{
    OutcomeWord{"abandoned", RecordedOutcome::cancelled},
    OutcomeWord{"boot_fail", RecordedOutcome::interrupted},
    OutcomeWord{"canceled", RecordedOutcome::cancelled},
    OutcomeWord{"cancelled", RecordedOutcome::cancelled},
    OutcomeWord{"cancelling", RecordedOutcome::running},
    OutcomeWord{"complete", RecordedOutcome::completed},
    OutcomeWord{"completed", RecordedOutcome::completed},
    OutcomeWord{"completing", RecordedOutcome::running},
    OutcomeWord{"configuring", RecordedOutcome::running},
    OutcomeWord{"deadline", RecordedOutcome::expired},
    OutcomeWord{"done", RecordedOutcome::completed},
    OutcomeWord{"error", RecordedOutcome::failed},
    OutcomeWord{"evicted", RecordedOutcome::interrupted},
    OutcomeWord{"expired", RecordedOutcome::expired},
    OutcomeWord{"failed", RecordedOutcome::failed},
    OutcomeWord{"gave_up", RecordedOutcome::expired},
    OutcomeWord{"interrupted", RecordedOutcome::interrupted},
    OutcomeWord{"killed", RecordedOutcome::cancelled},
    OutcomeWord{"no_capacity", RecordedOutcome::refused},
    OutcomeWord{"node_fail", RecordedOutcome::interrupted},
    OutcomeWord{"ok", RecordedOutcome::completed},
    OutcomeWord{"out_of_memory", RecordedOutcome::failed},
    OutcomeWord{"partially_succeeded", RecordedOutcome::completed},
    OutcomeWord{"pass", RecordedOutcome::completed},
    OutcomeWord{"paused", RecordedOutcome::waiting},
    OutcomeWord{"pending", RecordedOutcome::waiting},
    OutcomeWord{"preempted", RecordedOutcome::interrupted},
    OutcomeWord{"queued", RecordedOutcome::waiting},
    OutcomeWord{"refused", RecordedOutcome::refused},
    OutcomeWord{"rejected", RecordedOutcome::refused},
    OutcomeWord{"requeue_fed", RecordedOutcome::waiting},
    OutcomeWord{"requeue_hold", RecordedOutcome::waiting},
    OutcomeWord{"requeued", RecordedOutcome::interrupted},
    OutcomeWord{"resizing", RecordedOutcome::interrupted},
    OutcomeWord{"resource_exhausted", RecordedOutcome::refused},
    OutcomeWord{"revoked", RecordedOutcome::cancelled},
    OutcomeWord{"running", RecordedOutcome::running},
    OutcomeWord{"signaling", RecordedOutcome::running},
    OutcomeWord{"special_exit", RecordedOutcome::failed},
    OutcomeWord{"stage_out", RecordedOutcome::running},
    OutcomeWord{"stock_out", RecordedOutcome::refused},
    OutcomeWord{"stockout", RecordedOutcome::refused},
    OutcomeWord{"stopped", RecordedOutcome::running},
    OutcomeWord{"succeeded", RecordedOutcome::completed},
    OutcomeWord{"success", RecordedOutcome::completed},
    OutcomeWord{"suspended", RecordedOutcome::running},
    OutcomeWord{"terminated", RecordedOutcome::completed},
    OutcomeWord{"timed_out", RecordedOutcome::timed_out},
    OutcomeWord{"timeout", RecordedOutcome::timed_out},
    OutcomeWord{"updating", RecordedOutcome::running},
    OutcomeWord{"waiting", RecordedOutcome::waiting},
    OutcomeWord{"zone_resource_pool_exhausted", RecordedOutcome::refused},
};

char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool equal_words(std::string_view text, std::string_view lower) {
  return std::ranges::equal(text, lower, {}, lower_case);
}

}  // namespace

RecordedOutcome recorded_outcome_of(std::string_view word) {
  constexpr std::string_view kVertex = "JOB_STATE_";
  if (word.starts_with(kVertex)) word.remove_prefix(kVertex.size());
  word = word.substr(0, word.find(' '));
  const auto found = std::ranges::find_if(
      kOutcomeWords, [&](const OutcomeWord& known) { return equal_words(word, known.word); });
  return found == kOutcomeWords.end() ? RecordedOutcome::unknown : found->outcome;
}

}  // namespace stockout
