#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/catalog/date.h"

namespace stockout {

/// A measured bandwidth of collectives between nodes of a machine family: NCCL's busbw, which holds the
/// ring's factor, so that an all-reduce of S bytes over n GPUs takes 2 (n - 1) / n x S / busbw.
struct BusBandwidth {
  std::string family;
  double message_gb = 0;  // size of the message, 10^9 bytes; 0: see busbw
  double busbw = 0;       // GB/s per GPU; 0: the source measured it and does not say the figure
  Date as_of{};
  std::string source;  // key into Catalog::sources()
  std::string note;
};

/// The bandwidth for a message of that size: between two measured sizes the logarithm of the bandwidth is
/// linear in that of the size; beyond the smallest and the greatest it is theirs. `points` are of one family,
/// in order of size, none with a busbw of 0; nothing if there is none.
[[nodiscard]] std::optional<double> bus_bandwidth(std::span<const BusBandwidth> points, double message_gb);

/// Seconds that an all-reduce of `message_gb` over `gpus` GPUs takes at a bus bandwidth.
[[nodiscard]] double all_reduce_s(double message_gb, double gpus, double busbw);

}  // namespace stockout
