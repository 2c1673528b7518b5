#pragma once

#include <array>
#include <csignal>

namespace stockout {

/// From now on Ctrl-C, and what else asks a program to end (SIGINT, SIGTERM, SIGHUP), ends it cleanly at
/// once: files that are not whole are removed, the line of progress is cleared, a line says that nothing was
/// written, and the exit code is 128 and the signal's number, as a shell has it: 130 for Ctrl-C. A signal
/// that is ignored stays so (nohup).
void end_cleanly_on_signals();

/// A sentence for whoever stops the program: how to go on. Static text; nullptr: none.
void advise_on_interrupt(const char* advice);

inline constexpr const char* kFewerReplications =
    "Fewer --replications are done sooner; a sweep (stockout sweep) can go on where it was stopped.";

/// Says whether a line of progress stands on the terminal.
void note_progress_line(bool is_shown);

/// Says that the result is being written: from here on an interrupt says nothing, and ends colours with
/// those of the terminal if there are any.
void note_output(bool has_colours);

/// While it lives, the first of these signals is only noted, so that what is being written is finished; a
/// second ends the program at once. One at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  /// From any thread.
  [[nodiscard]] static bool was_asked_for();

 private:
  std::array<struct sigaction, 3> before_{};
};

}  // namespace stockout
