#pragma once

#include <string>
#include <vector>

#include "tests/support/kueue_by_the_book/flavors.h"

namespace stockout::test::by_the_book {

/// A workload at the head of its queue.
struct Contender {
  const kueue::Workload* workload = nullptr;
  const kueue::TriedFlavors* tried = nullptr;  // where its search for flavors goes on; none: at the start
  bool is_preemptor = false;                   // it waits for those whom it evicts
};

/// What becomes of a head in a cycle.
enum class Fate : std::uint8_t { no_fit, no_candidates, skipped, preempting, admitted };

struct Handled {
  Contender head;
  Nomination nomination = {};
  Fate fate = Fate::no_fit;
  std::string pending_reason = {};
};

/// One cycle, rules 25 to 31: all heads are nominated, and handled one after the other. In that order.
[[nodiscard]] std::vector<Handled> play_cycle(const Book& book, const std::vector<Contender>& heads);

}  // namespace stockout::test::by_the_book
