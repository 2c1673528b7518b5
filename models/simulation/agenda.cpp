#include "models/simulation/agenda.h"

#include <fmt/format.h>

namespace stockout {
namespace {

// By Phase.
constexpr std::array<std::uint8_t, kPhases> kRanksReleasesFirst{0, 1, 2, 3, 4, 5};
constexpr std::array<std::uint8_t, kPhases> kRanksStartsFirst{1, 2, 3, 4, 5, 0};

}  // namespace

Agenda::Agenda(SimTime begin, Ties ties)
    : now_{begin},
      rank_{ties == Ties::releases_first ? kRanksReleasesFirst : kRanksStartsFirst},
      events_{begin} {}

void Agenda::fail_to_end() const {
  throw InvariantError{fmt::format("{} rounds at {} ms without progress: {} steps due", rounds_,
                                   now_.time_since_epoch().count(), due_.size())};
}

// What was set for this very instant comes up in the round that begins.
void Agenda::turn_over() {
  for (const Soon& soon : soon_) at(now_, soon.phase, soon.event);
  soon_.clear();
  ending_now_.swap(ending_);
  ending_.clear();
  next_ending_ = 0;
}

// Ends that were set anew meanwhile are passed over.
bool Agenda::take_ending(Event& event) {
  while (next_ending_ < ending_now_.size()) {
    event = ending_now_[next_ending_++];
    if (event.subject == Event::kNobody) continue;
    ++taken_;
    return true;
  }
  return false;
}

void Agenda::unset_ending(LeaseSlot lease) {
  for (auto* endings : {&ending_, &ending_now_}) {
    for (Event& event : *endings) {
      if (event.kind == EventKind::lease_ends && event.lease() == lease) event.subject = Event::kNobody;
    }
  }
}

}  // namespace stockout
