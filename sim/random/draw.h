#pragma once

#include <array>
#include <cstdint>

#include <Random123/philox.h>

namespace stockout {

/// Purpose of a random number. Part of the key of every draw: a new purpose is added at the end and never
/// moves an old one's numbers.
enum class Purpose : std::uint32_t {
  arrival = 1,   // gap to the next candidate arrival of a Poisson source
  thinning = 2,  // whether the candidate arrives
  work = 3,      // a job's work
  shape = 4,     // a job's shape
  strategy = 5,  // which strategy a tenant follows
  provisioning = 6,
  start_up = 7,
  block = 8,  // which block of a trace a bootstrap takes
  victim = 9,
  lifetime = 10,      // of a machine; the number of the draw is (attempt << 32) | machine
  acceptance = 11,    // whether a booking is accepted; the entity is the number of the held pool
  cold_start = 12,    // of a machine of an elastic pool; the number of the draw counts its machines
  fault = 13,         // of a machine; the number of the draw is (attempt << 32) | (rule << 24) | machine
  repair = 14,        // of that machine, the same number
  health = 15,        // tests of a machine before a gang starts; the number is (attempt << 32) | machine
  supply = 16,        // the next level of a zone's capacity; the entity is its name, the draw its tick
  supply_group = 17,  // what the zones of a group have in common in that tick
  copy = 18,          // whether a row of a trace or a batch is there, and how often; the number is the copy's
  user = 19,          // who submits a job that is there because demand is more than written
  patience = 20,      // a job's own maximum wait
  design = 21,        // the points of a sweep; the entity is the place of a range, the number a point's
  mass_reclaim =
      22,  // time from one of a pool to the next; the entity is the pool's name, the number counts them
  mass_reclaimed = 23,  // of a machine; the number of the draw is (attempt << 32) | machine
  idle_fault = 24,      // of a held pool's idle machine; the number is (machine << 8) | rule
  idle_repair = 25,     // of that machine, the same number
  worker_exit = 26,     // of the worker of a machine; the number of the draw is (attempt << 32) | machine
  pods = 27,            // how late the pods of a lease come
  supply_shown = 28,  // which level a hidden state of a zone shows; the entity is its name, the draw its tick
  prior =
      29,  // a world out of those that may be; the entity is the place of an unknown, the number a point's
};

/// A stream of random words that belongs to one thing alone: (seed, replication) are the key of a Philox
/// 4x64-10 generator, (purpose, entity, draw) its counter, and the last word of the counter runs. So a draw
/// owns its whole range of words: rejection in one draw never shifts another, and what one entity draws does
/// not depend on the order of events. Meets UniformRandomBitGenerator, for Boost.Random's distributions.
class Draw {
 public:
  using result_type = std::uint64_t;

  Draw(std::uint64_t seed, std::uint64_t replication, Purpose purpose, std::uint64_t entity,
       std::uint64_t draw)
      : key_{{seed, replication}}, counter_{{0, static_cast<std::uint64_t>(purpose), entity, draw}} {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }

  result_type operator()() {
    if (next_ == block_.size()) refill();
    return block_[next_++];
  }

 private:
  void refill() {
    block_ = r123::Philox4x64{}(counter_, key_);
    ++counter_[0];
    next_ = 0;
  }

  r123::Philox4x64::key_type key_;
  r123::Philox4x64::ctr_type counter_;
  r123::Philox4x64::ctr_type block_{};
  std::size_t next_ = 4;
};

/// The two halves of every key of one simulation.
struct RandomStreams {
  std::uint64_t seed = 0;
  std::uint64_t replication = 0;

  [[nodiscard]] Draw draw(Purpose purpose, std::uint64_t entity, std::uint64_t number = 0) const {
    return Draw{seed, replication, purpose, entity, number};
  }
};

/// Uniform on [0, 1), from the upper 53 bits of one word.
inline double uniform01(Draw& draw) { return static_cast<double>(draw() >> 11) * 0x1.0p-53; }

}  // namespace stockout
