#pragma once

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/io/json_reader.h"
#include "tools/kueue/conformance.h"

namespace stockout::test {

inline std::vector<kueue::CaseResult> run_all(const std::string& cases) {
  const std::string text = R"({"format": "stockout-conformance-kueue/1", "cases": [)" + cases + "]}";
  return kueue::run_conformance(parse_json(text, "cases.json"), "cases.json");
}

inline kueue::CaseResult run_one(const std::string& text) { return run_all(text).front(); }

// The only note of a case with this verdict.
inline std::string note_of(const std::string& text, kueue::Verdict verdict) {
  const kueue::CaseResult result = run_one(text);
  CAPTURE(result.notes);
  CHECK(result.verdict == verdict);
  REQUIRE(result.notes.size() == 1);
  return result.notes.front();
}

inline std::string malformed(const std::string& text) { return note_of(text, kueue::Verdict::malformed); }

// Why a case is set aside that is well formed, but says what no cluster has.
inline std::string odd(const std::string& text) { return note_of(text, kueue::Verdict::not_modelled); }

inline std::string replaced(std::string text, const std::string& old, const std::string& now) {
  const std::size_t at = text.find(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), now);
}

inline std::string kind(const std::string& name, const std::string& rest, const std::string& settings = "") {
  return R"({"id": "x", "kind": ")" + name + R"(", "settings": {)" + settings + "}, " + rest + "}";
}

inline const std::string kQueue = R"({"name": "q", "cohort": null, "queueingStrategy": "BestEffortFIFO",
  "flavors": [{"group": 0, "name": "f", "resource": "cpu", "nominal": 1000}],
  "preemption": {"withinClusterQueue": "Never", "reclaimWithinCohort": "Never"},
  "flavorFungibility": {"whenCanBorrow": "MayStopSearch", "whenCanPreempt": "TryNextFlavor"}})";

inline const std::string kCluster = R"("flavors": [{"name": "f"}], "clusterQueues": [)" + kQueue +
                                    R"(], "localQueues": [{"name": "l", "clusterQueue": "q"}])";

inline std::string workload(const std::string& name, int cpu = 1000) {
  return R"({"name": ")" + name +
         R"(", "localQueue": "l", "podsets": [{"name": "main", "count": 1, "requests": )" + R"({"cpu": )" +
         std::to_string(cpu) + "}}]}";
}

inline std::string scenario(const std::string& steps, const std::string& settings = "") {
  return kind("scenario", kCluster + R"(, "steps": [)" + steps + "]", settings);
}

inline std::string create(const std::string& name) {
  return R"({"do": "create", "workload": )" + workload(name) + "}";
}

}  // namespace stockout::test
