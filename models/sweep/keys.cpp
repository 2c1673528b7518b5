#include "models/sweep/keys.h"

#include <array>

#include "models/scenario/format/keys.h"
#include "models/scenario/load/limits.h"

namespace stockout {
namespace {

// What says where a value goes.
std::vector<KeySpec> parameter_head() {
  return {
      required_key(
          "at", either_value({text_value(), list_value(text_value(), 1, 1'000)}),
          "JSON pointer into the scenario, `\"/pools/0/gpus\"`, or a list of them, which all get the value"),
      optional_key("name", text_value(),
                   "the column of the store: letters, digits and `_`; default: the pointer with `_` for `/`"),
      optional_key("unit", choice_value({"s", "min", "h", "d"}),
                   "the values are numbers, and the scenario gets durations of so many; the column's name "
                   "ends with it"),
  };
}

std::vector<KeySpec> with_head(std::vector<KeySpec> keys) {
  std::vector<KeySpec> all = parameter_head();
  for (KeySpec& key : keys) all.push_back(std::move(key));
  return all;
}

ValueSpec bounds_value() { return list_value(number_value(-1e15, 1e15), 2, 2); }

}  // namespace

const ObjectSpec& sweep_keys() {
  static const ObjectSpec kKeys{
      .name = "sweep",
      .doc = "A whole sweep file: one scenario, many times, with other values.",
      .keys = {
          optional_key("$schema", text_value(), "for editors; the program does not read it"),
          required_key("name", text_value(), "in a few words"),
          default_key("question", text_value(), "\"\"", "question of the sweep, in one sentence"),
          required_key("scenario", text_value(),
                       "the scenario file, relative to the folder of this one; it must be right by itself"),
          optional_key("replications", integer_value(1, kMostReplications),
                       "of each strategy at each point, instead of the scenario's"),
          optional_key("seed", integer_value(0, 9e15),
                       "of everything random in the scenario, instead of its own. All points share it: they "
                       "differ by what is varied, not by luck"),
          required_key("vary", object_value(vary_keys()), "the points: the product of its parts"),
      }};
  return kKeys;
}

const ObjectSpec& vary_keys() {
  static const ObjectSpec kKeys{
      .name = "vary",
      .doc =
          "The points are all combinations of the parts that are there, at most 10,000,000: `points` changes "
          "slowest, then `latin_hypercube`, then `grid`, of which the last list changes fastest.",
      .keys = {
          optional_key("points", object_value(point_list_keys()), "points one by one"),
          optional_key("latin_hypercube", object_value(hypercube_keys()),
                       "points spread over ranges: each range is cut into as many strata of equal weight as "
                       "there are points, and each stratum holds one"),
          optional_key("grid", list_value(object_value(grid_keys()), 1, kMostParameters),
                       "lists of values: every combination"),
      }};
  return kKeys;
}

const ObjectSpec& grid_keys() {
  static const ObjectSpec kKeys{
      .name = "grid",
      .doc = "One list of values.",
      .keys = with_head({required_key("values", list_value(any_value(), 1, kMostRowsOfAPart),
                                      "values of the place, one after another")})};
  return kKeys;
}

const ObjectSpec& point_list_keys() {
  static const ObjectSpec kKeys{
      .name = "points",
      .doc = "Points as a table.",
      .keys = {
          required_key("parameters", list_value(object_value(parameter_keys()), 1, kMostParameters),
                       "the columns"),
          required_key("rows", list_value(list_value(any_value(), 1, kMostParameters), 1, kMostRowsOfAPart),
                       "the points, each a list of values in the order of `parameters`"),
      }};
  return kKeys;
}

const ObjectSpec& parameter_keys() {
  static const ObjectSpec kKeys{
      .name = "parameter", .doc = "A value of the scenario that varies.", .keys = parameter_head()};
  return kKeys;
}

const ObjectSpec& hypercube_keys() {
  static const ObjectSpec kKeys{
      .name = "latin_hypercube",
      .doc = "A random design: every range is covered evenly, however few the points.",
      .keys = {
          required_key("points", integer_value(1, kMostRowsOfAPart), "how many"),
          default_key("seed", integer_value(0, 9e15), "1", "of the design; nothing else depends on it"),
          required_key("ranges", list_value(object_value(range_keys()), 1, kMostParameters),
                       "parameters, and their ranges"),
      }};
  return kKeys;
}

const ObjectSpec& range_keys() {
  static const ObjectSpec kKeys{
      .name = "range",
      .doc = "Values of one parameter of a Latin hypercube.",
      .keys = with_head({
          optional_key("linear", bounds_value(), "from the first number to the second, evenly"),
          optional_key("log", bounds_value(),
                       "from the first number to the second, both above 0, evenly in the logarithm"),
          optional_key("integer", bounds_value(), "whole numbers from the first to the second, evenly"),
          optional_key("values", list_value(any_value(), 1, kMostRowsOfAPart),
                       "any of these, each as often as the others (but for one, where it does not "
                       "come out even)"),
      }),
      .exactly_one = {KeyGroup{{"linear", "log", "integer", "values"}}}};
  return kKeys;
}

std::span<const ObjectSpec* const> all_sweep_keys() {
  static const std::array<const ObjectSpec*, 7> kAll{&sweep_keys(),      &vary_keys(),      &grid_keys(),
                                                     &point_list_keys(), &parameter_keys(), &hypercube_keys(),
                                                     &range_keys()};
  return kAll;
}

}  // namespace stockout
