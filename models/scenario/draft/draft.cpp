#include "models/scenario/draft/draft.h"

#include <fmt/format.h>

#include "models/scenario/format/known_names.h"

namespace stockout {
namespace {

constexpr std::size_t kMostClasses = 10'000;
constexpr std::size_t kMostUserNames = 1'000'000;
constexpr std::size_t kMostShapes = 100'000;

}  // namespace

std::size_t NameTable::add(const std::string& name) {
  const auto [place, is_new] = places_.try_emplace(name, names_.size());
  if (is_new) names_.push_back(name);
  return place->second;
}

const std::size_t* NameTable::find(const std::string& name) const {
  const auto place = places_.find(name);
  return place == places_.end() ? nullptr : &place->second;
}

ClassId Draft::class_id(const Node& node, const std::string& name) {
  const std::size_t id = classes.add(name);
  if (id >= kMostClasses) node.fail(fmt::format("more than {} job classes", kMostClasses));
  if (id == world().classes.size()) {
    world().classes.push_back({.name = name});
    class_described.push_back(false);
  }
  return ClassId{static_cast<std::uint16_t>(id)};
}

UserId Draft::user_id(const Node& node, const std::string& name) {
  const std::size_t id = users.add(name);
  if (id >= kMostUserNames) node.fail(fmt::format("more than {} users", kMostUserNames));
  return UserId{static_cast<std::uint32_t>(id)};
}

PoolId Draft::find_reservation(const Node& name) const {
  const auto found = reservations.find(name.as_text());
  if (found != reservations.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [each, id] : reservations) known.push_back(each);
  fail_unknown(name, "reservation", name.as_text(), known);
}

ShapeId Draft::shape_id(const Node& node, const Shape& shape, ClassId job_class) {
  const auto key =
      std::tuple{shape.gpu, shape.machine, shape.nodes, shape.gpus_per_node, shape.tail_gpus, shape.speed};
  const ShapeId next{static_cast<std::uint32_t>(world().shapes.size())};
  const auto [found, is_new] = shape_ids.try_emplace(key, next);
  if (is_new) {
    if (world().shapes.size() == kMostShapes)
      node.fail(fmt::format("jobs of more than {} shapes", kMostShapes));
    world().shapes.push_back(shape);
    shape_classes.emplace_back();
  }
  auto& used = shape_classes[index(found->second)];
  if (used.size() <= index(job_class)) used.resize(index(job_class) + 1);
  used[index(job_class)] = true;
  return found->second;
}

}  // namespace stockout
