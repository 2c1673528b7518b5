#pragma once

#include <string>

#include "sim/io/json_value.h"

namespace stockout {

/// A value to put into the scenario before it is checked: --set /json/pointer=value. The value is JSON if it
/// parses as such, else a string.
struct Override {
  std::string pointer;
  std::string value;
};

/// A value that another file puts into the scenario in the same way, as a sweep does. Its paths are relative
/// to the scenario's folder, as those in the scenario are.
struct PlacedValue {
  std::string pointer;
  JsonValue value;
  std::string said_in;  // for messages: "sweep.json:7: /vary/grid/0: /pools/0/gpus"
};

}  // namespace stockout
