#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "models/orchestrators/kueue/configuration.h"
#include "models/orchestrators/kueue/settings.h"
#include "tools/kueue/case_value.h"

namespace stockout::kueue {

/// Where the outcome of a case is not as expected, in words.
class Differences {
 public:
  template <typename T>
  void expect(std::string_view what, const T& expected, const T& got) {
    if (expected != got) note(what, text(expected), text(got));
  }
  void note(std::string_view what, std::string_view expected, std::string_view got) {
    lines_.push_back(fmt::format("{}: expected {}, got {}", what, expected, got));
  }
  void say(std::string line) { lines_.push_back(std::move(line)); }
  [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }

 private:
  template <typename T>
  static std::string text(const T& value) {
    if constexpr (requires { value.has_value(); }) {
      return value ? text(*value) : "none";
    } else if constexpr (std::is_same_v<T, Amount>) {
      return std::to_string(value.count());
    } else if constexpr (requires { value.begin()->second; }) {
      std::string all;
      for (const auto& [key, item] : value)
        all += fmt::format("{}{}={}", all.empty() ? "" : ", ", text(key), text(item));
      return '{' + all + '}';
    } else if constexpr (!std::is_convertible_v<T, std::string_view> && requires { value.begin(); }) {
      std::string all;
      for (const auto& item : value) all += (all.empty() ? "" : ", ") + text(item);
      return '[' + all + ']';
    } else {
      return fmt::format("{}", value);
    }
  }

  std::vector<std::string> lines_;
};

/// A case with what nearly all of them have.
struct KueueCase {
  CaseValue value;
  Settings settings;
  Configuration configuration;

  [[nodiscard]] CaseValue expected() const { return value.at("expect"); }
};

/// Runs one kind of cases: throws NotModelled, or InputError for what is no such case.
using KindRunner = void (*)(const KueueCase& one, Differences& differences);

// --- arithmetic of the quota tree ---
void run_available(const KueueCase& one, Differences& differences);
void run_fair_share(const KueueCase& one, Differences& differences);
void run_borrowing_on(const KueueCase& one, Differences& differences);
void run_reserve(const KueueCase& one, Differences& differences);

// --- flavors ---
void run_assign(const KueueCase& one, Differences& differences);
void run_prefer_flavor(const KueueCase& one, Differences& differences);

// --- victims ---
void run_preempt(const KueueCase& one, Differences& differences);
void run_preempt_policy(const KueueCase& one, Differences& differences);
void run_order_candidates(const KueueCase& one, Differences& differences);
void run_order_target_queues(const KueueCase& one, Differences& differences);

// --- queues ---
void run_order_heads(const KueueCase& one, Differences& differences);
void run_order_queue(const KueueCase& one, Differences& differences);
void run_order_timestamp(const KueueCase& one, Differences& differences);
void run_heads(const KueueCase& one, Differences& differences);
void run_requeue(const KueueCase& one, Differences& differences);
void run_queue_ops(const KueueCase& one, Differences& differences);
void run_flush(const KueueCase& one, Differences& differences);

// --- waiting and checks ---
void run_requeue_backoff(const KueueCase& one, Differences& differences);
void run_requeue_state(const KueueCase& one, Differences& differences);
void run_check_retry_time(const KueueCase& one, Differences& differences);
void run_pods_ready_timeout(const KueueCase& one, Differences& differences);
void run_provisioning_check(const KueueCase& one, Differences& differences);

// --- cycles and whole runs ---
void run_cycle_case(const KueueCase& one, Differences& differences);
void run_two_cycles(const KueueCase& one, Differences& differences);
void run_scenario(const KueueCase& one, Differences& differences);

}  // namespace stockout::kueue
