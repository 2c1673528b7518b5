#include "models/scenario/format/fill.h"
#include "models/scenario/format/keys.h"
#include "models/workload/jobs.h"
#include "models/workload/trace.h"

namespace stockout {

const ObjectSpec& trace_keys() {
  static const ObjectSpec kKeys{
      .name = "trace",
      .doc = "The jobs of a file, plain or gzip.",
      .keys =
          {
              required_key(
                  "file", text_value(),
                  "path from the scenario's folder; if given with --set, from the working directory"),
              required_key("format", name_value("trace format", kTraceFormatNames),
                           "format of the file; a unit is never guessed"),
              filling(&TraceOptions::zone, default_key("time_zone", text_value(), "UTC",
                                                       "of date-times in the file that carry no offset")),
              default_key(
                  "shift", choice_value({"to_start", "none"}), "to_start",
                  "whether the first job moves to the start of the window, or times stay on the calendar"),
              filling(&TraceOptions::resolution,
                      default_key("resolution", duration_value(), "0s",
                                  "times are rounded to multiples of it; 0s: as in the file")),
              optional_key("only_users", list_value(text_value(), 1, 10'000),
                           "keep these users only (Philly: clusters)"),
              filling(&TraceOptions::first_jobs,
                      optional_key("first", integer_value(1, 4e9), "keep the first so many jobs only")),
              optional_key("gpus_per_node", integer_value(1, kMostNodeGpus, "GPUs"),
                           "how a total is split into nodes; default: the family's host size"),
              optional_key("clip_gpus", integer_value(1, kMostGpus, "GPUs"), "larger requests are cut to it"),
              optional_key("names", table_of(text_value()),
                           "GPU and machine types as the file calls them, each with the GPU or machine type "
                           "of the catalogue that it means; \"*\": any that is not listed"),
              optional_key("class_by_length", list_value(object_value(length_class_keys()), 1, 20),
                           "job classes by how long a job runs; the first that fits counts"),
              optional_key("join_attempts", object_value(join_attempts_keys()),
                           "of a file with outcomes: what users tried again is one job"),
              optional_key("resample", object_value(resample_keys()),
                           "new demand out of blocks of the trace"),
          },
      .relations = {only_with(
          {{"format",
            {"csv", "swf", "sacct", "helios", "openb", "pai", "eagle", "vertex", "kueue", "kubernetes"}}},
          {"join_attempts"}, "it has outcomes")}};
  return kKeys;
}

const ObjectSpec& length_class_keys() {
  static const ObjectSpec kKeys{
      .name = "length_class",
      .doc = "Jobs up to a length form a class.",
      .keys = {
          required_key("name", text_value(), "of the class"),
          optional_key("up_to", positive_duration_value(), "the longest job of the class; default: any"),
      }};
  return kKeys;
}

const ObjectSpec& join_attempts_keys() {
  static const ObjectSpec kKeys{
      .name = "join_attempts",
      .doc =
          "Rows of one user, class, group and shape that follow a row which did not get done are attempts of "
          "one job: submitted with the first, of the length of the last.",
      .keys = {
          required_key("within", duration_value(),
                       "from the end of an attempt to the submission of the next"),
          required_key("after", list_value(text_value(), 1, 100),
                       "the outcomes after which users try again, as the file writes them"),
      }};
  return kKeys;
}

const ObjectSpec& resample_keys() {
  static const ObjectSpec kKeys{
      .name = "resample",
      .doc =
          "A moving-block bootstrap: pieces of the trace follow one another, chosen anew "
          "in every replication.",
      .keys = {
          filling(&Resample::block, required_key("block", positive_duration_value(), "length of a piece")),
          filling(&Resample::step,
                  default_key("step", positive_duration_value(), "1d", "pieces start at multiples of it")),
          filling(&Resample::length, optional_key("length", positive_duration_value(),
                                                  "how much demand to make; default: the window")),
      }};
  return kKeys;
}

}  // namespace stockout
