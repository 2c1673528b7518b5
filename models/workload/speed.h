#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace stockout {

/// How fast one GPU of a type computes, against one of the reference type.
struct GpuSpeed {
  std::string gpu;
  double speed = 1;
};

/// Exchange of a gang of several nodes in every step: an all-reduce of the gradients.
struct Exchange {
  double message_gb = 0;                // all-reduced per step and GPU, above 0 (10^9 bytes)
  double step_ms = 0;                   // computing a step on the reference type, above 0
  double overlap = 0;                   // share of the exchange that is hidden behind computing, 0 to 1
  double busbw_times = 1;               // what every bus bandwidth is multiplied by, above 0
  std::map<std::string, double> busbw;  // by machine family, GB/s per GPU: in the place of what was measured
  std::string reference_family;         // on which the work was measured
  std::int32_t measured_nodes = 0;      // on how many nodes; 0: as many as the job has
  bool batch_grows = false;             // with the nodes: as long a step, and fewer of them
};

/// How fast the jobs of a source run where. One that says nothing runs everywhere as on the reference.
struct SpeedProfile {
  std::string source;          // the first that says so
  std::string reference;       // the GPU type on which work was measured; empty: no speeds are given
  std::vector<GpuSpeed> gpus;  // the types on which the jobs run, if speeds are given
  double gpu_memory_gb = 0;    // that each of a job's GPUs needs, 10^9 bytes; 0: not said
  std::optional<Exchange> exchange;
};

}  // namespace stockout
