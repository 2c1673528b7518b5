#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace stockout {

/// So many replications, or the next number that is whole rounds of so many, at least one.
[[nodiscard]] constexpr std::size_t whole_rounds(std::size_t replications, std::size_t round) {
  return (replications + round - 1) / round * round;
}

/// Worlds that take turns over the replications of an experiment: in every round each has as many as its
/// weight says. Nothing is drawn for this, so neither the seed nor the threads matter.
class WorldTurns {
 public:
  /// One world, always.
  WorldTurns() = default;
  /// By world how often it has its turn against the others, at least once each; at least one world.
  explicit WorldTurns(std::vector<std::size_t> turns);
  /// By world its weight, a multiple of 1 / `most`, at least that.
  [[nodiscard]] static WorldTurns by_weight(std::span<const double> weights, std::size_t most);

  /// By world its turns in a round, without a divisor in common.
  [[nodiscard]] const std::vector<std::size_t>& in_round() const { return in_round_; }
  /// How many replications a round has.
  [[nodiscard]] std::size_t round() const { return turns_.size(); }
  /// Place in in_round().
  [[nodiscard]] std::size_t world_of(std::size_t replication) const {
    return turns_[replication % turns_.size()];
  }
  /// The first replication in the world of this one.
  [[nodiscard]] std::size_t first_alike(std::size_t replication) const {
    return firsts_[world_of(replication)];
  }
  /// So many replications, or the next number that is whole rounds.
  [[nodiscard]] std::size_t whole_rounds(std::size_t replications) const {
    return stockout::whole_rounds(replications, round());
  }

 private:
  std::vector<std::size_t> in_round_{1};
  std::vector<std::size_t> turns_{0};   // by replication of a round: the world
  std::vector<std::size_t> firsts_{0};  // by world: its first replication
};

}  // namespace stockout
