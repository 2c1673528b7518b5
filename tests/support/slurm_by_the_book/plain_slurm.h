#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tests/support/slurm_by_the_book/book.h"

namespace stockout::by_the_book {

/// The controller, told what happens and asked what it decides as slurm::Slurm is. It does not know when it
/// will have something to do: whoever uses it tries every instant.
class PlainSlurm {
 public:
  explicit PlainSlurm(slurm::Configuration configuration);

  JobId submit(const slurm::JobRequest& request);
  JobId submit_array(const slurm::JobRequest& request, std::uint32_t tasks);
  void finish(JobId id, bool well);
  void stopped(JobId id);
  void requeue(JobId id);
  void cancel(JobId id);
  void node_is_up(NodeIndex node);
  void node_is_down(NodeIndex node, SimTime back);
  void restore_node(NodeIndex node);

  /// To this instant. What falls due by itself is looked at.
  void advance(SimTime at);
  /// The schedulers that have their turn at this instant work.
  void settle();
  [[nodiscard]] std::vector<slurm::Event> take_events() { return std::exchange(book_.events, {}); }
  [[nodiscard]] const BookJob& job(JobId id) const { return book_.jobs[id]; }
  /// Whether a node is to be switched off now, after the schedulers have passed it over.
  [[nodiscard]] bool is_any_node_due() const;
  [[nodiscard]] bool could_ever_run(JobId id) const;

 private:
  void leave(JobId id, bool well, bool is_killed);

  Book book_;
};

}  // namespace stockout::by_the_book
