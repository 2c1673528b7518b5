#pragma once

#include <string>

#include "models/scenario/format/node.h"
#include "models/scenario/format/placed_value.h"

namespace stockout {

/// Puts a value into the text where a JSON pointer (RFC 6901) says: in place of what is there, as a new key
/// of an object that is there, or with "-" behind the last item of a list. Throws InputError, as from the
/// command line, for a pointer that names no such place.
void apply_override(ScenarioText& text, const Override& change);

/// The same for what another file says.
void place_value(ScenarioText& text, const PlacedValue& change);

}  // namespace stockout
