#include "tools/report/comparison_page/words_section.h"

#include <array>
#include <utility>

#include "tools/report/comparison/share_words.h"

namespace stockout {
namespace {

// As models/measures/README.md defines them.
constexpr std::array kShares{
    ShareWords{"within goal", "those that started within its limit", "jobs that the goal is about"},
    ShareWords{"goal met",
               "those that started within its limit and were completed; a job that never starts is late",
               "jobs that the goal is about"},
    ShareWords{"never started", "those that never got machines", "all jobs of the window"},
    ShareWords{"work done",
               "that of completed jobs; of several GPU types asked for, the share of the one with the least",
               "work that all jobs brought, in GPU-hours"},
    ShareWords{"goodput", "work kept: how much of a job's own GPU time was progress",
               "hours of the GPUs that jobs asked for: kept, wasted and overhead"},
    ShareWords{"busy", "work done, kept or wasted: how much of leased time did any work",
               "GPU-hours that jobs leased, those they did not ask for included"},
    ShareWords{"held use", "those that jobs leased of it", "GPU-hours of held capacity"},
    ShareWords{"useful share", "work of completed jobs: how much led to a result",
               "GPU-hours leased or held idle"},
    ShareWords{"lost between jobs", "those that did not get machines at once",
               "jobs that follow soon on another of their user and class"},
    ShareWords{"free on used hosts", "those on hosts that are used in part", "GPUs that are free in a pool"},
    ShareWords{"preemptions per job", "leases preempted, so that it may be above 1",
               "all jobs of the window"},
};

struct Word {
  const char* word;
  const char* meaning;
};

constexpr std::array kWords{
    Word{"95 % interval, ±",
         "Half of the interval in which the mean of very many replications lies, 19 times of 20."},
    Word{"at once", "Granted in the instant in which the job asked."},
    Word{"contracted price", "The list price with the planner's own terms; what is paid."},
    Word{"direct", "Machines leased from the provider job by job."},
    Word{"fingerprint", "A number of all runs: equal for equal results."},
    Word{"held",
         "Capacity that is paid whether jobs use it or not: reservations, bookings, persistent resources, "
         "node pools."},
    Word{"idle", "Held, and used by no job."},
    Word{"lease", "Machines that a job has, from grant to release."},
    Word{"overhead", "Provisioning, start-up, reload and the writing of checkpoints."},
    Word{"pool", "The machines of one family in one place, from which requests are granted."},
    Word{"preempted", "A lease that the provider ended for somebody else."},
    Word{"release", "When a job may ask for machines: its submission, or later if its group held it back."},
    Word{"replication",
         "The same comparison once more with other random numbers, the same for every strategy in it."},
    Word{"stock-out", "A request refused in the instant, since the pool had no room."},
    Word{"strategy", "A way of buying: what is tried, in which order and for how long."},
    Word{"sunk", "Commitments that exist already and are paid whatever is done."},
    Word{"tenants", "Everybody else who uses the pools."},
    Word{"wait", "From a job's release to its first machines; of a job that never started, longer than any."},
    Word{"wasted", "Work that an interruption threw away, to be done again."},
};

}  // namespace

PageSection words_section() {
  Relation words{.title = "Words"};
  words.add_columns(kText, {"word", "meaning"});
  for (const Word& one : kWords) words.add({one.word, one.meaning});
  return {.id = "words",
          .title = "Shares and words",
          .blocks = {shares_table({kShares.begin(), kShares.end()}), std::move(words)},
          .menu = "Words"};
}

}  // namespace stockout
