#include "tools/report/comparison_page/words_section.h"

#include <array>

namespace stockout {
namespace {

struct ShareOf {
  const char* name;
  const char* of;
  const char* counted;
};

// As models/measures/README.md defines them.
constexpr std::array kShares{
    ShareOf{"within goal", "jobs that the goal is about", "those that started within its limit"},
    ShareOf{"goal met", "jobs that the goal is about",
            "those that started within its limit and were completed; a job that never starts is late"},
    ShareOf{"never started", "all jobs of the window", "those that never got machines"},
    ShareOf{"work done", "work that all jobs brought, in GPU-hours",
            "that of completed jobs; of several GPU types asked for, the share of the one with the least"},
    ShareOf{"goodput", "hours of the GPUs that jobs asked for: kept, lost and overhead",
            "work kept: how much of a job's own GPU time was progress"},
    ShareOf{"busy", "GPU-hours that jobs leased, those they did not ask for included",
            "work done, kept or lost: how much of leased time did any work"},
    ShareOf{"held use", "GPU-hours of held capacity", "those that jobs leased of it"},
    ShareOf{"useful", "GPU-hours leased or held idle", "work of completed jobs: how much led to a result"},
    ShareOf{"lost between jobs", "jobs that follow soon on another of their user and class",
            "those that did not get machines at once"},
    ShareOf{"free on used hosts", "GPUs that are free in a pool", "those on hosts that are used in part"},
    ShareOf{"preemptions per job", "all jobs of the window", "leases preempted, so that it may be above 1"},
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
    Word{"lost", "Work that an interruption threw away, to be done again."},
    Word{"overhead", "Provisioning, start-up, reload and the writing of checkpoints."},
    Word{"pool", "The machines of one family in one place, from which requests are granted."},
    Word{"preempted", "A lease that the provider ended for somebody else."},
    Word{"release", "When a job may ask for machines: its submission, or later if its group held it back."},
    Word{"replication",
         "The same comparison once more with other dice; the same dice for every strategy in it."},
    Word{"stock-out", "A request refused in the instant, since the pool had no room."},
    Word{"strategy", "A way of buying: what is tried, in which order and for how long."},
    Word{"sunk", "Commitments that exist already and are paid whatever is done."},
    Word{"tenants", "Everybody else who uses the pools."},
    Word{"wait", "From a job's release to its first machines; of a job that never started, longer than any."},
};

}  // namespace

PageSection words_section() {
  Relation shares{.title = "What each share is a share of"};
  shares.add_columns(kText, {"share", "of", "counted"});
  for (const ShareOf& one : kShares) shares.add({one.name, one.of, one.counted});
  Relation words{.title = "Words"};
  words.add_columns(kText, {"word", "meaning"});
  for (const Word& one : kWords) words.add({one.word, one.meaning});
  return {.id = "words",
          .title = "Shares and words",
          .blocks = {std::move(shares), std::move(words)},
          .menu = "Words"};
}

}  // namespace stockout
