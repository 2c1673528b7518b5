#include "tools/report/recommend/worlds_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "models/measures/number_text.h"
#include "models/recommend/over_worlds.h"
#include "sim/core/counted.h"

namespace stockout {
namespace {

constexpr double kLowShare = 0.05;
constexpr double kMiddleShare = 0.5;
constexpr double kHighShare = 0.95;

std::string worlds_text(const Recommendation& found) { return counted(found.worlds.size(), "world"); }

std::string cost_at(const RecommendationReport& report, double weight) {
  return dollar_text(cost_quantile(report.found, report.best(), weight));
}

std::string meets_text(const RecommendationReport& report) {
  const Recommendation& found = report.found;
  const double meets = weight_that_meets_all(found, report.best());
  if (meets >= 1) return fmt::format(" It meets all goals in every one of {}.", worlds_text(found));
  if (found.kind != Recommendation::Kind::recommended)
    return fmt::format(" It meets all goals in worlds of {} of the weight ({} in all).", share_text(meets),
                       found.worlds.size());
  return fmt::format(
      " It is not safe in every world: on average it meets the goals, but in worlds of {} of the weight ({} in "
      "all) it misses at least one.",
      share_text(1 - meets), found.worlds.size());
}

nlohmann::ordered_json world_json(const RecommendationReport& report, std::size_t place) {
  const InWorld& fares = report.best().in_worlds[place];
  nlohmann::ordered_json goals = nlohmann::ordered_json::array();
  for (const std::optional<double>& goal : fares.goals)
    goals.push_back(goal ? nlohmann::ordered_json(*goal) : nlohmann::ordered_json());
  return {{"name", report.found.worlds[place].name},
          {"weight", weight_of(report.found, place)},
          {"cost_usd", fares.cost},
          {"goals", std::move(goals)}};
}

}  // namespace

std::string over_worlds_text(const RecommendationReport& report) {
  const bool has_worlds = !report.found.worlds.empty();
  return has_worlds ? fmt::format(" over noise and {} together", worlds_text(report.found)) : "";
}

std::string worlds_sentence(const RecommendationReport& report) {
  if (report.found.worlds.empty()) return {};
  return meets_text(report) +
         fmt::format(" Over the worlds it costs {} to {} (5 and 95 %), in the middle {}.",
                     cost_at(report, kLowShare), cost_at(report, kHighShare), cost_at(report, kMiddleShare));
}

std::vector<std::string> worlds_lines(const RecommendationReport& report) {
  const Recommendation& found = report.found;
  if (found.worlds.empty()) return {};
  std::vector<std::string> lines;
  if (const auto& source = report.worlds) {
    lines.push_back(
        fmt::format("{} of {}, which {}: {} run, and represent all by weight.",
                    counted(source->in_all, "world"), source->file, source->agreement,
                    found.worlds.size() == 1 ? "1 was" : fmt::format("{} were", found.worlds.size())));
  }
  for (std::size_t i = 0; i < found.goals.size(); ++i) {
    lines.push_back(fmt::format("Goal {} is met in worlds of {} of the weight: {}.", i + 1,
                                share_text(weight_that_meets(found, report.best(), i)), found.goals[i].text));
  }
  lines.push_back(fmt::format("All goals are met in worlds of {} of the weight.",
                              share_text(weight_that_meets_all(found, report.best()))));
  lines.push_back(fmt::format("Its cost: {} (5 %), {} (the middle), {} (95 %).", cost_at(report, kLowShare),
                              cost_at(report, kMiddleShare), cost_at(report, kHighShare)));
  lines.emplace_back(
      "All tables, the front and the prices that change the answer are about means over these worlds.");
  return lines;
}

nlohmann::ordered_json over_worlds_json(const RecommendationReport& report) {
  const Recommendation& found = report.found;
  const PurchaseStanding& best = report.best();
  nlohmann::ordered_json goals = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < found.goals.size(); ++i)
    goals.push_back({{"number", i + 1}, {"met_share", weight_that_meets(found, best, i)}});
  nlohmann::ordered_json worlds = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < found.worlds.size(); ++i) worlds.push_back(world_json(report, i));
  nlohmann::ordered_json json;
  if (const auto& source = report.worlds) {
    json = {{"file", source->file}, {"agreement", source->agreement}, {"in_file", source->in_all}};
  }
  json["all_met_share"] = weight_that_meets_all(found, best);
  json["cost_usd"] = {{"low", cost_quantile(found, best, kLowShare)},
                      {"middle", cost_quantile(found, best, kMiddleShare)},
                      {"high", cost_quantile(found, best, kHighShare)}};
  json["goals"] = std::move(goals);
  json["worlds"] = std::move(worlds);
  return json;
}

}  // namespace stockout
