#include "tests/support/kueue_by_the_book/shares.h"

#include <algorithm>

namespace stockout::test::by_the_book {
namespace {

int compare_numbers(double a, double b) { return a < b ? -1 : (a > b ? 1 : 0); }

// Of the resource in all flavors that the whole tree knows.
std::int64_t lendable(const Book& book, const Node& cohort, const std::string& resource) {
  std::int64_t sum = 0;
  for (const Cell& cell : book.cells(book.root(cohort))) {
    if (cell.resource == resource) sum += book.potentially_available(cohort, cell);
  }
  return sum;
}

}  // namespace

Share share_of(const Book& book, const Node& node) {
  Share share{.weight = book.fair_weight(node)};
  const auto parent = book.parent(node);
  if (!parent) return share;
  std::map<std::string, std::int64_t> borrowed;
  for (const Cell& cell : book.cells(node)) {
    const std::int64_t over = book.usage(node, cell) - book.subtree_quota(node, cell);
    if (over <= 0) continue;
    borrowed[cell.resource] += over;
    share.borrowed.insert(cell);
  }
  for (const auto& [resource, amount] : borrowed) {
    const std::int64_t most = lendable(book, *parent, resource);
    if (most <= 0) continue;
    share.ratio = std::max(share.ratio, static_cast<double>(amount) * 1000 / static_cast<double>(most));
  }
  return share;
}

int compare_shares(const Share& a, const Share& b) {
  if (a.is_infinite() && b.is_infinite()) return compare_numbers(a.ratio, b.ratio);
  if (a.is_infinite() != b.is_infinite()) return a.is_infinite() ? 1 : -1;
  return compare_numbers(a.weighted(), b.weighted());
}

}  // namespace stockout::test::by_the_book
