#include "tools/report/recommend/recommend_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "models/recommend/trade_offs.h"
#include "tools/report/comparison/heading.h"
#include "tools/report/recommend/menu.h"
#include "tools/report/recommend/no_answer.h"
#include "tools/report/recommend/notes.h"
#include "tools/report/recommend/orders.h"
#include "tools/report/recommend/worlds_text.h"
#include "tools/table/wrap_text.h"
#include "tools/table/write_json.h"
#include "tools/table/write_text.h"

namespace stockout {
namespace {

using Json = nlohmann::ordered_json;

std::string recommendation_text(const RecommendationReport& report, const TextLayout& layout) {
  std::string text = opening(report.written, recommendation_sentence(report), layout);
  text += write_section(menu_table(report, kMenuRows), layout);
  text += write_section(goals_table(report), layout);
  text += list_section("Over the worlds", worlds_lines(report), layout);
  text += list_section("Because", because_lines(report), layout);
  text += list_section("Prices that would change it", flip_lines(report), layout);
  for (const DecisionCurve& curve : decision_curves(report)) text += write_section(curve.table, layout);
  text += orders_text(report, layout);
  text += list_section("Not looked at", left_out_lines(report), layout);
  text += list_section("Warnings", warnings_of_best(report), layout);
  return text + list_section("How it was found", made_lines(report), layout);
}

Json choices_json(const RecommendationReport& report, const Purchase& purchase) {
  Json choices = Json::object();
  const ChoiceGrid& grid = report.purchases.grid();
  const std::vector<std::size_t> chosen = grid.choices(purchase.point);
  for (const std::size_t i : purchase.decided)
    choices[grid.decisions()[i].name] = grid.decisions()[i].choices[chosen[i]].text;
  return choices;
}

Json purchase_json(const RecommendationReport& report, std::size_t place) {
  const Purchase& purchase = report.purchases.all()[place];
  const World& world = report.purchases.scenario(purchase).world;
  constexpr double kDayMs = 86'400'000;
  return {{"strategy", world.strategies[purchase.strategy].name},
          {"choices", choices_json(report, purchase)},
          {"term_days", static_cast<double>(purchase.term.count()) / kDayMs}};
}

Json more_json(const ExtraCost& more) {
  Json parts = Json::object();
  for (std::size_t i = 0; i < kCostParts.size(); ++i)
    parts[std::string{info(kCostParts[i].measure).name}] = more.parts[i];
  parts["undone_usd"] = more.undone;
  return parts;
}

Json flips_json(const RecommendationReport& report) {
  Json flips = Json::array();
  if (report.found.kind != Recommendation::Kind::recommended) return flips;
  for (const PurchaseFlip& flip : price_flips(report.found)) {
    const PurchaseStanding& other = report.found.standings[flip.standing];
    flips.push_back({{"price_of", info(cost_under(flip.model)).name},
                     {"factor", flip.factor},
                     {"then", purchase_json(report, other.purchase)},
                     {"meets_goals_surely", other.standing.meets_all}});
  }
  return flips;
}

Json recommendation_json(const RecommendationReport& report) {
  const Recommendation& found = report.found;
  const bool is_undecided = found.kind == Recommendation::Kind::undecided;
  Json json{{"scenario", report.written.file},
            {"name", report.written.name},
            {"question", report.written.question},
            {"kind", Recommendation::kKindNames[static_cast<std::size_t>(found.kind)]},
            {"sentence", recommendation_sentence(report)},
            {"best", purchase_json(report, report.best().purchase)},
            {"prices_as_of", report.written.prices_as_of},
            {"seed", report.written.world.seed},
            {"guarantee",
             {{"given", found.kind != Recommendation::Kind::undecided},
              {"confidence", 1 - found.error},
              {"indifference_usd", found.indifference_usd},
              {"most_replications", found.most}}},
            {"runs_to_decide", is_undecided ? Json(runs_to_decide(found)) : Json()},
            {"runs", found.simulated},
            {"goals", write_json(goals_table(report))}};
  Json ways = write_json(menu_table(report, found.standings.size()));
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const PurchaseStanding& one = found.standings[i];
    ways[i]["choices"] = choices_json(report, report.purchase(one));
    ways[i]["more_parts"] = one.more ? more_json(*one.more) : Json{};
  }
  json["purchases"] = std::move(ways);
  json["because"] = because_lines(report);
  json["orders"] = order_lines(report);
  json["flips"] = flips_json(report);
  json["curves"] = Json::array();
  for (const DecisionCurve& curve : decision_curves(report))
    json["curves"].push_back({{"decision", curve.decision->name}, {"choices", write_json(curve.table)}});
  if (!found.worlds.empty()) json["worlds"] = over_worlds_json(report);
  json["obliging"] = Json::array();
  for (const std::size_t place : found.obliging) json["obliging"].push_back(purchase_json(report, place));
  json["refused"] = Json::array();
  for (const RefusedPoint& point : report.purchases.refused())
    json["refused"].push_back({{"choices", choices_of_point(report, point.point)}, {"why", point.why}});
  json["warnings"] = warnings_of_best(report);
  return json;
}

}  // namespace

std::string write_recommendation(const RecommendationReport& report, ReportFormat format,
                                 const TextLayout& layout) {
  return write_in(format,
                  {.text = [&](const TextLayout& of) { return recommendation_text(report, fitting(of)); },
                   .csv = [&] { return menu_table(report, report.found.standings.size()); },
                   .json = [&] { return recommendation_json(report); },
                   .version = report.version},
                  layout);
}

}  // namespace stockout
