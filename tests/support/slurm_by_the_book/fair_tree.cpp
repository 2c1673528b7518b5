// PriorityFlags=FAIR_TREE, as fair_tree.c of Slurm does it.

#include <algorithm>
#include <limits>

#include "tests/support/slurm_by_the_book/book.h"

namespace stockout::by_the_book {
namespace {

using Members = std::vector<std::uint32_t>;

Members children_of(const Book& book, std::optional<std::uint32_t> parent) {
  Members found;
  for (std::uint32_t i = 0; i < book.cluster.associations.size(); ++i) {
    if (book.cluster.associations[i].parent == parent) found.push_back(i);
  }
  return found;
}

// Shares over use, each as a part of what all children of the same parent have.
double share_level(const Book& book, std::uint32_t member) {
  double all_shares = 0;
  double all_usage = 0;
  for (const std::uint32_t other : children_of(book, book.cluster.associations[member].parent)) {
    all_shares += book.cluster.associations[other].shares;
    all_usage += book.usage[other];
  }
  const double shares = book.cluster.associations[member].shares;
  if (shares == 0) return 0;
  if (book.usage[member] == 0) return std::numeric_limits<double>::infinity();
  return (shares / all_shares) / (book.usage[member] / all_usage);
}

struct Ranking {
  double users = 0;
  double rank = 0;
  double rank_without_ties = 0;
  std::map<UserIndex, double> factors;
};

// `is_account_tied`: their account equals whoever was ranked last.
void rank_all(const Book& book, Members members, bool is_account_tied, Ranking& ranking) {
  std::stable_sort(members.begin(), members.end(), [&](std::uint32_t a, std::uint32_t b) {
    const double one = share_level(book, a);
    const double other = share_level(book, b);
    if (one != other) return one > other;
    return book.cluster.associations[a].is_user && !book.cluster.associations[b].is_user;
  });
  for (std::size_t i = 0; i < members.size(); ++i) {
    const bool is_tied =
        i == 0 ? is_account_tied : share_level(book, members[i - 1]) == share_level(book, members[i]);
    if (book.cluster.associations[members[i]].is_user) {
      if (!is_tied) ranking.rank = ranking.rank_without_ties;
      ranking.factors[members[i]] = ranking.rank / ranking.users;
      ranking.rank_without_ties -= 1;
      continue;
    }
    rank_all(book, children_of(book, members[i]), is_tied, ranking);
  }
}

}  // namespace

std::map<UserIndex, double> fair_tree(const Book& book) {
  Ranking ranking;
  for (const slurm::Association& one : book.cluster.associations) ranking.users += one.is_user ? 1 : 0;
  ranking.rank = ranking.rank_without_ties = ranking.users;
  rank_all(book, children_of(book, std::nullopt), false, ranking);
  return ranking.factors;
}

}  // namespace stockout::by_the_book
