#include "models/calibration/world_set.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "models/scenario/format/node.h"
#include "models/scenario/format/spec.h"
#include "models/scenario/format/spec_check.h"
#include "models/scenario/load/alternatives.h"
#include "sim/core/check.h"
#include "sim/io/input_file.h"
#include "sim/io/json_document.h"
#include "sim/io/json_reader.h"

namespace stockout {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kWorldsLayout = "stockout worlds 2";
constexpr std::size_t kMostWorldBytes = 64 << 20;
constexpr double kMostWorlds = 100'000;

const ObjectSpec& world_place_keys() {
  static const ObjectSpec kKeys{
      .name = "place",
      .doc = "A place that the worlds change for it.",
      .keys = {
          required_key("at", text_value(), "JSON pointer into the scenario"),
          required_key("in", text_value(), "the pool, strategy, ... that it points into; may be empty")}};
  return kKeys;
}

const ObjectSpec& known_now_keys() {
  static const ObjectSpec kKeys{
      .name = "unknown",
      .doc = "An unknown as the history leaves it.",
      .keys = {required_key("name", text_value(), "as the scenario has it"),
               required_key("prior", text_value(), "before the history"),
               required_key("median", text_value(), "of the worlds"),
               required_key("low", text_value(), "of the set of 95 %"),
               required_key("high", text_value(), "of the set of 95 %"),
               required_key("provenance", choice_value({"fitted", "assumed"}),
                            "whether the history says anything of it"),
               required_key("places", list_value(object_value(world_place_keys()), 1, 10'000),
                            "that the worlds change for it")}};
  return kKeys;
}

const ObjectSpec& calibrated_world_keys() {
  static const ObjectSpec kKeys{
      .name = "world",
      .doc = "One of the worlds.",
      .keys = {required_key("name", text_value(), "unique"),
               required_key("weight", number_above(0, 1e9), "against the others"),
               required_key("set", table_of(any_value()), "values by JSON pointers into the scenario")}};
  return kKeys;
}

const ObjectSpec& world_set_keys() {
  static const ObjectSpec kKeys{
      .name = "worlds",
      .doc = "The file that `stockout calibrate` writes.",
      .keys = {
          required_key("layout", choice_value({kWorldsLayout}), "of this file"),
          required_key("stockout", text_value(), "version of the program"),
          required_key("scenario", text_value(), "its name"),
          required_key("observed", text_value(), "the file of the history"),
          required_key("strategy", text_value(), "under which the history came about"),
          required_key("runs", integer_value(1, 1e9), "that were simulated"),
          default_key("figures_in_no_world_share", number_value(0, 1), "0",
                      "of the figures of the history, those that occur in none of the worlds"),
          required_key("unknown", list_value(object_value(known_now_keys()), 1, 1000), "what is known now"),
          required_key("typical", text_value(), "the name of the world in the middle"),
          required_key("worlds", list_value(object_value(calibrated_world_keys()), 1, kMostWorlds),
                       "the worlds that agree with the history")}};
  return kKeys;
}

KnownNow read_known_now(const Node& node) {
  KnownNow known{.name = node.text("name"),
                 .prior = node.text("prior"),
                 .median = node.text("median"),
                 .low = node.text("low"),
                 .high = node.text("high"),
                 .provenance = node.text("provenance")};
  for (const Node& place : node.list("places"))
    known.places.push_back({.pointer = place.text("at"), .in = place.text("in")});
  return known;
}

Json places_json(const KnownNow& known) {
  Json places = Json::array();
  for (const WorldPlace& place : known.places) places.push_back({{"at", place.pointer}, {"in", place.in}});
  return places;
}

CalibratedWorld read_world(const Node& node, const std::string& file) {
  CalibratedWorld world{.name = node.text("name"), .weight = node.number("weight"), .changes = {}};
  const Node set = node.at("set");
  for (const auto& [pointer, value] : set.entries()) {
    check_may_differ(value, pointer, "a world");
    world.changes.push_back({.pointer = pointer,
                             .value = value.value(),
                             .said_in = fmt::format("{}: {}: {}", file, world.name, pointer)});
  }
  return world;
}

void read_worlds(const Node& root, const std::string& file, WorldSet& set) {
  std::set<std::string> names;
  for (const Node& node : root.list("worlds")) {
    set.worlds.push_back(read_world(node, file));
    if (!names.insert(set.worlds.back().name).second) node.at("name").fail("is there twice");
  }
  const auto found = std::ranges::find(set.worlds, root.text("typical"), &CalibratedWorld::name);
  if (found == set.worlds.end()) root.at("typical").fail("is the name of no world of this file");
  set.typical = static_cast<std::size_t>(found - set.worlds.begin());
}

using Places = std::set<std::string>;

Places places_of(const std::vector<PlacedValue>& changes) {
  Places places;
  for (const PlacedValue& change : changes) places.insert(change.pointer);
  return places;
}

// The sets of places one of which a world changes for an unknown.
std::vector<Places> ways_of(const Unknown& unknown) {
  if (unknown.range) return {{unknown.range->pointers.begin(), unknown.range->pointers.end()}};
  std::vector<Places> ways;
  for (const UnknownChoice& choice : unknown.choices) ways.push_back(places_of(choice.changes));
  return ways;
}

bool has_all(const Places& places, const Places& wanted) { return std::ranges::includes(places, wanted); }

[[noreturn]] void refuse_world(const std::string& file, std::size_t world, const std::string& problem) {
  throw InputError{{.file = file, .pointer = fmt::format("/worlds/{}/set", world)}, problem};
}

void check_unknown(const Places& places, const Unknown& unknown, const std::string& file, std::size_t world) {
  const std::vector<Places> ways = ways_of(unknown);
  if (std::ranges::any_of(ways, [&](const Places& way) { return has_all(places, way); })) return;
  refuse_world(file, world,
               fmt::format("lacks {}, which unknown \"{}\" leaves open: calibrate again",
                           fmt::join(ways.front(), " and "), unknown.name));
}

}  // namespace

void check_places(const WorldSet& set, const std::vector<Unknown>& unknown, const std::string& file) {
  Places open = places_of(set.worlds.front().changes);
  if (!unknown.empty()) open.clear();
  for (const Unknown& one : unknown) {
    for (Places& way : ways_of(one)) open.merge(way);
  }
  for (std::size_t world = 0; world < set.worlds.size(); ++world) {
    const Places places = places_of(set.worlds[world].changes);
    for (const Unknown& one : unknown) check_unknown(places, one, file, world);
    for (const std::string& place : places) {
      if (!open.contains(place))
        refuse_world(file, world, fmt::format("changes {}, which the scenario does not leave open", place));
    }
    if (unknown.empty() && places != open)
      refuse_world(file, world, "must change the same places as the other worlds");
  }
}

std::vector<CalibratedWorld> WorldSet::representative(std::size_t most) const {
  STOCKOUT_CHECK(most > 0 && !worlds.empty());
  double total = 0;
  for (const CalibratedWorld& world : worlds) total += world.weight;
  std::vector<CalibratedWorld> chosen;
  double before = 0;
  for (const CalibratedWorld& world : worlds) {
    const auto marks = [&](double weight) {  // that lie below so much of the weight
      return std::clamp(std::floor(weight / total * static_cast<double>(most) + 0.5), 0.0,
                        static_cast<double>(most));
    };
    const double stands_for = marks(before + world.weight) - marks(before);
    before += world.weight;
    if (stands_for < 1) continue;
    chosen.push_back(world);
    chosen.back().weight = stands_for / static_cast<double>(most);
  }
  return chosen;
}

std::string agreement_text(const WorldSet& set) {
  return set.unlike <= kMostUnlike ? "agree with " + set.observed
                                   : "are nearest to " + set.observed + " but do not explain it";
}

std::string write_world_set(const WorldSet& set) {
  Json document{{"layout", kWorldsLayout},
                {"stockout", set.version},
                {"scenario", set.scenario},
                {"observed", set.observed},
                {"strategy", set.strategy},
                {"runs", set.runs},
                {"figures_in_no_world_share", set.unlike},
                {"unknown", Json::array()},
                {"typical", set.worlds.at(set.typical).name},
                {"worlds", Json::array()}};
  for (const KnownNow& known : set.unknown) {
    document["unknown"].push_back({{"name", known.name},
                                   {"prior", known.prior},
                                   {"median", known.median},
                                   {"low", known.low},
                                   {"high", known.high},
                                   {"provenance", known.provenance},
                                   {"places", places_json(known)}});
  }
  for (const CalibratedWorld& world : set.worlds) {
    Json values = Json::object();
    for (const PlacedValue& change : world.changes) values[change.pointer] = json_document(change.value);
    document["worlds"].push_back(
        {{"name", world.name}, {"weight", world.weight}, {"set", std::move(values)}});
  }
  return document.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

WorldSet parse_world_set(std::string_view text, const std::string& file) {
  static const ValueSpec kSpec = object_value(world_set_keys());
  const ScenarioText parsed{.file = file, .root = parse_json(text, file), .overrides = {}};
  const Node root = check_scenario(parsed, kSpec);
  WorldSet set{.version = root.text("stockout"),
               .scenario = root.text("scenario"),
               .observed = root.text("observed"),
               .strategy = root.text("strategy"),
               .runs = static_cast<std::size_t>(root.integer("runs")),
               .unlike = root.number("figures_in_no_world_share"),
               .unknown = {},
               .worlds = {}};
  for (const Node& node : root.list("unknown")) set.unknown.push_back(read_known_now(node));
  read_worlds(root, file, set);
  return set;
}

WorldSet read_world_set(const std::string& path) {
  return parse_world_set(read_text_file(path, kMostWorldBytes), path);
}

}  // namespace stockout
