#include "models/consumption/deadline_rule.h"

namespace stockout {
namespace {

__extension__ using Wide = __int128;

Wide product(SimDuration a, SimDuration b) { return static_cast<Wide>(a.count()) * b.count(); }

SimDuration floor_to(SimDuration length, SimDuration tick) {
  const SimDuration rest = length % tick;
  return length - rest - (rest < SimDuration::zero() ? tick : SimDuration::zero());
}

SimDuration ceil_to(SimDuration length, SimDuration tick) { return -floor_to(-length, tick); }

}  // namespace

Footing wanted_footing(const DeadlineRule& rule, const DeadlineView& view) {
  const bool has_deadline = view.deadline != kForever;
  Footing want = view.cheap_available ? Footing::cheap : Footing::none;
  const bool is_behind = has_deadline && product(view.done, view.deadline) < product(view.elapsed, view.work);
  if (is_behind && !view.cheap_available) want = Footing::safe;
  if (view.footing == Footing::safe) {
    const bool is_ahead = !has_deadline || product(view.elapsed + 2 * rule.overhead, view.work) <
                                               product(view.done, view.deadline);
    if (!(view.cheap_available && view.saves_work && is_ahead)) want = Footing::safe;
  }
  if (!has_deadline) return want;
  const SimDuration rest = floor_to(view.deadline - view.elapsed, rule.tick);
  if (ceil_to(view.left + 2 * rule.overhead, rule.tick) >= rest && view.footing != Footing::cheap)
    want = Footing::safe;
  if (ceil_to(view.left + rule.overhead, rule.tick) >= rest) {
    want = view.footing == Footing::cheap && view.has_begun ? Footing::cheap : Footing::safe;
  }
  return want;
}

}  // namespace stockout
