#include "models/scenario/format/keys.h"
#include "models/scenario/format/relation.h"

namespace stockout {
namespace {

constexpr double kMostUnknownChoices = 20;

}  // namespace

const ObjectSpec& unknown_keys() {
  static const ObjectSpec kKeys{
      .name = "unknown",
      .doc =
          "A value that nobody publishes: a number within a range, one of some values, or one of some "
          "`choices` that change several places at once. `calibrate` finds which of these worlds agree with "
          "a history, and `--worlds` of `compare` and `recommend` runs them. Else what is written counts.",
      .keys =
          {
              required_key("name", text_value(), "in a few words, as answers name it; unique"),
              optional_key("at", either_value({text_value(), list_value(text_value(), 1, 100)}),
                           "JSON pointer into this file, `\"/pools/0/hosts\"`, or a list of them, which all "
                           "get the value. Within the same keys as `set` of an alternative"),
              optional_key("from", number_value(-1e15, 1e15), "the least number"),
              optional_key("to", number_value(-1e15, 1e15), "the largest number, more than `from`"),
              optional_key("step", number_above(0, 1e15),
                           "the numbers are `from` and multiples of it above; default: all in between"),
              default_key("law", choice_value({"uniform", "log_uniform"}), "uniform",
                          "how likely the numbers are before anything was observed: all alike, or as likely "
                          "between 1 and 2 as between 2 and 4"),
              optional_key("values", list_value(any_value(), 2, kMostUnknownChoices),
                           "values that the place may hold, each as likely"),
              optional_key("unit", choice_value({"s", "min", "h", "d"}),
                           "the values are numbers, and the scenario gets durations of so many"),
              optional_key("choices", list_value(object_value(unknown_choice_keys()), 2, kMostUnknownChoices),
                           "ways it may be, each with a name"),
          },
      .exactly_one = {KeyGroup{{"from", "values", "choices"}}},
      .relations = {requires_keys({"from"}, {"at", "to"}), requires_keys({"values"}, {"at"}),
                    excludes_keys({"choices"}, {"at", "unit"}),
                    only_with({{"from"}}, {"to", "step", "law"})}};
  return kKeys;
}

const ObjectSpec& unknown_choice_keys() {
  static const ObjectSpec kKeys{
      .name = "unknown_choice",
      .doc = "One way it may be.",
      .keys = {
          required_key("name", text_value(), "in a few words; unique within the unknown"),
          required_key("set", table_of(any_value()),
                       "the value in the place of a JSON pointer into this file, as with `--set`"),
          default_key("weight", number_above(0, 1e9), "1",
                      "how likely it is before anything was observed, against the others"),
      }};
  return kKeys;
}

}  // namespace stockout
