// Random clusters and jobs: the library decides as the second implementation does
// (tests/support/slurm_by_the_book), which knows the rules and nothing else. A case that tells them apart is
// shrunk and printed with both answers.

#include <cstdint>
#include <cstdlib>
#include <string>

#include <catch2/catch.hpp>

#include "tests/support/fewer.h"
#include "tests/support/slurm_by_the_book/both.h"
#include "tests/support/slurm_by_the_book/random_case.h"

using namespace stockout;
using namespace stockout::test;

namespace {

bool differ(const SlurmCase& made) { return library_account(made) != book_account(made); }

// What they say of one seed; shrinks and prints it if they differ.
bool agree_on(CaseKind kind, std::uint64_t seed) {
  const SlurmCase made = random_case(kind, seed);
  if (!differ(made)) return true;
  const SlurmCase smallest = shrink(made, differ);
  const Account library = library_account(smallest);
  const Account book = book_account(smallest);
  INFO("seed " << seed << "\n"
               << describe(smallest) << difference_between(library, book) << "\nlibrary:\n"
               << describe(library) << "\nby the book:\n"
               << describe(book));
  FAIL_CHECK("they differ");
  return false;
}

// Up to three that differ are shown.
void try_seeds(CaseKind kind, std::uint64_t first, std::uint64_t last) {
  int failures = 0;
  for (std::uint64_t seed = first; seed <= last && failures < 3; ++seed)
    failures += agree_on(kind, seed) ? 0 : 1;
  CHECK(failures == 0);
}

}  // namespace

TEST_CASE("Textbook backfill decides as the second implementation does", "[slurm][book]") {
  try_seeds(CaseKind::textbook, 1, fewer(150));
}

TEST_CASE("Main scheduler and backfill decide as the second implementation does", "[slurm][book]") {
  try_seeds(CaseKind::plain, 1, fewer(50));
}

TEST_CASE("Multifactor priorities and fair share are the numbers of the second implementation",
          "[slurm][book]") {
  try_seeds(CaseKind::priorities, 1, fewer(40));
}

TEST_CASE("Victims are those of the second implementation", "[slurm][book]") {
  try_seeds(CaseKind::preemption, 1, fewer(50));
}

TEST_CASE("Dependencies, arrays and requeues are those of the second implementation", "[slurm][book]") {
  try_seeds(CaseKind::waiting, 1, fewer(30));
}

TEST_CASE("Nodes go on, off and DOWN as in the second implementation", "[slurm][book]") {
  try_seeds(CaseKind::power, 1, fewer(40));
}

// As many as one wants (tests/README.md).
TEST_CASE("Slurm by the book on other seeds", "[.book_seeds]") {
  const char* kind = std::getenv("STOCKOUT_CASE_KIND");
  const char* first = std::getenv("STOCKOUT_FIRST_SEED");
  const char* last = std::getenv("STOCKOUT_LAST_SEED");
  REQUIRE(kind != nullptr);
  REQUIRE(first != nullptr);
  REQUIRE(last != nullptr);
  try_seeds(static_cast<CaseKind>(std::stoi(kind)), std::stoull(first), std::stoull(last));
}
