#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include <catch2/catch.hpp>

namespace stockout::test {

/// The path of `name` ("traces/clusters/...") in the shared folder beside the checkout, where the traces and
/// the published figures live. Nothing where there is no such file: the test then says so and returns, and
/// CTest shows it as skipped. With STOCKOUT_REQUIRE_SHARED=1 in the environment (set by tools/test where
/// ../shared exists) a missing file fails the test instead, so that a validation is never skipped unseen.
///
///   const auto trace = test::shared_path("traces/workloads/...");
///   if (!trace) return;
inline std::optional<std::string> shared_path(const std::string& name) {
  const std::filesystem::path path = std::filesystem::path{STOCKOUT_SHARED_DIR} / name;
  if (std::filesystem::exists(path)) return path.string();
  const char* required = std::getenv("STOCKOUT_REQUIRE_SHARED");
  if (required != nullptr && std::string{required} == "1") FAIL("shared data is missing: " << path.string());
  WARN("skipped, no shared data: " << path.string());
  return std::nullopt;
}

}  // namespace stockout::test
