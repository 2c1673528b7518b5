#include "models/scenario/draft/lengths.h"

#include <algorithm>
#include <cstdint>
#include <memory>

#include <fmt/format.h>

#include "models/scenario/draft/survival_file.h"
#include "sim/core/duration_text.h"
#include "sim/io/line_reader.h"
#include "sim/io/number.h"

namespace stockout {
namespace {

constexpr std::size_t kMostListedLengths = 1'000'000;  // in a file

std::shared_ptr<const std::vector<Quantile>> rising(const Node& node, std::vector<Quantile> points) {
  if (points.size() < 2) node.fail("needs two lengths at least: those of 0 and of 100 per cent");
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (points[i].length < points[i - 1].length)
      node.fail(fmt::format("{:.6g} % are no longer than {}, so {:.6g} % cannot be no longer than {}",
                            points[i - 1].share * 100, format_duration(points[i - 1].length),
                            points[i].share * 100, format_duration(points[i].length)));
  }
  return std::make_shared<const std::vector<Quantile>>(std::move(points));
}

// {"0": "10s", "50": "3h", "100": "2d"}: per cent of all, and the length they do not exceed.
std::shared_ptr<const std::vector<Quantile>> read_quantiles(const Node& node) {
  constexpr std::int64_t kPercent = 1'000'000'000;  // shares as whole numbers
  std::vector<Quantile> points;
  for (const auto& [percent, length] : node.entries()) {
    std::int64_t scaled = 0;
    const bool is_number = parse_scaled(percent, kPercent, 1, scaled) == std::errc{};
    if (!is_number || scaled < 0 || scaled > 100 * kPercent) {
      node.fail(fmt::format("\"{}\" must be a number of per cent, from 0 to 100", percent.substr(0, 60)));
    }
    const double share = static_cast<double>(scaled) / (100.0 * kPercent);
    points.push_back({.share = share, .length = length.as_duration()});
  }
  std::ranges::sort(points, {}, &Quantile::share);
  const auto same = std::ranges::adjacent_find(points, {}, &Quantile::share);
  if (same != points.end()) node.fail(fmt::format("{:.6g} % is there twice", same->share * 100));
  if (points.empty() || points.front().share != 0 || points.back().share != 1)
    node.fail("must say how long the shortest (\"0\") and the longest (\"100\") are");
  return rising(node, std::move(points));
}

SimDuration length_in_line(const LineReader& lines, std::string_view line) {
  std::int64_t ms = 0;
  const auto with_unit = parse_duration(line);
  const SimDuration length =
      with_unit ? *with_unit : SimDuration{parse_scaled(line, 1000, 1, ms) == std::errc{} ? ms : -1};
  if (length >= SimDuration::zero() && length <= kLongestRun) return length;
  lines.fail(
      fmt::format("must be a number of seconds or a length such as 30min, but is {}", in_quotes(line)));
}

// One length a line, in any order: the sample's own quantiles.
std::shared_ptr<const std::vector<Quantile>> read_lengths(const Node& node) {
  LineReader lines = node.read_file([](const std::string& path) { return LineReader{path}; });
  std::vector<SimDuration> lengths;
  for (std::string_view line; lines.next(line);) {
    if (line.empty()) continue;
    if (lengths.size() == kMostListedLengths)
      lines.fail(fmt::format("more than {} lengths", kMostListedLengths));
    lengths.push_back(length_in_line(lines, line));
  }
  std::ranges::sort(lengths);
  std::vector<Quantile> points;
  const auto last = static_cast<double>(std::max<std::size_t>(lengths.size(), 2) - 1);
  for (std::size_t i = 0; i < lengths.size(); ++i)
    points.push_back({.share = static_cast<double>(i) / last, .length = lengths[i]});
  return rising(node, std::move(points));
}

Law read_pareto(const Node& node) {
  Law law{.kind = Law::Kind::pareto, .a = node.duration("least"), .sigma = node.number("shape")};
  if (!node.has("greatest")) return law;
  law.b = node.duration("greatest");
  if (law.b <= law.a) node.at("greatest").fail("must be more than \"least\"");
  return law;
}

Law read_uniform(const Node& node) {
  const auto ends = node.items();
  Law law{.kind = Law::Kind::uniform, .a = ends[0].as_duration(), .b = ends[1].as_duration()};
  if (law.a > law.b) node.fail("the least must come first");
  return law;
}

Law read_bathtub(const Node& node) {
  return {.kind = Law::Kind::bathtub,
          .a = node.duration("early"),
          .b = node.duration("late"),
          .sigma = node.number("share"),
          .late = node.duration("at")};
}

// Any law but a mixture: a law's keys and those of a part of a mixture.
Law read_plain(const Node& node) {
  Law law;
  if (node.has("lognormal")) {
    const Node shape = node.at("lognormal");
    law = {.kind = Law::Kind::lognormal, .a = shape.duration("median"), .sigma = shape.number("sigma")};
  } else if (node.has("exponential")) {
    law = {.kind = Law::Kind::exponential, .a = node.duration("exponential")};
  } else if (node.has("weibull")) {
    const Node shape = node.at("weibull");
    law = {.kind = Law::Kind::weibull, .a = shape.duration("scale"), .sigma = shape.number("shape")};
  } else if (node.has("pareto")) {
    law = read_pareto(node.at("pareto"));
  } else if (node.has("empirical")) {
    const Node points = node.at("empirical");
    law.kind = Law::Kind::empirical;
    law.quantiles =
        points.has("file") ? read_lengths(points.at("file")) : read_quantiles(points.at("quantiles"));
  } else if (node.has("bathtub")) {
    law = read_bathtub(node.at("bathtub"));
  } else if (node.has("from_file")) {
    law.kind = Law::Kind::survival;
    law.curve = std::make_shared<const SurvivalCurve>(read_survival(node.at("from_file")));
  } else {
    law = read_uniform(node.at("uniform"));
  }
  if (node.has("most")) law.most = node.duration("most");
  return law;
}

Law from_object(const Node& node) {
  if (!node.has("mixture")) return read_plain(node);
  std::vector<WeightedLaw> parts;
  for (const Node& part : node.list("mixture")) {
    parts.push_back({.weight = part.number("weight"), .law = read_plain(part)});
  }
  Law law{.kind = Law::Kind::mixture};
  law.parts = std::make_shared<const std::vector<WeightedLaw>>(std::move(parts));
  if (node.has("most")) law.most = node.duration("most");
  return law;
}

// Whether every draw is 0.
bool is_nothing(const Law& law) {
  if (law.kind == Law::Kind::empirical) return law.quantiles->back().length == SimDuration::zero();
  if (law.kind == Law::Kind::mixture) {
    return std::ranges::all_of(*law.parts, [](const WeightedLaw& part) { return is_nothing(part.law); });
  }
  if (law.kind == Law::Kind::survival) return law.curve->mean_ms(kLongestRun) <= 0;
  return law.a == SimDuration::zero() && law.b == SimDuration::zero();
}

// Whether some draws live for ever.
bool is_endless(const Law& law) {
  if (law.most != kForever) return false;
  if (law.kind == Law::Kind::mixture) {
    return std::ranges::any_of(*law.parts, [](const WeightedLaw& part) { return is_endless(part.law); });
  }
  return law.curve != nullptr && law.curve->survivors() > 0;
}

}  // namespace

Law to_law(const Node& node, const LengthRules& rules) {
  Law law = node.kind() == ValueKind::duration ? Law{.a = node.as_duration()} : from_object(node);
  if (rules.positive && is_nothing(law)) node.fail("must be more than 0s");
  if (!rules.may_last && is_endless(law)) {
    node.fail("the longest of the lengths were not seen to their end: say with \"most\" where to cut");
  }
  return law;
}

double cut_mean_ms(const Law& law) { return law.mean_below_ms(std::min(law.most, kLongestRun)); }

}  // namespace stockout
