#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "models/experiment/run_observer.h"
#include "tools/stockout/terminal/console.h"

namespace stockout {

/// A line on a terminal that says what a long command is doing, as long as this object lives. It comes after
/// two seconds, is renewed a few times a second, and is cleared at the end. Nothing is written to a file.
class StatusLine {
 public:
  /// `text` says it, given the seconds since the beginning; it is called by a thread of this object.
  using Text = std::function<std::string(double elapsed_s)>;

  StatusLine(Console& console, Text text);
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

 private:
  void keep_showing(const std::stop_token& stop);
  void show(double elapsed_s);

  Console& console_;
  Text text_;
  std::mutex mutex_;
  std::condition_variable_any ended_;
  std::jthread shower_;
};

/// How far a long command is, how fast, and how long it will take. From any thread.
class ProgressMeter {
 public:
  /// `what` is counted: "runs".
  explicit ProgressMeter(Console& console, std::string_view what = "runs");

  void show(std::size_t done, std::size_t of);

  /// Further knowledge so far, shown beside the count from now on.
  void add(std::string known);

  /// A run of `world` that is under way has come to `now`. Shown where one takes long: of several that are
  /// under way, the one that is least far.
  void reach(const World& world, SimTime now);

 private:
  /// The least far of those told since the last line; nothing if there is none.
  struct Reached {
    double share = 0;
    std::string text;
  };

  [[nodiscard]] std::string text(double elapsed_s);
  [[nodiscard]] std::string take_reached();

  std::mutex mutex_;
  std::optional<Reached> reached_;
  std::string what_;
  std::size_t done_ = 0;
  std::size_t of_ = 0;
  std::string known_;
  StatusLine line_;
};

/// The task and its time so far; while a large file is being read, how far and how long still.
[[nodiscard]] StatusLine::Text reading_or_elapsed(std::string what);

/// Does `work`, and on a terminal says how long `what` has taken once that is more than two seconds, or how
/// far the file is read that it reads. Returns what `work` returns.
template <typename Work>
auto with_status(Console& console, std::string what, Work work) {
  const StatusLine line{console, reading_or_elapsed(std::move(what))};
  return work();
}

/// Where in its window a run is: "day 12 of 30", "hour 3 of 24", "in the warm-up", "day 2 after the window".
[[nodiscard]] std::string reached_text(const World& world, SimTime now);

/// Where in its window one run is, and how long it will take. The first of the observers, since others may
/// show what they do at the run's end.
class RunProgress : public RunObserver {
 public:
  /// `what`: "simulating spot". `world` must outlive it.
  RunProgress(Console& console, std::string what, const World& world);

  void begin(const RunPlace& run, Logs& logs) override;
  void end(const RunPlace& /*run*/, const RunRecord& /*record*/, const Measures& /*measures*/) override {
    line_.reset();
  }

 private:
  std::string what_;
  const World& world_;
  std::atomic<SimTime> reached_;
  std::optional<StatusLine> line_;
};

/// How far the runs of a comparison are.
class ComparisonProgress : public RunObserver {
 public:
  /// `world` must outlive it.
  ComparisonProgress(Console& console, const World& world) : world_{world}, meter_{console} {}

  void begin(const RunPlace& run, Logs& logs) override;
  void count(std::size_t done, std::size_t of) override { meter_.show(done, of); }
  void look(const PrecisionReached& reached) override;

 private:
  const World& world_;
  ProgressMeter meter_;
};

}  // namespace stockout
