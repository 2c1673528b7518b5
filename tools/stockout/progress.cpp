#include "tools/stockout/progress.h"

#include <ostream>

#include <fmt/format.h>

namespace stockout {
namespace {

constexpr std::string_view kClearLine = "\r\x1b[K";

}  // namespace

Progress::~Progress() {
  if (shown_) console_.err << kClearLine << std::flush;
}

void Progress::show(std::size_t done, std::size_t of) {
  const std::chrono::duration<double> elapsed = Clock::now() - begin_;
  if (!console_.err_is_terminal || elapsed < std::chrono::seconds{2} || done == of) return;
  const double left = elapsed.count() / static_cast<double>(done) * static_cast<double>(of - done);
  console_.err << kClearLine << fmt::format("{} of {} runs, about {:.0f} s left", done, of, left)
               << std::flush;
  shown_ = true;
}

}  // namespace stockout
