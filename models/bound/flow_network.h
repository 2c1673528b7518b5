#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace stockout {

/// Sending something from a source to a sink over arcs that hold so much and cost so much, in whole numbers.
class FlowNetwork {
 public:
  /// Of capacities and costs; so many nodes and paths as fit into memory cannot overflow then.
  static constexpr std::int64_t kMost = std::int64_t{1} << 30;

  /// At least two nodes: 0 is the source, 1 the sink.
  explicit FlowNetwork(std::size_t nodes) : nodes_{nodes} {}

  /// Both from 0 to kMost. Arcs into the source or out of the sink are not allowed, nor circles.
  void add_arc(std::size_t from, std::size_t to, std::int64_t capacity, std::int64_t cost);

  /// The least cost of sending `amount`, at most kMost; nothing if so much cannot be sent.
  [[nodiscard]] std::optional<std::int64_t> least_cost(std::int64_t amount) const;

 private:
  struct Arc {
    std::size_t from = 0;
    std::size_t to = 0;
    std::int64_t capacity = 0;
    std::int64_t cost = 0;
  };
  std::size_t nodes_;
  std::vector<Arc> arcs_;
};

}  // namespace stockout
