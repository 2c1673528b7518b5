#pragma once

#include <chrono>
#include <optional>

namespace stockout {

/// A part of a scenario's window, in local days since its `start`. `from` lies within the window, `until`
/// behind `from`.
struct WindowPart {
  std::chrono::days from{0};
  std::optional<std::chrono::days> until = {};  // none: up to the end of the window
};

}  // namespace stockout
