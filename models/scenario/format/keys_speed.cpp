#include "models/execution/work.h"
#include "models/scenario/format/catalog_names.h"
#include "models/scenario/format/keys.h"

namespace stockout {
namespace {

constexpr double kLeast = 0.001;      // of a bandwidth in GB/s, and of its multiplier: an exchange has an end
constexpr double kMostMessage = 1e6;  // GB
constexpr double kMostBandwidth = 1e6;  // GB/s

constexpr double of_reference(Rate rate) { return static_cast<double>(rate) / kReferenceRate; }

}  // namespace

const ObjectSpec& speed_keys() {
  static const ObjectSpec kKeys{
      .name = "speed",
      .doc =
          "How fast the jobs run where. `work` is what they take on the reference. A GPU type that is not "
          "listed is no place where they run. Numbers are measurements or assumptions of yours; the report "
          "prints them.",
      .keys =
          {
              optional_key("reference", known_value(gpu_types()),
                           "the GPU type on which `work` was measured; default: the source's"),
              optional_key("gpus",
                           by_name(gpu_types(),
                                   table_of(number_value(of_reference(kLeastRate), of_reference(kMostRate)))),
                           "speed of each GPU type against the reference, which is 1: {\"A100-80GB\": 1, "
                           "\"H100-80GB\": 2.2}"),
              optional_key("step_times", by_name(gpu_types(), table_of(positive_duration_value())),
                           "instead: how long a training step takes on each, the reference among them"),
              optional_key("scaling", object_value(scaling_keys()),
                           "data that jobs of several nodes exchange; default: nothing that takes time"),
          },
      .exactly_one = {KeyGroup{{"gpus", "step_times"}}},
      .relations = {requires_keys({"gpus"}, {"scaling/step"}, "how long the reference computes on a step")}};
  return kKeys;
}

const ObjectSpec& scaling_keys() {
  static const ObjectSpec kKeys{
      .name = "scaling",
      .doc =
          "Jobs of several nodes exchange gradients in every step, by a ring all-reduce over all their GPUs: "
          "2 (n - 1) / n x message / bandwidth. The bandwidth is NCCL's busbw as measured between two nodes "
          "for a message of that size (`models/catalog/data/collectives.csv`). Where there is no measurement "
          "it is the machine's whole network, an upper bound. A ring of n GPUs, more than those of two "
          "nodes, sends smaller pieces: its bandwidth is that of a message so much smaller (assumption).",
      .keys = {
          required_key("message", number_above(0, kMostMessage, "GB"),
                       "all-reduced in a step, 10^9 bytes: 2 or 4 bytes for each parameter"),
          optional_key("step", positive_duration_value(),
                       "computing in a step on the reference; default: its step time"),
          default_key("overlap", number_value(0, 1, "share"), "0",
                      "of the exchange, hidden behind computing"),
          optional_key(
              "measured_nodes", integer_value(1, kMostNodes, "nodes"),
              "on how many nodes `work` and `step` were measured: jobs of more or fewer take less or more "
              "time; default: on as many as each job has"),
          default_key("batch", choice_value({"same", "grows"}), "same",
                      "on more nodes: the same, so that each computes less in a step; or grows with them, so "
                      "that there are fewer steps"),
          optional_key("measured_on", known_value(machine_families()),
                       "the machine family on which `work` was measured; default: the source's machine, or "
                       "the only family with the reference"),
          optional_key("busbw",
                       by_name(machine_families(), table_of(number_value(kLeast, kMostBandwidth, "GB/s"))),
                       "of machine families, per GPU, instead of what was measured"),
          default_key("busbw_times", number_value(kLeast, 100), "1",
                      "every bandwidth is multiplied by it: to try what it matters"),
      }};
  return kKeys;
}

}  // namespace stockout
