#include "models/bound/flow_network.h"

#include <algorithm>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/successive_shortest_path_nonnegative_weights.hpp>

#include "sim/core/check.h"

namespace stockout {
namespace {

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;

struct ArcOfGraph {
  std::int64_t capacity = 0;
  std::int64_t residual = 0;
  std::int64_t cost = 0;
  Traits::edge_descriptor reverse{};
};

using Graph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, ArcOfGraph>;

void add_both(Graph& graph, std::size_t from, std::size_t to, std::int64_t capacity, std::int64_t cost) {
  const auto there =
      boost::add_edge(from, to, {.capacity = capacity, .residual = 0, .cost = cost}, graph).first;
  const auto back = boost::add_edge(to, from, {.capacity = 0, .residual = 0, .cost = -cost}, graph).first;
  graph[there].reverse = back;
  graph[back].reverse = there;
}

// Farther than any path is long.
constexpr std::int64_t kFar = std::int64_t{1} << 60;

/// Distances of nodes, at most kFar: the library adds up those of nodes out of reach, round after round.
class Distances : public boost::property_traits<std::int64_t*> {
 public:
  explicit Distances(std::vector<std::int64_t>& of_nodes) : of_nodes_{&of_nodes} {}

  friend std::int64_t get(const Distances& distances, std::size_t node) {
    return (*distances.of_nodes_)[node];
  }
  friend void put(const Distances& distances, std::size_t node, std::int64_t distance) {
    (*distances.of_nodes_)[node] = std::min(distance, kFar);
  }

 private:
  std::vector<std::int64_t>* of_nodes_;
};

}  // namespace

void FlowNetwork::add_arc(std::size_t from, std::size_t to, std::int64_t capacity, std::int64_t cost) {
  STOCKOUT_CHECK(from < nodes_ && to < nodes_ && from != to && to != 0 && from != 1);
  STOCKOUT_CHECK(capacity >= 0 && capacity <= kMost && cost >= 0 && cost <= kMost);
  arcs_.push_back({.from = from, .to = to, .capacity = capacity, .cost = cost});
}

// The amount comes through one arc of its capacity, from a node before the source.
std::optional<std::int64_t> FlowNetwork::least_cost(std::int64_t amount) const {
  STOCKOUT_CHECK(amount >= 0 && amount <= kMost);
  Graph graph{nodes_ + 1};
  add_both(graph, nodes_, 0, amount, 0);
  for (const Arc& arc : arcs_) add_both(graph, arc.from, arc.to, arc.capacity, arc.cost);
  std::vector<std::int64_t> distance(nodes_ + 1);
  std::vector<std::int64_t> distance_before(nodes_ + 1);
  boost::successive_shortest_path_nonnegative_weights(
      graph, nodes_, std::size_t{1},
      boost::capacity_map(boost::get(&ArcOfGraph::capacity, graph))
          .residual_capacity_map(boost::get(&ArcOfGraph::residual, graph))
          .reverse_edge_map(boost::get(&ArcOfGraph::reverse, graph))
          .weight_map(boost::get(&ArcOfGraph::cost, graph))
          .distance_map(Distances{distance})
          .distance_map2(Distances{distance_before}));
  std::int64_t sent = 0;
  std::int64_t cost = 0;
  for (const auto edge : boost::make_iterator_range(boost::edges(graph))) {
    const ArcOfGraph& arc = graph[edge];
    const std::int64_t flow = arc.capacity - arc.residual;
    if (arc.capacity == 0) continue;
    cost += flow * arc.cost;
    if (boost::source(edge, graph) == nodes_) sent = flow;
  }
  if (sent < amount) return std::nullopt;
  return cost;
}

}  // namespace stockout
