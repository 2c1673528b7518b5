#pragma once

#include <span>
#include <vector>

namespace stockout {

/// Poisson arrivals of gangs of one size.
struct GangLoad {
  double load = 0;  // erlang: arrivals per mean service time, at least 0
  int gpus = 1;     // of each gang, at least 1
};

/// Share of the gangs of each class that a pool of `capacity` GPUs turns away when nobody may wait, gangs
/// start whole and any room fits (no hosts). For any law of each class's service time. With q(j) the share of
/// time in which j GPUs are taken (Kaufman-Roberts),
///   j q(j) = sum_k a_k b_k q(j - b_k),   blocked_k = sum_{j > capacity - b_k} q(j).
/// `capacity` from 0 to 10^8. Time and memory go with `capacity`; no intermediate value overflows.
/// An argument out of range, NaN included, is an InvariantError.
/// Source: J. S. Kaufman, IEEE Trans. Commun. 29(10), 1981; J. W. Roberts, Performance of Data Communication
/// Systems, 1981.
[[nodiscard]] std::vector<double> gang_blocking(int capacity, std::span<const GangLoad> classes);

}  // namespace stockout
