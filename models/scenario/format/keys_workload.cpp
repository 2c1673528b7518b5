#include "models/scenario/format/catalog_names.h"
#include "models/scenario/format/fill.h"
#include "models/scenario/format/keys.h"
#include "models/supply/pool.h"
#include "models/workload/arrivals/synthesis.h"
#include "models/workload/jobs.h"
#include "models/world/world.h"

namespace stockout {
namespace {

constexpr const char* kFreeCheckpoints = "checkpoints that take no time are best written all the time";

KeySpec priority_key() {
  return optional_key("priority", integer_value(-kMostPriority, kMostPriority),
                      "in held capacity, those who wait with a higher one are served first; default 0");
}

KeySpec checkpoint_key() {
  return optional_key("checkpoint", object_value(checkpoint_keys()),
                      "work that an interrupted job keeps; default: nothing");
}

std::vector<KeyRelation> source_relations() {
  return {
      requires_keys({"poisson"}, {"work"}),
      requires_keys({"schedule"}, {"work"}),
      requires_keys({"after"}, {"work"}),
      excludes_keys({"after"}, {"users", "demand", "parallel", "failure_policy"},
                    "the source that begins the pipeline says it"),
      only_with({{"after"}}, {"begins_anyway"}),
      excludes_keys({"with"},
                    {"work", "deadline", "users", "demand", "parallel", "failure_policy", "job_set", "retry"},
                    "the source that it is with says it"),
      excludes_keys({"trace"}, {"nodes", "gpus", "sizes", "work", "users"}, "the file says it"),
      excludes_value(
          {"trace"}, {.key = "max_wait", .kind = ValueKind::object},
          "a law requires poisson or schedule; for a trace, give one length, or a column max_wait in "
          "its file"),
      excludes_keys({"trace/class_by_length"}, {"class"}, "it says it"),
      requires_keys({"user_names"}, {"users"}),
      excludes_keys({"sizes"}, {"nodes", "gpus"}, "they say it"),
  };
}

KeySpec team_key() {
  return optional_key("team", text_value(),
                      "whose jobs they are, where a trace does not say so; it changes nothing but the column "
                      "of `stockout trace synth`");
}

KeySpec failure_policy_key() {
  return default_key(
      "failure_policy", choice_value({"slow", "fast"}), "slow",
      "of pipelines that begin here, when a job fails. slow: what follows it is skipped; fast: no further "
      "step of the pipeline begins, not even one that `begins_anyway`; a first step that is a `grouped` "
      "batch has begun, and goes on");
}

KeySpec after_key() {
  return optional_key(
      "after", list_value(text_value(), 1, 100),
      "sources that it follows: a job for each of their jobs, or for each of their `grouped` batches, which "
      "begins when those have completed");
}

KeySpec with_key() {
  return optional_key(
      "with", text_value(),
      "a source with whose jobs these form sets, as a JobSet does: one for each of its jobs, which begins "
      "its work with it and has as much. Under Kueue a set is one workload, and each of its jobs has a "
      "flavor");
}

KeySpec user_names_key() {
  return optional_key(
      "user_names", text_value(),
      "how they are called, with a number behind it; sources that say the same have the same people; "
      "default: the source's name, and people of its own");
}

}  // namespace

ValueSpec days_value() {
  return either_value({choice_value({"every_day", "weekdays", "weekends"}),
                       list_value(choice_value({"mon", "tue", "wed", "thu", "fri", "sat", "sun"}), 1, 7)});
}

ValueSpec demand_value() { return either_value({number_value(0, kMostTimes), object_value(demand_keys())}); }

const ObjectSpec& source_keys() {
  static const ObjectSpec kKeys{
      .name = "source",
      .doc =
          "Jobs of one kind: out of a trace, at random times, at set times, or after others: a step of a "
          "pipeline. For a trace, `machine` and `gpu` apply to rows that name none which the catalogue has. "
          "`deadline` and `max_wait` apply to a file without such a column. Nodes, gpus, sizes and work come "
          "from the file.",
      .keys =
          {
              required_key("name", text_value(), "unique among the sources"),
              optional_key("trace", object_value(trace_keys()), "the jobs of a file"),
              optional_key("poisson", object_value(poisson_keys()), "jobs at random times"),
              optional_key("schedule", object_value(schedule_keys()), "batches at set times"),
              after_key(),
              with_key(),
              optional_key("job_set", object_value(job_set_keys()),
                           "rule for the sets of this source's jobs when one of a set lacks machines"),
              default_key("begins_anyway", flag_value(), "false",
                          "whether a job that follows others begins once they are final, completed or not"),
              failure_policy_key(),
              optional_key(
                  "retry", object_value(step_retry_keys()),
                  "of a step of a pipeline, the first among them: the pipeline tries it again when it fails; "
                  "default: not"),
              optional_key("class", text_value(), "the job class; default: the source's name"),
              optional_key("demand", demand_value(),
                           "how much more or less than written, over time; 1.4 is 40 % more"),
              default_key("nodes", integer_value(1, kMostNodes), "1",
                          "machines a job needs, all together (a gang)"),
              optional_key("machine", known_value(machine_types()),
                           "the machine type of every node; gpu and gpus follow from it"),
              optional_key("gpu", known_value(gpu_types()),
                           "GPU type; each node takes the smallest machine that a model sells"),
              optional_key("gpus", integer_value(1, kMostNodeGpus, "GPUs"),
                           "of each node; default: all of the machine; with `gpu` it is required"),
              optional_key("sizes", list_value(object_value(job_size_keys()), 1, 1'000),
                           "jobs of several sizes, drawn by weight, instead of nodes and gpus"),
              optional_key("work", length_value(), "how long a job runs undisturbed"),
              optional_key(
                  "speed", object_value(speed_keys()),
                  "on which GPU types the jobs run, and how fast; it takes the place of `machine` and `gpu`; "
                  "default: as fast on each"),
              optional_key("gpu_memory", number_above(0, kMostGpuMemory, "GB"),
                           "that each GPU needs; places with less are left out"),
              optional_key("deadline", either_value({duration_value(), object_value(deadline_keys())}),
                           "when a job should be done, from submission"),
              default_key("max_wait", either_value({duration_or_forever(), object_value(law_keys())}),
                          "forever",
                          "a job not started by then gives up, whatever it is waiting for; a law is drawn "
                          "for each job"),
              checkpoint_key(),
              exits_key(),
              filling(&JobClass::parallel, optional_key("parallel", integer_value(1, kMostBatch),
                                                        "most jobs of a group open at a time")),
              filling(&JobClass::priority, priority_key()),
              optional_key("users", integer_value(1, kMostUsers),
                           "how many people submit them, in turn; default: one"),
              user_names_key(),
              team_key(),
          },
      .exactly_one = {KeyGroup{{"trace", "poisson", "schedule", "after", "with"}}},
      .at_most_one = {KeyGroup{{"machine", "gpu"}}},
      .relations = source_relations()};
  return kKeys;
}

const ObjectSpec& step_retry_keys() {
  static const ObjectSpec kKeys{
      .name = "step_retry",
      .doc =
          "How a pipeline tries a step again that failed, was refused or waited in vain, as `set_retry` of "
          "Vertex AI Pipelines says it. The step queues anew, with all tries of its model. Pauses grow. "
          "Nothing is tried again under a `deadline_rule`.",
      .keys = {
          filling(&StepRetry::times, required_key("times", integer_value(1, 100), "how often at most")),
          filling(&StepRetry::first,
                  default_key("pause", duration_at_least(kShortestPause), "1s",
                              "from the failure to the first try (Google's default is 0s)")),
          default_key("factor", number_value(1, 100), "2", "from one pause to the next"),
          filling(&StepRetry::most,
                  default_key("most", duration_at_least(kShortestPause), "1h", "the longest pause")),
      }};
  return kKeys;
}

const ObjectSpec& poisson_keys() {
  static const ObjectSpec kKeys{
      .name = "poisson",
      .doc =
          "Jobs, or batches of jobs, at independent random times. The rate follows the local hour and day of "
          "the week: an even one within open hours and days, or profiles of weights, of which only the "
          "proportions count.",
      .keys =
          {
              optional_key("per_hour", number_above(0, kMostPerHour, "batches"),
                           "mean number in an open hour, over all of a week"),
              optional_key("per_day", number_above(0, kMostPerHour, "batches"),
                           "mean number on an open day, over all of a week"),
              optional_key("per_week", number_above(0, kMostPerHour, "batches"), "mean number in a week"),
              default_key("hours", clock_span_value(), "00:00-24:00", "open hours, local time, whole hours"),
              default_key("days", days_value(), "every_day", "open days"),
              optional_key("hour_profile", list_value(number_value(0, kMostWeight), 24, 24),
                           "instead of hours: a weight for each hour of the day, from 00:00; 0 is closed"),
              optional_key("day_profile", list_value(number_value(0, kMostWeight), 7, 7),
                           "instead of days: a weight for each day, Monday first; 0 is closed"),
              default_key("count", integer_value(1, kMostAtOnce, "jobs"), "1", "in a batch, all at once"),
              optional_key("counts", list_value(object_value(batch_size_keys()), 1, 1'000),
                           "instead of count: drawn for each batch"),
              default_key("grouped", flag_value(), "false",
                          "whether a batch is a group, to which `parallel` applies"),
          },
      .exactly_one = {KeyGroup{{"per_hour", "per_day", "per_week"}}},
      .at_most_one = {KeyGroup{{"hours", "hour_profile"}}, KeyGroup{{"days", "day_profile"}},
                      KeyGroup{{"count", "counts"}}}};
  return kKeys;
}

const ObjectSpec& batch_size_keys() {
  static const ObjectSpec kKeys{
      .name = "batch_size",
      .doc = "How many jobs come at once, and how often.",
      .keys = {
          required_key("count", integer_value(1, kMostAtOnce, "jobs"), "in a batch"),
          required_key("weight", number_above(0, kMostWeight),
                       "share of the batches, as a part of all weights"),
      }};
  return kKeys;
}

const ObjectSpec& schedule_keys() {
  static const ObjectSpec kKeys{
      .name = "schedule",
      .doc = "Batches of jobs at set local times.",
      .keys =
          {
              default_key("at", clock_value(), "00:00", "time of day"),
              optional_key("days", days_value(), "on these days; default: every day"),
              optional_key("on_days", list_value(integer_value(0, 12'000), 1, 10'000),
                           "on these days; 0 is the first"),
              optional_key("every", positive_duration_value(),
                           "again and again after this time, from `at` on the first day"),
              default_key("count", integer_value(1, kMostBatch, "jobs"), "1", "in a batch"),
              default_key("grouped", flag_value(), "false",
                          "whether a batch is a group, to which `parallel` applies"),
          },
      .at_most_one = {KeyGroup{{"days", "on_days", "every"}}}};
  return kKeys;
}

const ObjectSpec& demand_keys() {
  static const ObjectSpec kKeys{
      .name = "demand",
      .doc =
          "Demand against what is written: a multiplier, times calendar peaks, times growth; those of a "
          "source and of the whole workload multiply. With more demand every job of before is there with the "
          "same luck, and others come on top. Observed demand is suppressed demand: people stop asking when "
          "there is a queue.",
      .keys = {
          default_key("times", number_value(0, kMostTimes), "1", "all the time; 0: no job at all"),
          optional_key("peaks", list_value(object_value(peak_keys()), 1, 1'000),
                       "days on which it differs; where several meet, they multiply"),
          optional_key("growth", object_value(growth_keys()), "steadily more, or less"),
      }};
  return kKeys;
}

const ObjectSpec& peak_keys() {
  static const ObjectSpec kKeys{
      .name = "peak",
      .doc = "Days of the calendar with another demand: a season, a launch, holidays.",
      .keys = {
          required_key("name", text_value(), "in a few words; printed with the result"),
          required_key("from", date_value(), "its first day"),
          required_key("until", date_value(), "the first day on which it is over"),
          required_key("times", number_value(0, kMostTimes), "demand on these days; 0: none"),
      }};
  return kKeys;
}

const ObjectSpec& growth_keys() {
  static const ObjectSpec kKeys{
      .name = "growth",
      .doc = "Demand that grows from a day on, smoothly; a month is 30.436875 days, a year 365.2425.",
      .keys = {
          required_key("percent", number_above(-100, 10'000, "%"), "in each period; below 0 it shrinks"),
          required_key("per", choice_value({"month", "year"}), "the period"),
          default_key("form", choice_value({"compound", "linear"}), "compound",
                      "whether a period adds to what the one before has added, or always the same"),
          optional_key("from", date_value(), "the day on which it begins; default: the start"),
      }};
  return kKeys;
}

const ObjectSpec& job_size_keys() {
  static const ObjectSpec kKeys{
      .name = "job_size",
      .doc = "A size, and how often it occurs.",
      .keys = {
          default_key("nodes", integer_value(1, kMostNodes), "1",
                      "machines a job needs, all together (a gang)"),
          optional_key("gpus", integer_value(1, kMostNodeGpus, "GPUs"),
                       "of each node; default: all of the source's machine"),
          required_key("weight", number_above(0, kMostWeight), "share of the jobs, as a part of all weights"),
      }};
  return kKeys;
}

const ObjectSpec& deadline_keys() {
  static const ObjectSpec kKeys{
      .name = "deadline",
      .doc = "When a job should be done.",
      .keys =
          {
              optional_key("work_plus", duration_value(), "its work and this long after submission"),
              optional_key("at", clock_value(), "the next such local time after submission"),
          },
      .exactly_one = {KeyGroup{{"work_plus", "at"}}}};
  return kKeys;
}

const ObjectSpec& class_keys() {
  static const ObjectSpec kKeys{
      .name = "class",
      .doc = "Settings that all jobs of a class share.",
      .keys = {
          checkpoint_key(),
          exits_key(),
          filling(&JobClass::parallel, optional_key("parallel", integer_value(1, kMostBatch),
                                                    "most jobs of a group open at a time")),
          filling(&JobClass::priority, priority_key()),
      }};
  return kKeys;
}

const ObjectSpec& checkpoint_keys() {
  static const ObjectSpec kKeys{
      .name = "checkpoint",
      .doc = "Work up to the last checkpoint survives an interruption.",
      .keys =
          {
              optional_key("every", positive_duration_value(), "work between two checkpoints"),
              optional_key("mean_life", positive_duration_value(),
                           "instead: how long the job's machines live on the average until the first of them "
                           "is lost. The interval is then Daly's, about sqrt(2 x cost x mean_life)"),
              filling(&JobClass::checkpoint_cost, default_key("cost", duration_value(), "0s",
                                                              "time to write one, in which no work is done")),
              filling(
                  &JobClass::checkpoint_in_notice,
                  default_key(
                      "in_notice", flag_value(), "false",
                      "whether a job that gets notice writes a last one, if `cost` fits into the notice")),
              filling(&JobClass::reload, default_key("reload", duration_value(), "0s",
                                                     "added to the start-up of a job that goes on from one")),
          },
      .exactly_one = {KeyGroup{{"every", "mean_life"}}},
      .relations = {requires_keys({"mean_life"}, {"cost"}, kFreeCheckpoints)}};
  return kKeys;
}

}  // namespace stockout
