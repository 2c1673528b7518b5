#include "tools/stockout/terminal/progress.h"

#include <algorithm>
#include <chrono>
#include <ostream>

#include <fmt/format.h>

#include "sim/io/input_file.h"
#include "tools/report/comparison/precision_text.h"
#include "tools/stockout/terminal/interrupt.h"
#include "tools/stockout/terminal/length_text.h"
#include "tools/stockout/terminal/printable.h"
#include "tools/table/wrap_text.h"

namespace stockout {
namespace {

using ProgressClock = std::chrono::steady_clock;

constexpr std::string_view kClearLine = "\r\x1b[K";
constexpr std::chrono::milliseconds kQuiet{2000};   // shorter work says nothing
constexpr std::chrono::milliseconds kBetween{250};  // two lines
constexpr SimDuration kHourOfRun = std::chrono::hours{1};
constexpr SimDuration kDayOfRun = std::chrono::hours{24};
constexpr std::uint64_t kLargeFile = 10'000'000;  // bytes; a smaller one is read in no time

// "12 a second", "0.4 a second", "3.2 a minute".
std::string rate_text(double per_second) {
  if (per_second < 0.2) return fmt::format("{:.1f} a minute", 60 * per_second);
  return fmt::format("{:.{}f} a second", per_second, per_second < 10 ? 1 : 0);
}

// Hours and days as such; but seconds need no decimals here.
std::string left_text(double seconds) {
  return seconds < 120 ? fmt::format("{:.0f} s", seconds) : length_text(1000 * seconds);
}

std::string elapsed_text(std::string_view what, double elapsed_s) {
  return fmt::format("{}, {} so far", what, left_text(elapsed_s));
}

// For a share of what there is to do, if enough is done to tell from.
std::string part_text(std::string_view what, double share, double elapsed_s) {
  std::string text = elapsed_text(what, elapsed_s);
  if (share < 0.01 || share >= 1) return text;
  return fmt::format("{}, about {} left", text, left_text(elapsed_s * (1 - share) / share));
}

double ms_of(SimTime time) { return static_cast<double>(time.time_since_epoch().count()); }

// Of warm-up and window.
double share_of(const World& world, SimTime now) {
  return (ms_of(now) - ms_of(world.begin)) / (ms_of(world.window_end) - ms_of(world.begin));
}

std::string stopping_text() {
  return Interrupt::was_asked_for() ? "; stopping, Ctrl-C again stops at once" : "";
}

}  // namespace

StatusLine::StatusLine(Console& console, Text text) : console_{console}, text_{std::move(text)} {
  if (console_.err_is_terminal)
    shower_ = std::jthread{[this](const std::stop_token& stop) { keep_showing(stop); }};
}

StatusLine::~StatusLine() {
  if (!shower_.joinable()) return;
  shower_.request_stop();
  shower_.join();
}

void StatusLine::keep_showing(const std::stop_token& stop) {
  const auto begin = ProgressClock::now();
  const auto wait = [&](std::chrono::milliseconds length) {
    std::unique_lock lock{mutex_};
    ended_.wait_for(lock, stop, length, [] { return false; });
    return !stop.stop_requested();
  };
  bool is_shown = false;
  for (auto length = kQuiet; wait(length); length = kBetween) {
    is_shown = true;
    show(std::chrono::duration<double>(ProgressClock::now() - begin).count());
  }
  if (is_shown) console_.err << kClearLine << std::flush;
  note_progress_line(false);
}

// A line longer than the terminal is wide could not be cleared.
void StatusLine::show(double elapsed_s) {
  const std::string text = cut_to_width(printable(text_(elapsed_s)), console_.err_width - 1).front();
  note_progress_line(true);
  console_.err << kClearLine << text << std::flush;
}

ProgressMeter::ProgressMeter(Console& console, std::string_view what)
    : what_{what}, line_{console, [this](double elapsed_s) { return text(elapsed_s); }} {}

void ProgressMeter::show(std::size_t done, std::size_t of) {
  const std::lock_guard lock{mutex_};
  done_ = done;
  of_ = of;
}

void ProgressMeter::add(std::string known) {
  const std::lock_guard lock{mutex_};
  known_ = std::move(known);
}

void ProgressMeter::reach(const World& world, SimTime now) {
  const double share = share_of(world, now);
  const std::lock_guard lock{mutex_};
  if (!reached_ || share < reached_->share) reached_ = {.share = share, .text = reached_text(world, now)};
}

std::string ProgressMeter::text(double elapsed_s) {
  const std::lock_guard lock{mutex_};
  const std::string reached = take_reached();
  if (done_ == 0)
    return elapsed_text(fmt::format("first {} under way", what_), elapsed_s) + reached + stopping_text();
  const double each = elapsed_s / static_cast<double>(done_);
  const std::string left = left_text(each * static_cast<double>(of_ - std::min(done_, of_)));
  const std::string shown =
      known_.empty()
          ? fmt::format("{} of {} {}, {}, about {} left", done_, of_, what_, rate_text(1 / each), left)
          : fmt::format("{} {}, {}; next look at {}, in about {}", done_, what_, known_, of_, left);
  const bool takes_long = each > std::chrono::duration<double>(kQuiet).count();
  return shown + (takes_long ? reached : "") + stopping_text();
}

std::string ProgressMeter::take_reached() {
  if (!reached_) return {};
  const Reached reached = *std::exchange(reached_, std::nullopt);
  return "; one is at " + reached.text;
}

StatusLine::Text reading_or_elapsed(std::string what) {
  return [what = std::move(what)](double elapsed_s) {
    const ReadSoFar read = read_so_far();
    if (read.of < kLargeFile) return elapsed_text(what, elapsed_s);
    const double share = static_cast<double>(read.bytes) / static_cast<double>(read.of);
    return part_text(fmt::format("{}: {:.0f} %", what, share * 100), share, elapsed_s);
  };
}

std::string reached_text(const World& world, SimTime now) {
  if (now < kStart) return "the warm-up";
  const SimDuration window = world.window_end - kStart;
  const bool in_days = window >= 2 * kDayOfRun;
  const SimDuration unit = in_days ? kDayOfRun : kHourOfRun;
  const std::string_view name = in_days ? "day" : "hour";
  if (now >= world.window_end)
    return fmt::format("{} {} after the window", name, (now - world.window_end) / unit + 1);
  return fmt::format("{} {} of {}", name, (now - kStart) / unit + 1, (window + unit - SimDuration{1}) / unit);
}

RunProgress::RunProgress(Console& console, std::string what, const World& world)
    : what_{std::move(what)}, world_{world}, reached_{world.begin} {
  line_.emplace(console, [this](double elapsed_s) {
    const SimTime reached = reached_.load(std::memory_order_relaxed);
    return part_text(fmt::format("{}: {}", what_, reached_text(world_, reached)), share_of(world_, reached),
                     elapsed_s);
  });
}

void RunProgress::begin(const RunPlace& /*run*/, Logs& logs) {
  also_hear(logs.on_time, [this](SimTime now) { reached_.store(now, std::memory_order_relaxed); });
}

void ComparisonProgress::begin(const RunPlace& /*run*/, Logs& logs) {
  also_hear(logs.on_time, [this](SimTime now) { meter_.reach(world_, now); });
}

void ComparisonProgress::look(const PrecisionReached& reached) { meter_.add(precision_text(reached)); }

}  // namespace stockout
