#pragma once

#include <set>

#include "tests/support/kueue_by_the_book/book.h"

namespace stockout::test::by_the_book {

/// How much a node borrows, of what its parent's tree could lend: rule 27.
struct Share {
  double weight = 1;
  double ratio = 0;  // per mille, of the resource of which it borrows most
  std::set<Cell> borrowed = {};

  [[nodiscard]] bool is_infinite() const { return weight == 0 && !borrowed.empty(); }
  [[nodiscard]] double weighted() const { return ratio == 0 ? 0 : ratio / weight; }
};

[[nodiscard]] Share share_of(const Book& book, const Node& node);

/// Below zero if a is the fairer, above if b is.
[[nodiscard]] int compare_shares(const Share& a, const Share& b);

}  // namespace stockout::test::by_the_book
