#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tools/stockout/cli.h"
#include "tools/stockout/memory_limit.h"
#include "tools/stockout/terminal/interrupt.h"
#include "tools/stockout/terminal/old_prices.h"
#include "tools/stockout/terminal/printable.h"
#include "tools/stockout/terminal/terminal.h"

namespace {

using stockout::ExitCode;

// A program started with a closed standard stream would get its number for the next file it opens, and write
// reports into it. What stands in its place can be read only, so that writing to it fails as to a closed one.
void open_missing_streams() {
  for (int stream = 0; stream <= 2; ++stream) {
    if (::fcntl(stream, F_GETFD) == -1 && ::open("/dev/null", O_RDONLY) == -1) ::_exit(2);
  }
}

// Zero, or the error that stopped it.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  open_missing_streams();
  std::signal(SIGPIPE, SIG_IGN);
  // A limit on the size of files is an error of the write that meets it.
  std::signal(SIGXFSZ, SIG_IGN);
#ifndef STOCKOUT_SANITIZED  // sanitizers map far more than there is
  stockout::limit_memory();
#endif
  std::ostringstream result;
  stockout::Console console{.out = result, .err = std::cerr};
  const stockout::Environment environment = [](const char* name) { return std::getenv(name); };
  stockout::describe_terminal(console, environment);
  console.today = stockout::today(environment);
  stockout::end_cleanly_on_signals();
  const ExitCode code = stockout::run_cli({argv + (argc > 0 ? 1 : 0), argv + argc}, console);

  std::string page = std::move(result).str();
  if (console.out_is_terminal) page = stockout::printable_page(page);
  stockout::note_output(page.find('\x1b') != std::string::npos);
  const int error = write_all(STDOUT_FILENO, page);
  if (error != 0 && error != EPIPE) {  // a reader that has seen enough, such as head, is no error
    std::cerr << "stockout: error: cannot write to standard output: " << std::strerror(error) << '\n';
    if (code == ExitCode::done || code == ExitCode::not_as_asked)
      return static_cast<int>(ExitCode::bad_input);
  }
  return static_cast<int>(code);
}
