#include "tools/stockout/progress.h"

#include <future>
#include <ostream>

#include <fmt/format.h>

namespace stockout {
namespace {

constexpr std::string_view kClearLine = "\r\x1b[K";

}  // namespace

ProgressMeter::~ProgressMeter() {
  if (shown_) console_.err << kClearLine << std::flush;
}

void ProgressMeter::show(std::size_t done, std::size_t of) {
  const std::chrono::duration<double> elapsed = Clock::now() - begin_;
  if (!console_.err_is_terminal || elapsed < std::chrono::seconds{2} || done == of) return;
  const double left = elapsed.count() / static_cast<double>(done) * static_cast<double>(of - done);
  const std::string text =
      known_.empty()
          ? fmt::format("{} of {} runs, about {:.0f} s left", done, of, left)
          : fmt::format("{} runs, {}; next look at {} runs, in about {:.0f} s", done, known_, of, left);
  console_.err << kClearLine << text << std::flush;
  shown_ = true;
}

void show_elapsed(Console& console, std::string_view what, const std::function<void()>& work) {
  if (!console.err_is_terminal) return work();
  const auto begin = std::chrono::steady_clock::now();
  auto done = std::async(std::launch::async, work);
  bool shown = false;
  while (done.wait_for(std::chrono::milliseconds{500}) != std::future_status::ready) {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    if (elapsed < std::chrono::seconds{2}) continue;
    console.err << kClearLine << fmt::format("{}, {:.0f} s so far", what, elapsed.count()) << std::flush;
    shown = true;
  }
  if (shown) console.err << kClearLine << std::flush;
  done.get();
}

}  // namespace stockout
