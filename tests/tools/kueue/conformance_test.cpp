// Recorded decisions of Kueue, and files that are none.

#include <algorithm>

#include <catch2/catch.hpp>

#include "sim/core/error.h"
#include "sim/io/json_reader.h"
#include "tests/support/shared_data.h"
#include "tools/kueue/conformance.h"
#include "tools/kueue/quantity_text.h"

using namespace stockout;
using kueue::Verdict;

namespace {

std::string file_of(const std::string& cases) {
  return R"({"format": "stockout-conformance-kueue/1", "cases": [)" + cases + "]}";
}

std::vector<kueue::CaseResult> run(const std::string& text) {
  return kueue::run_conformance(parse_json(text, "cases.json"), "cases.json");
}

const std::string kPolicyCase = R"({"id": "p", "kind": "preempt-policy", "settings": {},
  "preemptor": {"name": "a", "priority": 2}, "candidate": {"name": "b", "priority": 1},
  "policy": "LowerPriority", "expect": {"satisfied": true}})";

std::string with(std::string text, const std::string& old, const std::string& now) {
  const std::size_t at = text.find(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), now);
}

}  // namespace

TEST_CASE("The model decides as Kueue's own tests expect", "[kueue][conformance]") {
  const auto path = test::shared_path("conformance/kueue-cases.dev.json");
  if (!path) return;
  const auto results = kueue::run_conformance(read_json_file(*path), *path);
  CHECK(results.size() > 400);
  for (const kueue::CaseResult& result : results) {
    CAPTURE(result.id, result.kind, result.notes);
    CHECK(result.verdict == Verdict::passed);
  }
}

TEST_CASE("The model decides by rules of Kueue that no case of its own tests asks for",
          "[kueue][conformance]") {
  const std::string path = STOCKOUT_GOLDEN_DIR "/../data/kueue-cases.json";
  for (const kueue::CaseResult& result : kueue::run_conformance(read_json_file(path), path)) {
    CAPTURE(result.id, result.notes);
    CHECK(result.verdict == Verdict::passed);
  }
}

TEST_CASE("A case passes, or says what differs", "[kueue][conformance]") {
  CHECK(run(file_of(kPolicyCase)).front().verdict == Verdict::passed);
  const auto failed = run(file_of(with(kPolicyCase, "\"priority\": 2", "\"priority\": 1"))).front();
  CHECK(failed.verdict == Verdict::failed);
  CHECK(failed.notes == std::vector<std::string>{"satisfied: expected true, got false"});
}

TEST_CASE("What the model does not know is reported, and is no failure", "[kueue][conformance]") {
  const auto reason_of = [](const std::string& text) {
    const auto result = run(file_of(text)).front();
    CHECK(result.verdict == Verdict::not_modelled);
    return result.notes.front();
  };
  CHECK(reason_of(with(kPolicyCase, "preempt-policy", "topology")) == "cases of the kind \"topology\"");
  CHECK(reason_of(with(kPolicyCase, "\"settings\": {}", R"("settings": {"featureGates": {"New": true}})")) ==
        "the feature gate New");
  CHECK(reason_of(with(kPolicyCase, "\"settings\": {}", R"("settings": {"moon": 1})")) ==
        "the key \"moon\" of \"settings\"");
  CHECK(reason_of(with(kPolicyCase, "\"LowerPriority\"", "\"Sometimes\"")) == "\"policy\" \"Sometimes\"");
}

TEST_CASE("Files that are no cases are refused with the place", "[kueue][conformance]") {
  CHECK_THROWS_WITH(run("{}"), Catch::Contains("\"format\" is missing"));
  CHECK_THROWS_WITH(run(R"({"format": "x", "cases": []})"), Catch::Contains("/format: must be"));
}

TEST_CASE("Cases that are none are told with the place", "[kueue][conformance]") {
  const auto problem_of = [](const std::string& text) {
    const auto result = run(file_of(text)).front();
    CHECK(result.verdict == Verdict::malformed);
    return result.notes.front();
  };
  CHECK_THAT(problem_of("7"), Catch::Contains("/cases/0: must be an object"));
  CHECK_THAT(problem_of(with(kPolicyCase, "\"policy\"", "\"a\"")),
             Catch::Contains("/cases/0: \"policy\" is missing"));
  CHECK_THAT(problem_of(with(kPolicyCase, "\"priority\": 2", "\"priority\": \"high\"")),
             Catch::Contains("/cases/0/preemptor/priority: must be a whole number"));
}

TEST_CASE("A tower of cohorts is refused, and a circle of them is not", "[kueue][conformance]") {
  const auto cohorts = [](int levels, bool circular) {
    std::string list;
    for (int i = 0; i < levels; ++i) {
      const bool is_last = i + 1 == levels;
      const std::string parent =
          is_last ? (circular ? "\"c0\"" : "null") : "\"c" + std::to_string(i + 1) + '"';
      list += (i == 0 ? "" : ",") + std::string{R"({"name": "c)"} + std::to_string(i) + R"(", "parent": )" +
              parent + R"(, "flavors": []})";
    }
    return file_of(with(kPolicyCase, "\"settings\": {}", "\"settings\": {}, \"cohorts\": [" + list + "]"));
  };
  CHECK(run(cohorts(50, true)).front().verdict == Verdict::passed);
  CHECK_THAT(run(cohorts(20'000, false)).front().notes.front(),
             Catch::Contains("/cohorts: has more than 100 levels"));
}

TEST_CASE("Quantities are read as Kubernetes reads them", "[kueue][import]") {
  const auto [text, thousandths, count] = GENERATE(table<std::string, bool, std::int64_t>({
      {"4", false, 4},
      {"4", true, 4000},
      {"500m", true, 500},
      {"500m", false, 1},  // rounded up
      {"0.1", true, 100},
      {"16Gi", false, std::int64_t{16} << 30},
      {"1e3", false, 1000},
      {"2k", false, 2000},
      {"1.5Mi", false, 3 << 19},
      {"9007199254740993", false, 9007199254740993},
      {"1E", true, kueue::Amount::unlimited().count()},
  }));
  CAPTURE(text);
  const auto amount = kueue::parse_quantity(text, thousandths);
  REQUIRE(amount);
  CHECK(amount->count() == count);
  for (const char* bad : {"", "x", "-1", "4 Gi", "4gb", "nan"}) {
    CAPTURE(bad);
    CHECK_FALSE(kueue::parse_quantity(bad, false));
  }
}
