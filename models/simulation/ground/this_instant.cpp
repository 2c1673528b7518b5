#include "models/simulation/ground/this_instant.h"

namespace stockout {

// Ends that were set anew meanwhile are passed over.
bool ThisInstant::take_next_ending(Event& event) {
  while (next_ending_ < ending_now_.size()) {
    event = ending_now_[next_ending_++];
    if (event.subject != Event::kNobody) return true;
  }
  return false;
}

void ThisInstant::unset_ending(LeaseSlot lease) {
  for (auto* endings : {&ending_, &ending_now_}) {
    for (Event& event : *endings) {
      if (event.kind == EventKind::lease_ends && event.lease() == lease) event.subject = Event::kNobody;
    }
  }
}

}  // namespace stockout
