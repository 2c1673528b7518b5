#pragma once

#include <functional>
#include <string>

#include "tests/support/slurm_by_the_book/play_case.h"
#include "tests/support/slurm_by_the_book/slurm_case.h"

namespace stockout::test {

/// What the library says of a case. It is asked when it says that something is due.
[[nodiscard]] Account library_account(const SlurmCase& made);
/// What the second implementation says. It is asked at every step.
[[nodiscard]] Account book_account(const SlurmCase& made);

/// Their first difference in words; empty: they agree.
[[nodiscard]] std::string difference_between(const Account& library, const Account& book);

/// A smaller case of which this is still true: without jobs and faults that do not matter.
[[nodiscard]] SlurmCase shrink(const SlurmCase& made, const std::function<bool(const SlurmCase&)>& still);

/// Cluster, jobs and faults in a few lines.
[[nodiscard]] std::string describe(const SlurmCase& made);
/// What was said, a line each.
[[nodiscard]] std::string describe(const Account& account);

}  // namespace stockout::test
