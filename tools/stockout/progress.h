#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "tools/stockout/console.h"

namespace stockout {

/// A line on a terminal that says how far a long command is. Says nothing in the first two seconds, nor to a
/// file.
class ProgressMeter {
 public:
  explicit ProgressMeter(Console& console) : console_{console} {}
  ~ProgressMeter();
  ProgressMeter(const ProgressMeter&) = delete;
  ProgressMeter& operator=(const ProgressMeter&) = delete;

  void show(std::size_t done, std::size_t of);

  /// What else is known so far, shown beside the count from now on.
  void add(std::string known) { known_ = std::move(known); }

 private:
  using Clock = std::chrono::steady_clock;

  Console& console_;
  Clock::time_point begin_ = Clock::now();
  bool shown_ = false;
  std::string known_;
};

/// Does `work`, and on a terminal says how long `what` has taken once that is more than two seconds. What
/// `work` throws is thrown here.
void show_elapsed(Console& console, std::string_view what, const std::function<void()>& work);

}  // namespace stockout
