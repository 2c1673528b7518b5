#include "models/scenario/buying/never.h"

// What can never happen, whatever is drawn: a reader must know it before the simulation, and beside its
// answer.

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/scenario/buying/could_serve.h"
#include "sim/core/counted.h"

namespace stockout {
namespace {

constexpr std::size_t kMostNamed = 3;  // of several names, sizes or places

std::string few_of(const std::vector<std::string>& all) {
  const std::size_t shown = std::min(all.size(), kMostNamed);
  const std::string text =
      fmt::format("{}", fmt::join(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  return shown < all.size() ? fmt::format("{} and {} more", text, all.size() - shown) : text;
}

std::string gpus_text(std::int64_t gpus) { return counted(static_cast<std::uint64_t>(gpus), "GPU"); }

// "16 x 8 GPUs of H100-80GB".
std::string size_text(const Shape& shape) {
  std::string text = shape.nodes == 1 ? gpus_text(shape.gpus_per_node)
                                      : fmt::format("{} x {}", shape.nodes, gpus_text(shape.gpus_per_node));
  if (shape.tail_gpus > 0) text += fmt::format(" + {}", shape.tail_gpus);
  const std::string& of = shape.machine.empty() ? shape.gpu : shape.machine;
  return of.empty() ? text : fmt::format("{} {} {}", text, shape.machine.empty() ? "of" : "on", of);
}

// The sizes of a class, the smallest first.
std::string sizes_text(const World& world, std::vector<ShapeId> shapes) {
  std::ranges::stable_sort(shapes, {}, [&](ShapeId id) { return world.shapes[index(id)].gpus(); });
  std::vector<std::string> sizes;
  for (const ShapeId id : shapes) {
    std::string size = size_text(world.shapes[index(id)]);
    if (std::ranges::find(sizes, size) == sizes.end()) sizes.push_back(std::move(size));
  }
  return few_of(sizes);
}

/// The same thing said of several places in the file: one line.
class Sayings {
 public:
  void add(const std::string& pointer, const std::string& name, const std::string& text) {
    auto saying = std::ranges::find(sayings_, text, &Saying::text);
    if (saying == sayings_.end())
      saying = sayings_.insert(saying, {.text = text, .pointers = {}, .names = {}});
    saying->pointers.push_back(pointer);
    const std::string quoted = fmt::format("\"{}\"", name);
    if (std::ranges::find(saying->names, quoted) == saying->names.end()) saying->names.push_back(quoted);
  }
  void tell(Draft& draft) const {
    for (const Saying& saying : sayings_) {
      draft.warn(fmt::format("{}: under {} {}", few_of(saying.pointers), few_of(saying.names), saying.text));
    }
  }

 private:
  struct Saying {
    std::string text;
    std::vector<std::string> pointers;
    std::vector<std::string> names;
  };
  std::vector<Saying> sayings_;
};

class NeverFinder {
 public:
  explicit NeverFinder(Draft& draft)
      : draft_{draft},
        world_{draft.scenario.world},
        could_{draft.scenario.world},
        strategies_{draft.root.list("strategies")},
        reached_(world_.pool_count()),
        has_use_(world_.price_lines.size()) {}

  void tell() {
    for (std::size_t i = 0; i < world_.strategies.size(); ++i) look_at(i);
    classes_.tell(draft_);
    gangs_.tell(draft_);
    held_.tell(draft_);
    tell_of_pools();
    tell_of_commitments();
  }

 private:
  void look_at(std::size_t strategy);
  void look_at_class(std::size_t strategy, ClassId job_class);
  void look_at_gangs(std::size_t strategy, std::size_t leg, ClassId job_class,
                     const std::vector<ShapeId>& shapes);
  void note_use(const Leg& leg, ShapeId shape, std::vector<bool>& used);
  void note_held(std::size_t strategy, const std::vector<bool>& used);
  void tell_of_pools();
  void tell_of_commitments();

  [[nodiscard]] std::vector<ShapeId> shapes_of(ClassId job_class) const;
  [[nodiscard]] bool may_serve(const Leg& leg, ShapeId shape);
  [[nodiscard]] bool is_too_large(const Leg& leg, ShapeId shape) const;
  [[nodiscard]] std::string why_nowhere(const Strategy& strategy, ClassId job_class,
                                        const std::vector<ShapeId>& shapes) const;

  Draft& draft_;
  const World& world_;
  CouldServe could_;
  std::vector<Node> strategies_;
  std::vector<bool> reached_;  // by pool: some job can run there, or something is reserved there
  std::vector<bool> has_use_;  // by price line: some strategy may use it
  Sayings classes_;
  Sayings gangs_;
  Sayings held_;
};

std::vector<ShapeId> NeverFinder::shapes_of(ClassId job_class) const {
  std::vector<ShapeId> shapes;
  for (std::size_t i = 0; i < draft_.shape_classes.size(); ++i) {
    const std::vector<bool>& classes = draft_.shape_classes[i];
    if (world_.shapes[i].of_nodes > 0) continue;
    if (index(job_class) < classes.size() && classes[index(job_class)])
      shapes.push_back(static_cast<ShapeId>(i));
  }
  return shapes;
}

// With as few nodes as Kueue may admit it with, if not with all.
bool NeverFinder::may_serve(const Leg& leg, ShapeId shape) {
  if (could_.serves(leg, shape) || !world_.kueue) return could_.serves(leg, shape);
  const auto least = world_.kueue->reduced.lower_bound({shape, 0});
  return least != world_.kueue->reduced.end() && least->first.first == shape &&
         could_.serves(leg, least->second);
}

// Whether the leg has places with such machines, and each of them is too small.
bool NeverFinder::is_too_large(const Leg& leg, ShapeId shape) const {
  if (index(shape) >= leg.candidates.size() || leg.candidates[index(shape)].empty()) return false;
  return std::ranges::all_of(leg.candidates[index(shape)], [&](const Candidate& place) {
    const auto room = could_.room(leg, place.pool);
    return room && *room < least_gpus_of(leg, place);
  });
}

std::string NeverFinder::why_nowhere(const Strategy& strategy, ClassId job_class,
                                     const std::vector<ShapeId>& shapes) const {
  bool is_open = false;
  bool has_place = false;
  bool is_too_large_everywhere = true;
  GpuCount most{};
  for (const Leg& leg : strategy.legs) {
    if (!leg.open_to(job_class)) continue;
    is_open = true;
    for (const ShapeId shape : shapes) {
      if (index(shape) >= leg.candidates.size() || leg.candidates[index(shape)].empty()) continue;
      has_place = true;
      is_too_large_everywhere = is_too_large_everywhere && is_too_large(leg, shape);
      for (const Candidate& place : leg.candidates[index(shape)])
        most = std::max(most, could_.room(leg, place.pool).value_or(GpuCount{}));
    }
  }
  if (!is_open) return "no leg is open to the class";
  if (!has_place) return "none of its places has such machines";
  if (is_too_large_everywhere) return fmt::format("the largest place has {}", gpus_text(most.count()));
  return "no place, quota or request lets so much in";
}

void NeverFinder::look_at(std::size_t strategy) {
  for (std::size_t i = 0; i < world_.classes.size(); ++i)
    look_at_class(strategy, ClassId{static_cast<std::uint16_t>(i)});
  std::vector<bool> used(world_.pool_count());
  for (const Leg& leg : world_.strategies[strategy].legs) {
    for (std::size_t shape = 0; shape < leg.candidates.size(); ++shape)
      note_use(leg, static_cast<ShapeId>(shape), used);
  }
  note_held(strategy, used);
}

// Classes that no leg serves, and gangs that some leg does not.
void NeverFinder::look_at_class(std::size_t strategy, ClassId job_class) {
  const Strategy& buys = world_.strategies[strategy];
  const std::vector<ShapeId> shapes = shapes_of(job_class);
  std::vector<ShapeId> nowhere;
  std::vector<ShapeId> somewhere;
  for (const ShapeId shape : shapes) {
    const bool is_served = std::ranges::any_of(
        buys.legs, [&](const Leg& leg) { return leg.open_to(job_class) && may_serve(leg, shape); });
    (is_served ? somewhere : nowhere).push_back(shape);
  }
  if (!nowhere.empty()) {
    const bool is_all = somewhere.empty();
    if (is_all) draft_.scenario.impossible.push_back({.strategy = strategy, .job_class = job_class});
    classes_.add(strategies_[strategy].where().pointer, buys.name,
                 fmt::format("no leg could ever serve {} of class \"{}\" ({}): {}",
                             is_all ? "jobs" : "some jobs", world_.classes[index(job_class)].name,
                             sizes_text(world_, nowhere), why_nowhere(buys, job_class, nowhere)));
  }
  for (std::size_t leg = 0; leg < buys.legs.size(); ++leg) look_at_gangs(strategy, leg, job_class, somewhere);
}

// Jobs that another leg serves, and that are larger than every place of this one.
void NeverFinder::look_at_gangs(std::size_t strategy, std::size_t leg, ClassId job_class,
                                const std::vector<ShapeId>& shapes) {
  const Leg& asked = world_.strategies[strategy].legs[leg];
  if (!asked.open_to(job_class)) return;
  std::vector<ShapeId> too_large;
  std::vector<std::string> places;
  for (const ShapeId shape : shapes) {
    if (!is_too_large(asked, shape) || may_serve(asked, shape)) continue;
    too_large.push_back(shape);
    for (const Candidate& place : asked.candidates[index(shape)]) {
      std::string text = fmt::format("\"{}\" ({})", world_.pool(place.pool).name,
                                     gpus_text(could_.room(asked, place.pool)->count()));
      if (std::ranges::find(places, text) == places.end()) places.push_back(std::move(text));
    }
  }
  if (too_large.empty()) return;
  gangs_.add(
      strategies_[strategy].list("legs")[leg].where().pointer, world_.strategies[strategy].name,
      fmt::format("jobs of class \"{}\" ({}) are larger than {}, where they can never run",
                  world_.classes[index(job_class)].name, sizes_text(world_, too_large), few_of(places)));
}

void NeverFinder::note_use(const Leg& leg, ShapeId shape, std::vector<bool>& used) {
  const std::vector<bool>& classes = draft_.shape_classes[index(shape)];
  bool is_asked = false;
  for (std::size_t i = 0; i < classes.size(); ++i)
    is_asked = is_asked || (classes[i] && leg.open_to(ClassId{static_cast<std::uint16_t>(i)}));
  if (!is_asked || !could_.serves(leg, shape)) return;
  for (const Candidate& place : leg.candidates[index(shape)]) {
    if (!could_.holds(leg, place)) continue;
    reached_[index(place.pool)] = used[index(place.pool)] = true;
    for (const Part& part : place.parts) {
      if (part.machines > 0) has_use_[index(part.line.value())] = true;
    }
  }
}

void NeverFinder::note_held(std::size_t strategy, const std::vector<bool>& used) {
  for (const PoolId id : world_.strategies[strategy].held) {
    const HeldPool& held = world_.held_pool(id);
    has_use_[index(held.line)] = true;
    if (!held.added_supply) reached_[index(held.landlord)] = true;
    if (used[index(id)]) continue;
    held_.add(strategies_[strategy].where().pointer, world_.strategies[strategy].name,
              fmt::format("\"{}\" is paid for, and no job can ever use it", held.pool.name));
  }
}

void NeverFinder::tell_of_pools() {
  const std::vector<Node> pools = draft_.root.list("pools");
  for (std::size_t i = 0; i < world_.pools.size(); ++i) {
    if (reached_[i]) continue;
    draft_.warn(fmt::format("{}: no job can ever run in \"{}\", under any strategy", pools[i].where().pointer,
                            world_.pools[i].name));
  }
}

void NeverFinder::tell_of_commitments() {
  const std::vector<Node> commitments = draft_.root.list("commitments");
  for (const Coverage& coverage : draft_.scenario.terms.coverage) {
    const bool is_used =
        std::ranges::any_of(coverage.lines, [&](PriceLineId line) { return has_use_[index(line)]; });
    for (const std::size_t number : coverage.commitments) {
      const Commitment& commitment = draft_.scenario.terms.commitments[number];
      const bool is_over = commitment.end <= kStart || commitment.start >= world_.window_end;
      if (is_used && !is_over) continue;
      draft_.warn(fmt::format(
          "{}: commitment \"{}\" pays for nothing: {}", commitments[number].where().pointer, commitment.name,
          is_over ? "its term lies outside the window"
                  : fmt::format("no strategy can use {} in {} at the on-demand price",
                                world_.machines[index(commitment.machine)].name, commitment.region)));
    }
  }
}

bool is_paid(const Draft& draft, const World& world, const PriceOverlay& price) {
  return std::ranges::any_of(world.price_lines, [&](const PriceLine& line) {
    const PriceUse use = line.charge == Charge::direct ? PriceUse::leased : PriceUse::held;
    return matches(price, draft.catalog, line.machine, line.region, line.model, use);
  });
}

std::string price_text(const PriceOverlay& price) {
  const std::string& what = price.machine.empty() ? price.gpu : price.machine;
  std::string text = price.label.empty() ? "a price" : fmt::format("\"{}\"", price.label);
  if (!what.empty()) text += " of " + what;
  if (price.region.empty()) return text;
  return text + " in " + price.region;
}

// Those of the planner. Of commitments that exist already the bill has said it.
void warn_of_unused_prices(Draft& draft) {
  std::vector<std::string> unused;
  for (const PriceOverlay& price : draft.prices) {
    if (price.use != PriceUse::existing && !is_paid(draft, draft.world(), price))
      unused.push_back(price_text(price));
  }
  if (unused.empty()) return;
  draft.warn(fmt::format("nothing here is bought at {} of your {}: {}", unused.size(),
                         counted(draft.prices.size(), "own price"), few_of(unused)));
}

}  // namespace

void warn_of_never(Draft& draft) {
  std::vector<std::string> before;
  before.swap(draft.scenario.warnings);
  NeverFinder{draft}.tell();
  std::ranges::move(before, std::back_inserter(draft.scenario.warnings));
  warn_of_unused_prices(draft);
}

}  // namespace stockout
