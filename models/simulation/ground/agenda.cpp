#include "models/simulation/ground/agenda.h"

#include <fmt/format.h>

namespace stockout {
namespace {

// By Phase.
constexpr std::array<std::uint8_t, kPhases> kRanksReleasesFirst{0, 1, 2, 3, 4, 5, 6};
constexpr std::array<std::uint8_t, kPhases> kRanksStartsFirst{2, 3, 4, 5, 6, 0, 1};

}  // namespace

Agenda::Agenda(SimTime begin, Ties ties)
    : now_{begin},
      rank_{ties == Ties::releases_first ? kRanksReleasesFirst : kRanksStartsFirst},
      events_{begin} {}

void Agenda::fail_to_end() const {
  throw InvariantError{fmt::format("{} rounds at {} ms without progress: {} steps due", rounds_,
                                   now_.time_since_epoch().count(), due_.size())};
}

}  // namespace stockout
