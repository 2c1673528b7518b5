#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace stockout {

/// Puts into a store what is done while more is being simulated, since a disk may take longer to be sure than
/// a simulation. Each is in a batch of its own, save that those which came while the last was being written
/// share the next.
template <typename Done>
class BatchWriter {
 public:
  using Write = std::function<void(const std::vector<Done>&)>;

  /// `write` puts a batch into the store, in one transaction; it is called from another thread.
  explicit BatchWriter(Write write) : write_{std::move(write)}, thread_{[this] { write_all(); }} {}
  /// Rows that were added are written first, as far as they can be.
  ~BatchWriter() { end_thread(); }
  BatchWriter(const BatchWriter&) = delete;
  BatchWriter& operator=(const BatchWriter&) = delete;

  /// From any thread. Waits while very many are to be written.
  void add(Done done) {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [this] { return waiting_.size() < kMostWaiting || error_ != nullptr; });
    waiting_.push_back(std::move(done));
    changed_.notify_all();
  }

  /// Whether the store could not be written: nothing more will be.
  [[nodiscard]] bool has_failed() {
    const std::lock_guard lock{mutex_};
    return error_ != nullptr;
  }

  /// Waits until all is written; throws what went wrong. Nothing is added afterwards.
  void finish() {
    end_thread();
    if (error_ != nullptr) std::rethrow_exception(error_);
  }

 private:
  static constexpr std::size_t kMostWaiting = 256;

  void write_all() {
    try {
      for (auto batch = take(); !batch.empty(); batch = take()) write_(batch);
    } catch (...) {
      const std::lock_guard lock{mutex_};
      error_ = std::current_exception();
      changed_.notify_all();
    }
  }

  // All that wait; none at the end only.
  [[nodiscard]] std::vector<Done> take() {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [this] { return !waiting_.empty() || ends_; });
    changed_.notify_all();
    return std::exchange(waiting_, {});
  }

  void end_thread() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock{mutex_};
      ends_ = true;
      changed_.notify_all();
    }
    thread_.join();
  }

  Write write_;
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::vector<Done> waiting_;
  bool ends_ = false;
  std::exception_ptr error_;
  std::thread thread_;
};

}  // namespace stockout
