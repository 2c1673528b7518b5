#include "models/supply/score_blocks.h"

#include <cmath>

#include <boost/math/distributions/students_t.hpp>

namespace stockout {
namespace {

using ZoneBlocks = std::vector<ScoreBlock>;

ZoneBlocks joined(std::span<const ScoreBlock> blocks, std::size_t length) {
  ZoneBlocks longer((blocks.size() + length - 1) / length);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    longer[i / length].difference += blocks[i].difference;
    longer[i / length].moments += blocks[i].moments;
  }
  return longer;
}

ScoreBlock total_of(const ZoneBlocks& blocks) {
  ScoreBlock sum;
  for (const ScoreBlock& block : blocks) {
    sum.difference += block.difference;
    sum.moments += block.moments;
  }
  return sum;
}

// By block, how far its sum is from what the mean of the zone lets expect.
std::vector<double> distances(const ZoneBlocks& blocks) {
  const ScoreBlock sum = total_of(blocks);
  std::vector<double> away;
  for (const ScoreBlock& block : blocks)
    away.push_back(sum.moments == 0 ? 0 : block.difference - sum.difference / sum.moments * block.moments);
  return away;
}

bool are_neighbours_alike(const std::vector<ZoneBlocks>& zones) {
  constexpr double kOneSided = 1.645;
  double squares = 0;
  double products = 0;
  double pairs = 0;
  for (const ZoneBlocks& blocks : zones) {
    const std::vector<double> away = distances(blocks);
    for (std::size_t i = 0; i < away.size(); ++i) {
      squares += away[i] * away[i];
      if (i == 0 || blocks[i].moments == 0 || blocks[i - 1].moments == 0) continue;
      products += away[i] * away[i - 1];
      ++pairs;
    }
  }
  return squares > 0 && products / squares * std::sqrt(pairs) > kOneSided;
}

struct Variance {
  double value = 0;    // of the sum over a zone
  double freedom = 0;  // degrees; less than 1: not known
};

Variance variance_of(const ZoneBlocks& blocks) {
  double squares = 0;
  for (const double away : distances(blocks)) squares += away * away;
  double count = 0;
  for (const ScoreBlock& block : blocks) count += block.moments > 0 ? 1 : 0;
  if (count < 2) return {};
  return {.value = squares * count / (count - 1), .freedom = count - 1};
}

std::optional<Estimate> estimate_of(const std::vector<ZoneBlocks>& zones) {
  constexpr double kUpper = 0.975;
  ScoreBlock all;
  double variance = 0;
  double spread = 0;
  std::size_t blocks = 0;
  for (const ZoneBlocks& zone : zones) {
    const ScoreBlock sum = total_of(zone);
    if (sum.moments == 0) continue;
    const Variance own = variance_of(zone);
    if (own.freedom < 1) return std::nullopt;
    all.difference += sum.difference;
    all.moments += sum.moments;
    variance += own.value;
    spread += own.value * own.value / own.freedom;
    blocks += zone.size();
  }
  if (all.moments == 0) return std::nullopt;
  Estimate estimate{.mean = all.difference / all.moments, .half_width = 0, .count = blocks};
  if (variance > 0) {
    const double t = boost::math::quantile(boost::math::students_t(variance * variance / spread), kUpper);
    estimate.half_width = t * std::sqrt(variance) / all.moments;
  }
  return estimate;
}

}  // namespace

std::optional<Estimate> mean_difference(std::span<const std::vector<ScoreBlock>> zones,
                                        const BlockLengths& lengths) {
  std::vector<ZoneBlocks> longer;
  for (std::size_t length = lengths.least;; length *= 2) {
    longer.clear();
    for (const ZoneBlocks& zone : zones) longer.push_back(joined(zone, length));
    if (length >= lengths.most || !are_neighbours_alike(longer)) break;
  }
  return estimate_of(longer);
}

}  // namespace stockout
