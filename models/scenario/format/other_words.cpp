#include "models/scenario/format/other_words.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

namespace stockout {
namespace {

/// A word of other tools, and the cure.
struct OtherWord {
  std::string_view of;
  std::string_view word;
  std::string_view instead;
};

constexpr std::string_view kModel = "consumption model";
constexpr std::string_view kCommitment =
    "a commitment is the \"commitment\" of a reservation, and one that exists already is in \"commitments\". "
    "The model of the leg is \"reservation\"";
constexpr std::string_view kBought = "write \"count\", a number of machines";
constexpr std::string_view kPoolSize = "write \"hosts\", \"gpus\", or \"machines\" with a \"machine\"";
constexpr std::string_view kJobSize = "write \"nodes\", the machines of a job";
constexpr std::string_view kWork = "write \"work\"";
constexpr std::string_view kPlaces = "write \"places\", a list";

constexpr auto kOtherWords = std::to_array<OtherWord>({
    {"scenario", "jobs", "write \"workload\""},
    {"scenario", "zones", "write \"pools\""},
    {"scenario", "duration", "write \"window\""},
    {"scenario", "length", "write \"window\""},
    {"scenario", "days", "write \"window\": \"30d\""},
    {"pool", "count", kPoolSize},
    {"pool", "nodes", kPoolSize},
    {"pool", "size", kPoolSize},
    {"pool", "zone", "write \"place\""},
    {"pool", "region", "write \"place\""},
    {"reservation", "machines", kBought},
    {"reservation", "hosts", kBought},
    {"reservation", "nodes", kBought},
    {"reservation", "gpus", kBought},
    {"reservation", "zone", "write \"place\""},
    {"commitment", "machines", kBought},
    {"commitment", "hosts", kBought},
    {"commitment", "nodes", kBought},
    {"commitment", "gpus", kBought},
    {"commitment", "place", "write \"region\""},
    {"source", "machines", kJobSize},
    {"source", "hosts", kJobSize},
    {"source", "count", kJobSize},
    {"source", "duration", kWork},
    {"source", "runtime", kWork},
    {"source", "length", kWork},
    {"strategy", "steps", "write \"legs\""},
    {"leg", "zone", kPlaces},
    {"leg", "zones", kPlaces},
    {"leg", "region", kPlaces},
    {"leg", "place", kPlaces},
    {"leg", "type", "write \"model\""},
    {"goal", "percentile", "write \"wait_p\""},
    {"goal", "quantile", "write \"wait_p\": 95 for 95 %"},
    {"goal", "max_wait", "write \"at_most\""},
    {"goal", "within", "write \"at_most\""},
    {kModel, "cud", kCommitment},
    {kModel, "cud_1y", kCommitment},
    {kModel, "cud_3y", kCommitment},
    {kModel, "commitment", kCommitment},
    {kModel, "committed", kCommitment},
    {kModel, "dws", "DWS sells \"flex_start\", a queue, and \"calendar\", bookings"},
    {kModel, "flex", "write \"flex_start\""},
    {kModel, "dws_flex", "write \"flex_start\""},
    {kModel, "dws_flex_start", "write \"flex_start\""},
    {kModel, "flex_start_vm", "write \"flex_start\""},
    {kModel, "flex_start_vms", "write \"flex_start\""},
    {kModel, "dws_calendar", "write \"calendar\""},
    {kModel, "dws_calendar_mode", "write \"calendar\""},
    {kModel, "calendar_mode", "write \"calendar\""},
    {kModel, "spot_vm", "write \"spot\""},
    {kModel, "spot_vms", "write \"spot\""},
    {kModel, "preemptible_vm", "write \"spot\""},
    {kModel, "reserved", "write \"reservation\""},
    {kModel, "preemptible", "write \"spot\""},
});

bool is_same(std::string_view said, std::string_view word) {
  return std::ranges::equal(said, word, [](char a, char b) {
    return (a == '-' || a == ' ' ? '_' : std::tolower(static_cast<unsigned char>(a))) == b;
  });
}

}  // namespace

std::string write_instead(std::string_view of, std::string_view word) {
  const auto found = std::ranges::find_if(
      kOtherWords, [&](const OtherWord& other) { return other.of == of && is_same(word, other.word); });
  return found == kOtherWords.end() ? std::string{} : fmt::format(": {}", found->instead);
}

}  // namespace stockout
