#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "tools/stockout/console.h"

namespace stockout {

/// A line on a terminal that says how far a long command is, how fast, and how long it will take. Says
/// nothing in the first two seconds, nor to a file.
class ProgressMeter {
 public:
  /// `what` is counted: "runs".
  explicit ProgressMeter(Console& console, std::string_view what = "runs") : console_{console}, what_{what} {}
  ~ProgressMeter();
  ProgressMeter(const ProgressMeter&) = delete;
  ProgressMeter& operator=(const ProgressMeter&) = delete;

  void show(std::size_t done, std::size_t of);

  /// What else is known so far, shown beside the count from now on.
  void add(std::string known) { known_ = std::move(known); }

 private:
  using Clock = std::chrono::steady_clock;

  Console& console_;
  std::string_view what_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point shown_at_{};
  bool shown_ = false;
  std::string known_;
};

/// Does `work`, and on a terminal says how long `what` has taken once that is more than two seconds. What
/// `work` throws is thrown here.
void show_elapsed(Console& console, std::string_view what, const std::function<void()>& work);

}  // namespace stockout
