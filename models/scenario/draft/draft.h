#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "models/billing/overlay.h"
#include "models/catalog/catalog.h"
#include "models/scenario/draft/calendar.h"
#include "models/scenario/format/held_model.h"
#include "models/scenario/format/node.h"
#include "models/scenario/scenario.h"

namespace stockout {

/// Names in order of first use.
class NameTable {
 public:
  /// The position of the name, added if it is new.
  std::size_t add(const std::string& name);
  [[nodiscard]] const std::size_t* find(const std::string& name) const;
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::map<std::string, std::size_t> places_;
};

/// Bandwidth between the nodes of a gang.
struct Bandwidth {
  enum class From : std::uint8_t { measured, bound, given };  // bound: the machine's network, an upper bound
  double gb_s = 0;                                            // per GPU
  From from = From::measured;
};

/// Use of a SpeedProfile by the legs of a scenario.
struct SpeedUse {
  Node node;                                         // of the source that says it
  std::map<std::string, Bandwidth> bandwidths = {};  // by machine family: what gangs exchange over there
  bool fits = false;                                 // some place has the memory that each GPU needs ...
  double most_memory_gb = 0;                         // ... else the most that any has, ...
  std::string roomiest = {};                         // ... and its GPU type
};

/// A class that the file of a trace names, and that of the source, which it is like if nothing else is said.
struct ClassOfFile {
  Node trace;
  ClassId id{};
  ClassId like{};
};

/// A scenario while it is being built. The steps in build.h fill it in order; each may use what earlier ones
/// made.
struct Draft {
  Node root;
  const Catalog& catalog;
  Calendar calendar;
  Scenario scenario;
  ScenarioCache* cache = nullptr;  // of what scenarios built one after another have in common

  std::vector<std::string> pool_families = {};  // each once: what a trace's jobs may be split for
  std::vector<PriceOverlay> prices = {};        // the planner's own
  NameTable classes = {};
  std::vector<bool> class_described =
      {};  // by ClassId: whether a source or the table said something about it
  std::vector<ClassOfFile> classes_of_files = {};
  NameTable users = {};  // 0 is "-", for sources without users
  std::vector<std::vector<bool>> shape_classes =
      {};  // by ShapeId, then ClassId: which classes' jobs have the shape
  std::map<std::tuple<std::string, std::string, std::int32_t, std::int32_t, std::int32_t, SpeedId>, ShapeId>
      shape_ids = {};
  std::vector<SpeedUse> speed_uses = {};  // of World::speeds from the second on
  std::map<std::tuple<SpeedId, std::string, std::string, std::string, std::string, std::string>, SpeedId>
      row_speeds = {};
  std::map<std::string, SimDuration> group_ticks = {};  // of zones whose capacity moves together
  std::map<std::string, PoolId> reservations = {};      // by name
  std::vector<HeldModel> held_models = {};              // of the held pools, in the world's order
  // Of zone pools, and of what Vertex AI's jobs use of held ones; last whether its management fee is on top.
  std::map<std::tuple<PoolId, MachineId, PriceModel, bool>, PriceLineId> price_lines = {};

  std::size_t candidate_count = 0;  // of all legs

  std::vector<std::string> trace_notes = {};  // on rows of traces: they come after all other warnings

  [[nodiscard]] World& world() { return scenario.world; }

  ClassId class_id(const Node& node, const std::string& name);
  UserId user_id(const Node& node, const std::string& name);
  /// The held pool of that name; InputError with the nearest one if there is none.
  [[nodiscard]] PoolId find_reservation(const Node& name) const;
  /// The shape's number; `job_class` has jobs of that shape.
  ShapeId shape_id(const Node& node, const Shape& shape, ClassId job_class);

  void warn(std::string text) { scenario.warnings.push_back(std::move(text)); }
  void assume(std::string text) { scenario.assumptions.push_back(std::move(text)); }
};

}  // namespace stockout
