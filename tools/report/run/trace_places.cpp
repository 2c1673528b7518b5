#include "tools/report/run/trace_places.h"

#include <array>
#include <variant>

#include "models/workload/arrivals/synthesis.h"
#include "models/workload/arrivals/trace_cursor.h"
#include "sim/core/check.h"

namespace stockout {
namespace {

// Rows of blocks are numbered as they come.
std::vector<std::size_t> places_in_blocks(const TraceDemand& trace, SourceId source, RandomStreams random) {
  std::vector<std::size_t> places;
  ResampleCursor blocks{trace, source, random};
  for (std::array<Job, 1> job; blocks.next(job) > 0;) places.push_back(blocks.last_place());
  return places;
}

std::vector<std::size_t> places_of_rows(const JobColumns& jobs) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const std::size_t row = jobs.row.empty() ? i : jobs.row[i];
    if (row >= places.size()) places.resize(row + 1);
    places[row] = i;
  }
  return places;
}

}  // namespace

TracePlaces::TracePlaces(const World& world, std::uint64_t replication) : places_(world.sources.size()) {
  const RandomStreams random{world.seed, replication};
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const auto* const trace = std::get_if<TraceDemand>(&world.sources[i].demand);
    if (trace == nullptr || (trace->jobs->team.empty() && trace->jobs->held.empty())) continue;
    places_[i] = trace->resampled ? places_in_blocks(*trace, SourceId{static_cast<std::uint16_t>(i)}, random)
                                  : places_of_rows(*trace->jobs);
  }
}

std::optional<std::size_t> TracePlaces::of(const Job& job) const {
  const std::vector<std::size_t>& places = places_[index(job.source)];
  if (places.empty()) return std::nullopt;
  const std::size_t row = job.row % kFirstAddedRow;
  STOCKOUT_CHECK(row < places.size());
  return places[row];
}

}  // namespace stockout
