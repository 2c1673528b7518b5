#include "models/scenario/load/unknowns.h"

#include <set>

#include <fmt/format.h>

#include "models/scenario/format/varied_value.h"
#include "models/scenario/load/alternatives.h"
#include "models/scenario/load/places_apart.h"

namespace stockout {
namespace {

std::string said_in(const Node& node, const std::string& name) {
  const SourceRef where = node.where();
  const std::string place = where.line > 0 ? fmt::format("{}:{}", where.file, where.line) : where.file;
  return fmt::format("{}: unknown \"{}\"", place, name);
}

void check_numbers(const Node& node, const UnknownRange& range) {
  if (!(range.from < range.to)) {
    node.at("to").fail(fmt::format(
        "must be more than `from`, {:.6g}, but is {:.6g}: what is known is written where it belongs",
        range.from, range.to));
  }
  if (range.law == PriorLaw::log_uniform && range.from <= 0)
    node.at("from").fail("must be above 0, since the law is \"log_uniform\"");
  if (range.step && *range.step > range.to - range.from) {
    node.at("step").fail(
        fmt::format("leaves one number only: must be at most {:.6g}", range.to - range.from));
  }
  if (range.unit == SimDuration::zero()) return;
  if (range.from < 0 || range.to > most_units(range.unit)) {
    node.fail(fmt::format("has a \"unit\": its numbers must be from 0 to {:.0f}", most_units(range.unit)));
  }
}

UnknownRange read_range(const Node& node) {
  UnknownRange range{.pointers = read_pointers(node.at("at")),
                     .from = node.number("from"),
                     .to = node.number("to"),
                     .step = {},
                     .law = node.text("law") == "uniform" ? PriorLaw::uniform : PriorLaw::log_uniform,
                     .unit = {},
                     .unit_name = {}};
  if (node.has("step")) range.step = node.number("step");
  if (node.has("unit")) {
    range.unit = read_unit(node.at("unit"));
    range.unit_name = node.text("unit");
  }
  check_numbers(node, range);
  return range;
}

JsonValue placed_value(const Node& node, const Node& value) {
  if (!node.has("unit")) return value.value();
  const SimDuration unit = read_unit(node.at("unit"));
  if (is_in_units(value.value(), unit)) return length_of(value.value(), unit);
  value.fail(fmt::format("must be a number from 0 to {:.0f}, since there is a \"unit\"", most_units(unit)));
}

std::vector<UnknownChoice> read_values(const Node& node, const Unknown& unknown) {
  std::vector<UnknownChoice> choices;
  for (const Node& value : node.list("values")) {
    UnknownChoice& choice = choices.emplace_back();
    const auto* text = value.value().get<std::string>();
    choice.text = text != nullptr ? *text : to_text(value.value());
    if (node.has("unit")) choice.text += ' ' + node.text("unit");
    for (const std::string& pointer : read_pointers(node.at("at"))) {
      choice.changes.push_back({.pointer = pointer,
                                .value = placed_value(node, value),
                                .said_in = fmt::format("{}: {}", unknown.said_in, pointer)});
    }
  }
  return choices;
}

std::vector<UnknownChoice> read_choices(const Node& node, const Unknown& unknown) {
  std::vector<UnknownChoice> choices;
  for (const Node& one : node.list("choices")) {
    UnknownChoice& choice = choices.emplace_back();
    choice.text = one.text("name");
    choice.weight = one.number("weight");
    for (const auto& [pointer, value] : one.at("set").entries()) {
      choice.changes.push_back(
          {.pointer = pointer,
           .value = value.value(),
           .said_in = fmt::format("{}, choice \"{}\": {}", unknown.said_in, choice.text, pointer)});
    }
  }
  return choices;
}

void check_names(const Node& node, const Unknown& unknown) {
  std::set<std::string> texts;
  for (const UnknownChoice& choice : unknown.choices) {
    if (choice.text.empty()) node.fail("has a choice without a name");
    if (!texts.insert(choice.text).second)
      node.fail(fmt::format(
          "has two choices that read \"{}\": leave one out, or name them apart in `choices`", choice.text));
  }
}

Unknown read_unknown(const Node& node) {
  Unknown unknown;
  unknown.name = node.text("name");
  if (unknown.name.empty()) node.at("name").fail("must not be empty");
  unknown.said_in = said_in(node, unknown.name);
  if (node.has("from")) {
    unknown.range = read_range(node);
  } else {
    unknown.choices = node.has("values") ? read_values(node, unknown) : read_choices(node, unknown);
  }
  check_names(node, unknown);
  for (const std::string& pointer : places_of(unknown).pointers)
    check_may_differ(node, pointer, "an unknown");
  return unknown;
}

}  // namespace

std::vector<Unknown> read_unknowns(const Node& root) {
  std::vector<Unknown> all;
  std::set<std::string> names;
  std::vector<NamedPlaces> places;
  for (const Node& node : root.list("unknown")) {
    all.push_back(read_unknown(node));
    if (!names.insert(all.back().name).second) node.at("name").fail("is there twice");
    places.push_back(places_of(all.back()));
  }
  if (!places.empty()) check_apart(root.at("unknown"), places);
  return all;
}

}  // namespace stockout
