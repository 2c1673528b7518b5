#include "models/workload/readers/speed_text.h"

#include <algorithm>

#include "sim/io/number.h"

namespace stockout {
namespace {

constexpr std::int64_t kMillion = 1'000'000;
constexpr std::int64_t kLeastPpm = 1'000;
constexpr std::int64_t kMostPpm = 1'000'000'000;
constexpr std::int64_t kMostMemoryMb = 1'000'000'000;
constexpr std::size_t kMostTypes = 1'000;

// Nothing if a part is empty, or if they are too many to be GPU types.
std::optional<std::vector<std::string_view>> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t bar = text.find('|');
    parts.push_back(text.substr(0, bar));
    if (parts.back().empty() || parts.size() > kMostTypes) return std::nullopt;
    if (bar == std::string_view::npos) return parts;
    text.remove_prefix(bar + 1);
  }
}

}  // namespace

std::optional<std::vector<std::string>> parse_gpu_types(std::string_view text) {
  const auto parts = parts_of(text);
  if (!parts) return std::nullopt;
  std::vector<std::string> types;
  for (const std::string_view part : *parts) {
    if (std::ranges::find(types, part) != types.end()) return std::nullopt;
    types.emplace_back(part);
  }
  return types;
}

std::optional<std::vector<GpuSpeed>> parse_speeds(std::string_view text) {
  const auto parts = parts_of(text);
  if (!parts) return std::nullopt;
  std::vector<GpuSpeed> speeds;
  for (const std::string_view part : *parts) {
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos || equals == 0) return std::nullopt;
    std::int64_t ppm = 0;
    const std::string_view gpu = part.substr(0, equals);
    if (parse_scaled(part.substr(equals + 1), kMillion, 1, ppm) != std::errc{}) return std::nullopt;
    if (ppm < kLeastPpm || ppm > kMostPpm) return std::nullopt;
    if (std::ranges::find(speeds, gpu, &GpuSpeed::gpu) != speeds.end()) return std::nullopt;
    speeds.push_back({.gpu = std::string{gpu}, .speed = static_cast<double>(ppm) / kMillion});
  }
  return speeds;
}

std::optional<double> parse_gpu_memory(std::string_view text) {
  std::int64_t mb = 0;
  if (parse_scaled(text, 1'000, 1, mb) != std::errc{} || mb <= 0 || mb > kMostMemoryMb) return std::nullopt;
  return static_cast<double>(mb) / 1'000;
}

}  // namespace stockout
