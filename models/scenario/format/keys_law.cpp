#include "models/scenario/format/keys.h"

namespace stockout {
namespace {

const std::vector<std::string> kLaws{"lognormal", "exponential", "weibull", "uniform",
                                     "pareto",    "empirical",   "bathtub", "from_file"};

std::vector<KeySpec> plain_law_keys() {
  return {
      optional_key("lognormal", object_value(lognormal_keys()), "a heavy tail: many short, a few very long"),
      optional_key("exponential", positive_duration_value(), "its mean"),
      optional_key("weibull", object_value(weibull_keys()),
                   "ageing: fails early (shape below 1) or wears out (above 1)"),
      optional_key("uniform", list_value(duration_value(), 2, 2), "the least and the greatest"),
      optional_key("pareto", object_value(pareto_keys()), "the heaviest tail: a few are most of the work"),
      optional_key("empirical", object_value(empirical_keys()), "as measured"),
      optional_key("bathtub", object_value(bathtub_keys()),
                   "many end early, few in the middle, the rest at about one age"),
      optional_key("from_file", object_value(from_file_keys()),
                   "lengths that were seen, some perhaps not to their end"),
      optional_key("most", positive_duration_value(), "whatever is longer is cut to it"),
  };
}

}  // namespace

ValueSpec length_value() { return either_value({duration_value(), object_value(law_keys())}); }

const ObjectSpec& law_keys() {
  static const ObjectSpec kKeys = [] {
    ObjectSpec spec{.name = "law", .doc = "The law of a random length of time.", .keys = plain_law_keys()};
    spec.keys.push_back(optional_key("mixture", list_value(object_value(mixture_part_keys()), 1, 100),
                                     "one of several laws, drawn by weight"));
    KeyGroup laws{kLaws};
    laws.keys.emplace_back("mixture");
    spec.exactly_one = {laws};
    return spec;
  }();
  return kKeys;
}

const ObjectSpec& mixture_part_keys() {
  static const ObjectSpec kKeys = [] {
    ObjectSpec spec{
        .name = "mixture_part", .doc = "A law, and how often it is the one.", .keys = plain_law_keys()};
    spec.keys.push_back(
        required_key("weight", number_above(0, kMostWeight), "share of the draws, as a part of all weights"));
    spec.exactly_one = {KeyGroup{kLaws}};
    return spec;
  }();
  return kKeys;
}

const ObjectSpec& pareto_keys() {
  static const ObjectSpec kKeys{
      .name = "pareto",
      .doc = "A Pareto law: the share longer than x is (least / x)^shape.",
      .keys = {
          required_key("least", positive_duration_value(), "the shortest"),
          required_key("shape", number_value(0.05, 100),
                       "how fast the tail falls; below 2 the variance is infinite, up to 1 the mean"),
          optional_key("greatest", positive_duration_value(),
                       "a bounded Pareto law: none is longer, and the shares below add up to all"),
      }};
  return kKeys;
}

const ObjectSpec& empirical_keys() {
  static const ObjectSpec kKeys{
      .name = "empirical",
      .doc =
          "Lengths as they were measured. Between two points the logarithm is even (from 0s on, "
          "the length itself).",
      .keys =
          {
              optional_key("quantiles", table_of(duration_value()),
                           "per cent of all, and the length they do not exceed: {\"0\": \"10s\", \"50\": "
                           "\"3h\", \"100\": \"2d\"}"),
              optional_key("file", text_value(),
                           "a text file of lengths, one a line, in seconds or with a unit, in any order; "
                           "plain or gzip"),
          },
      .exactly_one = {KeyGroup{{"quantiles", "file"}}}};
  return kKeys;
}

const ObjectSpec& bathtub_keys() {
  static const ObjectSpec kKeys{
      .name = "bathtub",
      .doc =
          "F(t) = share (1 - exp(-t / early) + exp((t - at) / late) - exp(-at / late)), at most 1. A cap, "
          "such as the 24 h of the old preemptible VMs, is the law's `most`.",
      .keys = {
          required_key("share", number_value(0.001, 1), "of those that end early"),
          required_key("early", positive_duration_value(), "time scale of early ends"),
          required_key("late", positive_duration_value(), "time scale of late ends"),
          required_key("at", positive_duration_value(), "the age around which late ends come"),
      }};
  return kKeys;
}

const ObjectSpec& from_file_keys() {
  static const ObjectSpec kKeys{
      .name = "from_file",
      .doc =
          "A CSV file with a row for each length. The share still alive at each age follows from those seen "
          "to their end and those that were not (Kaplan-Meier). Who was never seen to end lives for ever.",
      .keys =
          {
              required_key("file", text_value(), "plain or gzip; relative to the scenario's folder"),
              required_key("length", text_value(), "the column with the length"),
              default_key("unit", choice_value({"ms", "s", "min", "h"}), "s", "of that column"),
              optional_key("ended", text_value(),
                           "the column that says how a length ended; default: all were seen to their end"),
              optional_key("as", text_value(),
                           "its word for lengths seen to their end, such as \"preempted\""),
          },
      .relations = {
          requires_keys({"ended"}, {"as"}, "what the column says of lengths that were seen to their end"),
          requires_keys({"as"}, {"ended"}, "the column that says how a length ended"),
      }};
  return kKeys;
}

const ObjectSpec& lognormal_keys() {
  static const ObjectSpec kKeys{
      .name = "lognormal",
      .doc = "A lognormal law.",
      .keys = {
          required_key("median", positive_duration_value(), "half of all are shorter"),
          required_key("sigma", number_above(0, 5), "standard deviation of the logarithm"),
      }};
  return kKeys;
}

const ObjectSpec& weibull_keys() {
  static const ObjectSpec kKeys{
      .name = "weibull",
      .doc = "A Weibull law.",
      .keys = {
          required_key("scale", positive_duration_value(), "63.2 % of all are shorter"),
          required_key("shape", number_value(0.2, 20),
                       "below 1 the rate falls with age, above 1 it rises; 1 is exponential"),
      }};
  return kKeys;
}

}  // namespace stockout
