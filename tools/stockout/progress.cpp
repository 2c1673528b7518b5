#include "tools/stockout/progress.h"

#include <future>
#include <ostream>

#include <fmt/format.h>

#include "tools/stockout/length_text.h"

namespace stockout {
namespace {

constexpr std::string_view kClearLine = "\r\x1b[K";
constexpr std::chrono::milliseconds kBetween{100};  // two lines

// "12 a second", "0.4 a second", "3.2 a minute".
std::string rate_text(double per_second) {
  if (per_second < 0.2) return fmt::format("{:.1f} a minute", 60 * per_second);
  return fmt::format("{:.{}f} a second", per_second, per_second < 10 ? 1 : 0);
}

// Hours and days as such; but seconds need no decimals here.
std::string left_text(double seconds) {
  return seconds < 120 ? fmt::format("{:.0f} s", seconds) : length_text(1000 * seconds);
}

}  // namespace

ProgressMeter::~ProgressMeter() {
  if (shown_) console_.err << kClearLine << std::flush;
}

void ProgressMeter::show(std::size_t done, std::size_t of) {
  const auto now = Clock::now();
  const std::chrono::duration<double> elapsed = now - begin_;
  if (!console_.err_is_terminal || elapsed < std::chrono::seconds{2} || done == of) return;
  if (shown_ && now - shown_at_ < kBetween) return;
  const double each = elapsed.count() / static_cast<double>(done);
  const std::string left = left_text(each * static_cast<double>(of - done));
  const std::string text =
      known_.empty()
          ? fmt::format("{} of {} {}, {}, about {} left", done, of, what_, rate_text(1 / each), left)
          : fmt::format("{} {}, {}; next look at {}, in about {}", done, what_, known_, of, left);
  console_.err << kClearLine << text << std::flush;
  shown_ = true;
  shown_at_ = now;
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
