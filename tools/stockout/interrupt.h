#pragma once

namespace stockout {

/// While it lives, the first SIGINT (Ctrl-C) or SIGTERM is only noted, so that what is being written is
/// finished; a second ends the program at once. One at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  /// From any thread.
  [[nodiscard]] static bool was_asked_for();
};

}  // namespace stockout
