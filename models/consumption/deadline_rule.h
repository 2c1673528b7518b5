#pragma once

#include <cstdint>

#include "models/consumption/strategy.h"

namespace stockout {

/// Where a job under a deadline rule is, or should be.
enum class Footing : std::uint8_t { none, cheap, safe };

/// A job as the rule knows it when it decides. All lengths in ms.
struct DeadlineView {
  Footing footing = Footing::none;
  bool has_begun = false;        // its lease is past start-up
  bool saves_work = false;       // it writes checkpoints
  bool cheap_available = false;  // a cheap lease could be had now, or is had
  SimDuration elapsed{};         // since submission
  SimDuration deadline{};        // from submission; kForever: none
  SimDuration work{};            // in all, on the reference
  SimDuration done{};            // of it
  SimDuration left{};            // time that the rest takes on the safe leg
};

/// Uniform Progress (Wu et al., "Can't Be Late: Optimizing Spot Instance Savings under Deadlines", NSDI '24):
/// on cheap capacity when there is some, on safe capacity while behind a straight line from start to
/// deadline, or when the deadline leaves room for no more than one change.
[[nodiscard]] Footing wanted_footing(const DeadlineRule& rule, const DeadlineView& view);

}  // namespace stockout
