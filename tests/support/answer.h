#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "tools/stockout/cli.h"

namespace stockout::test {

/// Answer of the program to a command line.
struct Answer {
  ExitCode code = ExitCode::done;
  std::string out;
  std::string err;
};

inline Answer stockout_says(const std::vector<std::string>& arguments) {
  std::ostringstream out;
  std::ostringstream err;
  Console console{.out = out, .err = err, .err_is_terminal = false};
  const ExitCode code = run_cli(arguments, console);
  return {code, out.str(), err.str()};
}

}  // namespace stockout::test
