#pragma once

#include "models/billing/terms.h"
#include "models/world/world.h"
#include "tests/support/random_choice.h"

namespace stockout::test {

/// Gives every price line of a random world up to three prices of whole half dollars, the same to a held line
/// and its sublet.
void add_prices(World& world, Choice& choice);

/// Sometimes a commitment, which covers some lines, and other costs.
[[nodiscard]] BillTerms random_terms(const World& world, Choice& choice);

}  // namespace stockout::test
