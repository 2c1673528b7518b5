#include "models/scenario/format/keys.h"
#include "models/scenario/format/relation.h"

namespace stockout {
namespace {

constexpr double kMostChoices = 1'000;

ValueSpec share_value() { return number_above(0, 100, "%"); }

ValueSpec number_or_date() { return either_value({number_value(-1e15, 1e15), date_value()}); }

}  // namespace

const ObjectSpec& decision_keys() {
  const KeyHas day{.key = "from", .kind = ValueKind::date};
  const std::string both_alike = "both ends of a range are days, or both are numbers";
  static const ObjectSpec kKeys{
      .name = "decision",
      .doc =
          "A free choice of `recommend`: a number or day within a range, one of some values, or one of "
          "some `choices` that change several places at once. Jobs, goals, tenants and prices are given, and no "
          "decision changes them. Other commands take what is written.",
      .keys =
          {
              required_key("name", text_value(), "in a few words, as answers name it; unique"),
              optional_key("at", either_value({text_value(), list_value(text_value(), 1, 100)}),
                           "JSON pointer into this file, `\"/reservations/0/count\"`, or a list of them, "
                           "which all get the value"),
              optional_key("from", number_or_date(), "the least number, or the first day"),
              optional_key("to", number_or_date(), "the largest number, or the last day; `from` at least"),
              optional_key("step", number_above(0, 1e15),
                           "from one number to the next, or days from one to the next; default 1"),
              optional_key("values", list_value(any_value(), 1, kMostChoices),
                           "values that the place may hold"),
              optional_key("unit", choice_value({"s", "min", "h", "d"}),
                           "the values are numbers, and the scenario gets durations of so many"),
              optional_key("choices", list_value(object_value(choice_keys()), 1, kMostChoices),
                           "ways to decide, each with a name"),
          },
      .exactly_one = {KeyGroup{{"from", "values", "choices"}}},
      .relations = {requires_keys({"from"}, {"at", "to"}), requires_keys({"values"}, {"at"}),
                    excludes_keys({"choices"}, {"at", "unit"}), only_with({{"from"}}, {"to", "step"}),
                    excludes_keys(day, {"unit"}, "units are of numbers"),
                    excludes_value(day, {.key = "to", .kind = ValueKind::number}, both_alike),
                    excludes_value({.key = "from", .kind = ValueKind::number},
                                   {.key = "to", .kind = ValueKind::date}, both_alike)}};
  return kKeys;
}

const ObjectSpec& choice_keys() {
  static const ObjectSpec kKeys{
      .name = "choice",
      .doc = "One way to decide.",
      .keys = {
          required_key("name", text_value(), "in a few words; unique within the decision"),
          required_key("set", table_of(any_value()),
                       "the value in the place of a JSON pointer into this file, as with `--set`"),
      }};
  return kKeys;
}

const ObjectSpec& asked_goal_keys() {
  static const ObjectSpec kKeys{
      .name = "asked_goal",
      .doc =
          "One of several goals of `compare` and `recommend`, each of jobs of one class or of all. All must be met.",
      .keys =
          {
              optional_key("at_most", duration_value(),
                           "the longest wait of `wait_p` of the jobs, which are completed"),
              default_key("wait_p", share_value(), "95", "with `at_most`: the share of jobs"),
              optional_key("deadlines_p", share_value(),
                           "the share of jobs that meet their deadline, of those that have one and could"),
              optional_key("completed_p", share_value(), "the share of jobs that are completed"),
              optional_key("budget_usd", number_above(0, 1e15, "USD"),
                           "the most that a run may cost, on average over the replications"),
              optional_key("class", text_value(), "only jobs of this class; default: all"),
          },
      .exactly_one = {KeyGroup{{"at_most", "deadlines_p", "completed_p", "budget_usd"}}},
      .relations = {only_with({{"at_most"}}, {"wait_p"}), excludes_keys({"budget_usd"}, {"class"})}};
  return kKeys;
}

}  // namespace stockout
