#include "tools/stockout/traces/fit_json.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "sim/core/duration_text.h"

namespace stockout {
namespace {

using Json = nlohmann::ordered_json;

// Four digits: a fit knows no more.
double rounded(double value) {
  if (value == 0) return 0;
  const double scale = std::pow(10, 3 - std::floor(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

template <typename Profile>
Json profile_json(const Profile& profile) {
  Json weights = Json::array();
  for (const double weight : profile) weights.push_back(std::round(weight * 1'000) / 1'000);
  return weights;
}

// Points of the quantile function by per cent. Equal neighbours say the same as one, but for the ends of a
// step.
Json quantiles_json(const std::vector<Quantile>& points) {
  Json json = Json::object();
  for (const Quantile& point : points)
    json[fmt::format("{:.6g}", point.share * 100)] = format_duration(point.length);
  return json;
}

Json law_json(const Law& law) {
  const std::string a = format_duration(law.a);
  switch (law.kind) {
    case Law::Kind::exponential:
      return {{"exponential", a}};
    case Law::Kind::lognormal:
      return {{"lognormal", {{"median", a}, {"sigma", rounded(law.sigma)}}}};
    case Law::Kind::weibull:
      return {{"weibull", {{"scale", a}, {"shape", rounded(law.sigma)}}}};
    case Law::Kind::pareto:
      return {{"pareto", {{"least", a}, {"shape", rounded(law.sigma)}}}};
    case Law::Kind::empirical:
      return {{"empirical", {{"quantiles", quantiles_json(*law.quantiles)}}}};
    default:
      return a;
  }
}

void add_sizes(Json& source, const SizeGroup& group) {
  if (group.sizes.size() == 1) {
    if (group.sizes[0].nodes > 1) source["nodes"] = group.sizes[0].nodes;
    source["gpus"] = group.sizes[0].gpus;
    return;
  }
  source["sizes"] = Json::array();
  for (const FittedSize& size : group.sizes) {
    Json json;
    if (size.nodes > 1) json["nodes"] = size.nodes;
    json["gpus"] = size.gpus;
    json["weight"] = size.jobs;
    source["sizes"].push_back(std::move(json));
  }
}

Json poisson_json(const RateFit& rate, double share) {
  Json poisson{{"per_week", rounded(rate.per_week * share)}};
  if (rate.covers_day) poisson["hour_profile"] = profile_json(rate.hour_profile);
  if (rate.covers_week) poisson["day_profile"] = profile_json(rate.day_profile);
  return poisson;
}

// A machine or GPU type of the catalogue; else that of the source.
void add_type(Json& json, const FittedKind& kind, const FittedSource& source, const Catalog& catalog) {
  if (catalog.find_machine(kind.machine)) {
    json["machine"] = kind.machine;
  } else if (catalog.find_gpu(kind.gpu)) {
    json["gpu"] = kind.gpu;
  } else if (!source.gpu.empty()) {
    json["gpu"] = source.gpu;
  }
}

// Whether each team may have people of its own: with those of all teams there are no more than the trace has.
bool teams_have_own_users(const TraceFit& fit) {
  std::map<std::string, std::size_t> most;
  for (const FittedKind& kind : fit.kinds) {
    if (kind.user.empty()) most[kind.team] = std::max(most[kind.team], kind.users);
  }
  std::size_t users = 0;
  for (const auto& [team, count] : most) users += count;
  return users <= fit.users;
}

// The people of one kind submit in others too, so sources share their names. A user or team stays in them.
std::string user_names(const FittedKind& kind, const std::string& source, bool by_team) {
  if (!kind.user.empty()) return fmt::format("{}, {}", source, kind.user);
  return by_team && !kind.team.empty() ? fmt::format("{}, {}", source, kind.team) : source;
}

Json source_json(const FittedKind& kind, const SizeGroup& group, const FittedSource& source,
                 const Catalog& catalog, bool by_team) {
  const double share = static_cast<double>(group.jobs) / static_cast<double>(kind.jobs);
  std::string name = source.name;
  if (const std::string of_kind = name_of_kind(kind); !of_kind.empty()) name += ", " + of_kind;
  if (kind.groups.size() > 1) name += ", " + group.name;
  Json json{{"name", name}, {"poisson", poisson_json(kind.rate, share)}};
  if (!kind.job_class.empty()) json["class"] = kind.job_class;
  if (!kind.team.empty()) json["team"] = kind.team;
  if (kind.rate.growth && kind.rate.growth->is_significant()) {
    json["demand"] = {
        {"growth", {{"percent", rounded(kind.rate.growth->per_month * 100)}, {"per", "month"}}}};
  }
  add_type(json, kind, source, catalog);
  add_sizes(json, group);
  json["work"] = law_json(group.work);
  if (kind.users == 0 && kind.team.empty() && kind.user.empty()) return json;
  json["users"] = std::clamp<std::size_t>(kind.users, 1, 10'000);
  if (const std::string names = user_names(kind, source.name, by_team); names != name)
    json["user_names"] = names;
  return json;
}

// One key of a source a line.
std::string lines_of(const Json& source) {
  std::string text = "  {";
  for (const auto& [key, value] : source.items())
    text += fmt::format("{}\"{}\": {}", text.size() > 3 ? ",\n   " : "", key, value.dump());
  return text + "}";
}

}  // namespace

std::string name_of_kind(const FittedKind& kind) {
  std::vector<std::string> words;
  for (const std::string& word : {kind.job_class, kind.machine, kind.gpu, kind.team, kind.user}) {
    if (!word.empty()) words.push_back(word);
  }
  if (kind.few > 1) words.emplace_back("others");
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string fitted_workload(const TraceFit& fit, const FittedSource& source, const Catalog& catalog) {
  const bool by_team = teams_have_own_users(fit);
  std::string text = "[\n";
  for (const FittedKind& kind : fit.kinds) {
    for (const SizeGroup& group : kind.groups) {
      if (text.size() > 2) text += ",\n";
      text += lines_of(source_json(kind, group, source, catalog, by_team));
    }
  }
  return text + "\n]\n";
}

}  // namespace stockout
