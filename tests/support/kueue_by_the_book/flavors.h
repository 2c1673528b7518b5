#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/kueue_by_the_book/victims.h"

namespace stockout::test::by_the_book {

/// How a flavor can be had, from worst to best.
enum class Outlook : std::uint8_t { no_fit, no_candidates, preempt, reclaim, fit };

/// How, and from how far the quota comes: rules 18 and 19.
struct Offer {
  Outlook outlook = Outlook::no_fit;
  int level = 0;
};

struct FlavorChoice {
  std::string flavor;
  Outlook outlook = Outlook::no_fit;
  int level = 0;
  int tried = -1;  // place of the last flavor that was looked at, -1 if none is left
};

/// One flavor that was looked at.
struct Attempt {
  std::string flavor;
  Outlook outlook = Outlook::no_fit;
  int level = 0;            // the highest of its resources
  std::string reason = {};  // why not
};

struct PodSetChoice {
  std::string name;
  std::int64_t count = 0;
  std::map<std::string, std::int64_t> requests = {};  // of all its pods
  std::map<std::string, FlavorChoice> flavors = {};   // by resource
  bool failed = false;
  std::string reason = {};  // if it failed before any flavor was looked at
  std::vector<Attempt> attempts = {};
};

/// What became of a workload, in short.
enum class Result : std::uint8_t { no_fit, preempt, fit };

/// Flavors of a workload; pod sets after one that failed are not there.
struct Plan {
  std::vector<PodSetChoice> pod_sets = {};
  Amounts amounts = {};  // with those that are zero
  int level = 0;

  [[nodiscard]] Result result() const;
  /// Rules 33 to 42 are asked with this.
  [[nodiscard]] Wish wish(const kueue::Workload& workload) const;
  [[nodiscard]] kueue::TriedFlavors tried() const;
  /// Why it does not fit at all.
  [[nodiscard]] std::string reason(const kueue::ClusterQueue& queue) const;
};

/// Pod set -> resource -> the only flavor.
using OnlyFlavors = std::map<std::string, std::map<std::string, std::string>>;

struct PlanQuestion {
  const kueue::Workload* workload = nullptr;
  const kueue::TriedFlavors* tried = nullptr;  // the search goes on behind these
  const OnlyFlavors* only = nullptr;
  std::vector<std::int64_t> counts = {};  // pods; empty: all
};

/// Rules 15 to 23.
[[nodiscard]] Plan plan_flavors(const Book& book, const PlanQuestion& question);

/// Rule 17: whether pods may use the flavor.
[[nodiscard]] bool is_usable(const kueue::ResourceFlavor& flavor, const kueue::NodeDemand& demand);

/// A plan, and who has to go for it.
struct Nomination {
  Plan plan;
  std::vector<Leaver> leaving = {};
};

/// Rule 24: with all pods, or with as many as can be had.
[[nodiscard]] Nomination nominate(const Book& book, PlanQuestion question);

}  // namespace stockout::test::by_the_book
