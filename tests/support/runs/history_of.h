#pragma once

#include "models/history/run_history.h"

namespace stockout::test {

/// Runs one replication of a strategy, and what happened over time.
inline RunHistory history_of(const World& world, std::size_t strategy, std::uint64_t replication,
                             std::size_t most_bins) {
  HistoryBook book{world, most_bins};
  Logs logs;
  book.listen(logs);
  return book.finish(simulate(world, strategy, replication, logs));
}

}  // namespace stockout::test
