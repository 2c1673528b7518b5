#pragma once

#include <iosfwd>

namespace stockout {

/// What a program says with its exit code.
enum class ExitCode : int {
  done = 0,
  not_as_asked = 1,    // for checks: the program ran, and a result misses what was asked of it
  bad_input = 2,       // the command line, a file, or a place to write to
  internal_error = 3,  // our mistake
  interrupted = 130,   // as a shell says it of Ctrl-C
};

/// Where a command writes. The result of a command goes to `out`, and only when the command is done: main()
/// writes it in one piece and reports a full disk. Progress goes to `err`, and only to a terminal.
struct Console {
  std::ostream& out;
  std::ostream& err;
  bool err_is_terminal = false;
  ExitCode exit = ExitCode::done;  // what a command that throws nothing sets
};

}  // namespace stockout
