#include "models/experiment/on_threads.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace stockout {
namespace {

// Of things that are done on threads, the failure of the first that failed.
class FirstFailure {
 public:
  [[nodiscard]] bool is_there() const { return is_there_; }

  void watch(std::size_t number, const std::function<void(std::size_t)>& what) {
    try {
      what(number);
    } catch (...) {
      const std::lock_guard lock{mutex_};
      if (number < number_) error_ = std::current_exception();
      number_ = std::min(number_, number);
      is_there_ = true;
    }
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::atomic<bool> is_there_{false};
  std::mutex mutex_;  // of what follows
  std::size_t number_ = std::numeric_limits<std::size_t>::max();
  std::exception_ptr error_;
};

}  // namespace

int threads_of(int asked) {
  const int cores = tbb::info::default_concurrency();
  return asked > 0 ? std::min(asked, cores) : cores;
}

void on_threads(int threads, std::size_t count, const std::function<void(std::size_t)>& what) {
  tbb::task_arena arena{threads_of(threads)};
  std::atomic<std::size_t> next{0};
  FirstFailure failure;
  arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>{0, count, 1},
        [&](const tbb::blocked_range<std::size_t>& range) {
          for (std::size_t i = range.begin(); i < range.end() && !failure.is_there(); ++i)
            failure.watch(next.fetch_add(1), what);
        },
        tbb::simple_partitioner{});
  });
  failure.rethrow();
}

}  // namespace stockout
