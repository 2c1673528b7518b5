#include "tests/support/worlds/reduced_shapes.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace stockout::test {
namespace {

// What a leg asks for in a place on behalf of a job with `nodes` of its nodes. In proportion.
Candidate with_nodes(Candidate asked, std::int32_t nodes, std::int32_t all) {
  const auto part_of = [&](std::int64_t whole) { return whole * nodes / all; };
  Candidate reduced = asked;
  reduced.parts[0].machines = static_cast<std::int32_t>(part_of(asked.parts[0].machines));
  reduced.gpus = GpuCount{part_of(asked.gpus.count())};
  reduced.unused = GpuCount{part_of(asked.unused.count())};
  reduced.rate_ppm = rate_on(asked.rate_ppm, nodes, all);
  reduced.least = std::min(asked.least, reduced.parts[0].machines);
  return reduced;
}

// The shape with every smaller number of nodes, and the places for it.
void reduce(World& world, std::size_t shape) {
  const Shape asked = world.shapes[shape];
  for (std::int32_t nodes = 1; asked.tail_gpus == 0 && nodes < asked.nodes; ++nodes) {
    world.kueue->reduced[{ShapeId{static_cast<std::uint32_t>(shape)}, nodes}] =
        ShapeId{static_cast<std::uint32_t>(world.shapes.size())};
    Shape& reduced = world.shapes.emplace_back(asked);
    reduced.nodes = nodes;
    reduced.of_nodes = asked.nodes;
    for (Strategy& strategy : world.strategies) {
      for (Leg& leg : strategy.legs) {
        std::vector<Candidate> places;
        for (const Candidate& place : leg.candidates[shape])
          places.push_back(with_nodes(place, nodes, asked.nodes));
        leg.candidates.push_back(std::move(places));
      }
    }
    for (Source& source : world.sources) {
      for (Strategy& tenant : source.tenants) {
        for (Leg& leg : tenant.legs) leg.candidates.emplace_back();
      }
    }
  }
}

}  // namespace

void add_reduced_shapes(World& world) {
  const std::size_t shapes = world.shapes.size();
  for (std::size_t shape = 0; shape < shapes; ++shape) reduce(world, shape);
}

}  // namespace stockout::test
