#include "tools/table/small_charts.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace stockout {
namespace {

constexpr std::array<std::string_view, 9> kBlocks{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::array<std::string_view, 9> kAscii{" ", ".", ":", "-", "=", "+", "*", "#", "@"};

}  // namespace

std::string bar_of(std::span<const BarPart> parts, double full, std::size_t columns, bool utf8) {
  std::string bar;
  if (!(full > 0)) return bar;
  double sum = 0;
  std::size_t drawn = 0;
  for (const BarPart& part : parts) {
    sum += part.value;
    const double end = std::round(std::clamp(sum / full, 0.0, 1.0) * static_cast<double>(columns));
    const std::size_t least = sum > 0 && drawn == 0 ? 1 : 0;
    for (const auto upto = std::max(static_cast<std::size_t>(end), least); drawn < upto; ++drawn) {
      if (utf8) {
        bar += part.block;
      } else {
        bar += part.sign;
      }
    }
  }
  return bar;
}

std::string sparkline(std::span<const double> values, bool utf8) {
  std::string line;
  const double most = values.empty() ? 0 : std::ranges::max(values);
  const auto& signs = utf8 ? kBlocks : kAscii;
  for (const double value : values) {
    const double height = most > 0 ? std::ceil(value / most * static_cast<double>(signs.size() - 1)) : 0;
    line += signs[static_cast<std::size_t>(std::clamp(height, 0.0, static_cast<double>(signs.size() - 1)))];
  }
  return line;
}

std::vector<double> counts_over_span(std::span<const std::int64_t> times, std::size_t columns) {
  std::vector<double> counts(columns);
  const auto span = static_cast<double>(times.back() - times.front());
  for (const std::int64_t time : times) {
    const double share = span > 0 ? static_cast<double>(time - times.front()) / span : 0;
    ++counts[std::min(static_cast<std::size_t>(share * static_cast<double>(columns)), columns - 1)];
  }
  return counts;
}

}  // namespace stockout
