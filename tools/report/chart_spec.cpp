#include "tools/report/chart_spec.h"

namespace stockout {

ChartJson named_data(const std::string& name) { return {{"name", name}}; }

ChartJson number_channel(const std::string& field, const std::string& title, const std::string& format,
                         const ChartJson& more) {
  ChartJson channel{
      {"field", field}, {"type", "quantitative"}, {"title", title}, {"axis", {{"format", format}}}};
  channel.merge_patch(more);
  return channel;
}

ChartJson name_channel(const std::string& field, const std::vector<std::string>& order) {
  return {{"field", field}, {"type", "nominal"}, {"title", nullptr}, {"sort", order}};
}

ChartJson far_end(const std::string& field) { return {{"field", field}}; }

ChartJson tooltip_number(const std::string& field, const std::string& title, const std::string& format) {
  return {{"field", field}, {"type", "quantitative"}, {"title", title}, {"format", format}};
}

ChartJson tooltip_name(const std::string& field, const std::string& title) {
  return {{"field", field}, {"type", "nominal"}, {"title", title}};
}

ChartJson plain_legend() { return {{"title", nullptr}}; }

ChartJson strategy_channel(const std::vector<std::string>& strategies) {
  return {
      {"field", "strategy"}, {"type", "nominal"}, {"scale", {{"domain", strategies}}}, {"legend", nullptr}};
}

ChartJson page_rule(const std::string& channel, const std::string& expression) {
  return {{"data", {{"values", ChartJson::array({ChartJson::object()})}}},
          {"transform", ChartJson::array({{{"calculate", expression}, {"as", "at"}}})},
          {"mark", {{"type", "rule"}, {"strokeDash", {4, 4}}, {"tooltip", nullptr}}},
          {"encoding", {{channel, {{"field", "at"}, {"type", "quantitative"}}}}}};
}

ChartJson page_parameter(const std::string& name, ChartJson value) {
  return {{"name", name}, {"value", std::move(value)}};
}

ChartJson only_shown() { return only_where("indexof(shown, datum.strategy) >= 0"); }

ChartJson only_where(const std::string& expression) { return {{"filter", expression}}; }

ChartJson hours_axis() {
  return {{"values", {1.0 / 60, 5.0 / 60, 0.5, 1, 4, 24, 168, 672, 4368}},
          {"labelExpr",
           "datum.value < 0.99 ? format(datum.value * 60, '.0f') + ' min' : datum.value < 48 ? "
           "datum.value + ' h' : datum.value / 24 + ' days'"}};
}

}  // namespace stockout
