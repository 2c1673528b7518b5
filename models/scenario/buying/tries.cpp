#include "models/scenario/buying/tries.h"

#include <algorithm>
#include <limits>

#include "models/scenario/draft/lengths.h"

namespace stockout {
namespace {

constexpr double kForEver = std::numeric_limits<double>::infinity();

double count_of(Tries tries) { return tries == kUnlimited ? kForEver : static_cast<double>(tries); }

// How often something can happen again in `span_ms`, if each time takes `pause_ms` and `most` is the limit.
double repeats(double most, double span_ms, double pause_ms) {
  return pause_ms > 0 ? std::min(most, span_ms / pause_ms) : most;
}

double in_ms(SimDuration length) { return static_cast<double>(length.count()); }

// After refusals: each time, or whenever one of the leg's node groups may be tried again.
double retries_of(const Leg& leg, double submissions, double patience_ms) {
  const Policy& policy = leg.policy;
  const double pause_ms = in_ms(policy.retry_interval);
  if (!leg.node_group) return repeats(count_of(policy.retries) * submissions, patience_ms, pause_ms);
  std::size_t groups = 0;
  for (const auto& places : leg.candidates) groups = std::max(groups, places.size());
  return static_cast<double>(groups) * repeats(kForEver, patience_ms, pause_ms);
}

double restarts_of(const Policy& policy, double span_ms) {
  const bool ages = policy.lifetime.is_random() || policy.lifetime.a != kForever;
  return ages ? repeats(count_of(policy.restarts), span_ms, cut_mean_ms(policy.lifetime)) : 0;
}

}  // namespace

double most_tries(const Strategy& strategy, SimDuration span, SimDuration max_wait) {
  const double span_ms = in_ms(span);
  double submissions = 1;
  if (strategy.resubmission) {
    const double last = in_ms(std::min(span, strategy.resubmission->give_up_after));
    submissions += repeats(kForEver, last, in_ms(strategy.resubmission->after));
  }
  const double patience_ms = strategy.resubmission ? span_ms : std::min(span_ms, in_ms(max_wait));
  if (strategy.deadline_rule) return 2 * repeats(kForEver, span_ms, in_ms(strategy.deadline_rule->tick));
  double attempts = submissions;
  double askings = 1;  // of a lease that gathers
  for (const Leg& leg : strategy.legs) {
    const Policy& policy = leg.policy;
    if (!policy.held && (policy.retries != 0 || leg.node_group))
      attempts += retries_of(leg, submissions, patience_ms);
    attempts += std::min(submissions * restarts_of(policy, span_ms), span_ms);
    if (policy.chains) attempts += span_ms / in_ms(policy.run_max);
    if (leg.partial)
      askings +=
          repeats(kForEver, std::min(span_ms, in_ms(leg.partial->gather)), in_ms(leg.partial->interval));
  }
  return attempts * askings * static_cast<double>(strategy.legs.size());
}

}  // namespace stockout
