#include "models/bound/flow_bound.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

#include "models/bound/cells.h"
#include "models/bound/flow_network.h"

namespace stockout {
namespace {

constexpr double kNoPrice = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostArcs = 16'000;
constexpr std::size_t kMostCells = 3'000;
constexpr std::array<std::size_t, 9> kCellCounts{512, 256, 128, 64, 32, 16, 8, 4, 2};

/// Error that rounding of doubles could bring to a whole number, as a share of it.
constexpr double kHair = 1e-12;

/// Jobs of equal ways that come and are due in the same cells: one supply.
struct Group {
  std::size_t kind = 0;
  std::size_t first = 0;  // cell
  std::size_t last = 0;
  double units = 0;
  double per_ms = 0;  // units that all its jobs together can do in a ms

  [[nodiscard]] std::size_t cells() const { return last - first + 1; }
};

/// Choices of a kind in a cell, the cheapest way for each resource.
struct Choice {
  std::size_t resource = Way::kUnlimited;
  double usd = kNoPrice;
};

/// By kind, the first of equal ways.
std::vector<std::size_t> merged_kinds(const BoundMarket& market) {
  std::map<std::vector<Way>, std::size_t> first;
  std::vector<std::size_t> same;
  for (const KindOffers& kind : market.kinds())
    same.push_back(first.try_emplace(kind.ways, same.size()).first->second);
  return same;
}

double cheapest_in(const Way& way, SimTime from, SimTime to) {
  const auto after = std::ranges::upper_bound(way.price, from, {}, &PricePiece::from);
  auto piece = after == way.price.begin() ? after : std::prev(after);
  double usd = piece->usd;
  for (++piece; piece != way.price.end() && piece->from < to; ++piece) usd = std::min(usd, piece->usd);
  return usd;
}

/// One flow problem over one division of time.
class Transport {
 public:
  /// `apart`: no job does more in a cell than it can. Without it a group's work may all be done in one cell.
  Transport(const BoundMarket& market, const WorkToDo& work, const std::vector<std::size_t>& same,
            Cells cells, bool apart);

  /// Lays out the arcs. False if they are too many, of which nothing comes then.
  [[nodiscard]] bool lay_out();
  [[nodiscard]] FlowBound solve() const;

 private:
  struct Arc {
    std::size_t from = 0;
    std::size_t to = 0;
    double capacity = 0;
    double usd = 0;
  };

  void group(const WorkToDo& work, const std::vector<std::size_t>& same);
  [[nodiscard]] std::size_t most_arcs() const;
  void find_choices(std::size_t kind);
  void add_resources();
  void add_group(const Group& group, std::size_t node);
  void add_cell(const Group& group, std::size_t from, std::size_t cell, double worth);
  [[nodiscard]] double unlimited(const Group& group) const;
  [[nodiscard]] double unlimited(const Group& group, std::size_t cell) const;
  [[nodiscard]] std::size_t resource_node(std::size_t resource, std::size_t cell) const {
    return 2 + resource * cells_.size() + cell;
  }

  const BoundMarket& market_;
  Cells cells_;
  bool apart_;
  double total_ = 0;  // units
  std::vector<Group> groups_;
  std::vector<std::vector<std::vector<Choice>>> choices_;  // by kind and cell
  std::vector<double> takes_;                              // by resource, the least of any way that is used
  std::vector<Arc> arcs_;
  std::size_t nodes_ = 2;
};

Transport::Transport(const BoundMarket& market, const WorkToDo& work, const std::vector<std::size_t>& same,
                     Cells cells, bool apart)
    : market_{market},
      cells_{std::move(cells)},
      apart_{apart},
      choices_(market.kinds().size()),
      takes_(market.resources().size(), kNoPrice) {
  group(work, same);
}

void Transport::group(const WorkToDo& work, const std::vector<std::size_t>& same) {
  std::map<std::tuple<std::size_t, std::size_t, std::size_t, SimDuration>, Group> groups;
  for (const JobToDo& job : work.jobs) {
    if (job.work == SimDuration::zero()) continue;
    const KindOffers& kind = market_.kinds()[job.kind];
    const std::size_t first = cells_.at(job.submit);
    const std::size_t last =
        job.due == kNever ? cells_.size() - 1 : std::max(first, cells_.at(job.due - SimDuration{1}));
    // Jobs of equal work in equal cells can share what they all can do in a cell; others may not.
    Group& group = groups[{same[job.kind], first, last, apart_ ? job.work : SimDuration::zero()}];
    group.kind = same[job.kind];
    group.first = first;
    group.last = last;
    group.units += kind.gpus * static_cast<double>(job.work.count());
    group.per_ms += kind.gpus * kind.speed;
  }
  for (const auto& [key, group] : groups) {
    groups_.push_back(group);
    total_ += group.units;
  }
}

// Before those that cost too much, or of which there is nothing, are left out.
std::size_t Transport::most_arcs() const {
  std::size_t arcs = market_.resources().size() * cells_.size();
  for (const Group& group : groups_) {
    const std::size_t choices = market_.kinds()[group.kind].ways.size() + (apart_ ? 1 : 0);
    arcs += 1 + group.cells() * std::min(choices, market_.resources().size() + 2);
  }
  return arcs;
}

void Transport::find_choices(std::size_t kind) {
  if (!choices_[kind].empty()) return;
  choices_[kind].resize(cells_.size());
  for (const Way& way : market_.kinds()[kind].ways) {
    if (way.resource != Way::kUnlimited) takes_[way.resource] = std::min(takes_[way.resource], way.takes);
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
      const SimTime from = cells_.begin(cell);
      const SimTime to = cells_.end(cell);
      if (way.least > 0 && market_.resources()[way.resource].most(from, to) < way.least) continue;
      std::vector<Choice>& choices = choices_[kind][cell];
      auto choice = std::ranges::find(choices, way.resource, &Choice::resource);
      if (choice == choices.end()) choice = choices.insert(choice, {.resource = way.resource});
      choice->usd = std::min(choice->usd, cheapest_in(way, from, to));
    }
  }
}

double Transport::unlimited(const Group& group, std::size_t cell) const {
  const std::vector<Choice>& choices = choices_[group.kind][cell];
  const auto found = std::ranges::find(choices, Way::kUnlimited, &Choice::resource);
  if (found == choices.end()) return kNoPrice;
  return found->usd;
}

double Transport::unlimited(const Group& group) const {
  double usd = kNoPrice;
  for (std::size_t cell = group.first; cell <= group.last; ++cell)
    usd = std::min(usd, unlimited(group, cell));
  return usd;
}

void Transport::add_resources() {
  nodes_ += market_.resources().size() * cells_.size();
  for (std::size_t resource = 0; resource < market_.resources().size(); ++resource) {
    if (takes_[resource] == kNoPrice) continue;
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
      const double area = market_.resources()[resource].area(cells_.begin(cell), cells_.end(cell));
      if (area > 0)
        arcs_.push_back(
            {.from = resource_node(resource, cell), .to = 1, .capacity = area / takes_[resource], .usd = 0});
    }
  }
}

// What costs as much as what is always there is no choice.
void Transport::add_group(const Group& group, std::size_t node) {
  arcs_.push_back({.from = 0, .to = node, .capacity = group.units, .usd = 0});
  if (!apart_) {
    const double usd = unlimited(group);
    if (usd < kNoPrice) arcs_.push_back({.from = node, .to = 1, .capacity = group.units, .usd = usd});
    for (std::size_t cell = group.first; cell <= group.last; ++cell) add_cell(group, node, cell, usd);
    return;
  }
  for (std::size_t cell = group.first; cell <= group.last; ++cell) {
    const auto length = static_cast<double>((cells_.end(cell) - cells_.begin(cell)).count());
    const std::size_t here = nodes_++;
    arcs_.push_back({.from = node, .to = here, .capacity = group.per_ms * length, .usd = 0});
    const double usd = unlimited(group, cell);
    if (usd < kNoPrice) arcs_.push_back({.from = here, .to = 1, .capacity = group.units, .usd = usd});
    add_cell(group, here, cell, usd);
  }
}

void Transport::add_cell(const Group& group, std::size_t from, std::size_t cell, double worth) {
  for (const Choice& choice : choices_[group.kind][cell]) {
    if (choice.resource == Way::kUnlimited || choice.usd >= worth) continue;
    arcs_.push_back({.from = from,
                     .to = resource_node(choice.resource, cell),
                     .capacity = group.units,
                     .usd = choice.usd});
  }
}

bool Transport::lay_out() {
  if (most_arcs() > 20 * kMostArcs) return false;
  for (const Group& group : groups_) find_choices(group.kind);
  add_resources();
  for (const Group& group : groups_) {
    add_group(group, nodes_++);
    if (arcs_.size() > kMostArcs) return false;
  }
  return true;
}

// In whole numbers: what there is rounded up, what is to be sent and what it costs rounded down.
FlowBound Transport::solve() const {
  if (groups_.empty()) return {};
  double dearest = 0;
  for (const Arc& arc : arcs_) dearest = std::max(dearest, arc.usd);

  constexpr auto kMost = static_cast<double>(FlowNetwork::kMost);
  const double per_unit = kMost / total_;
  const double per_usd = dearest > 0 ? kMost / dearest : 1;
  FlowNetwork network{nodes_};
  std::int64_t amount = 0;
  for (const Arc& arc : arcs_) {
    const bool is_demand = arc.from == 0;
    const double capacity = is_demand ? std::floor(arc.capacity * per_unit * (1 - kHair))
                                      : std::min(kMost, std::ceil(arc.capacity * per_unit * (1 + kHair)));
    const double cost = std::floor(arc.usd * per_usd * (1 - kHair));
    network.add_arc(arc.from, arc.to, static_cast<std::int64_t>(capacity), static_cast<std::int64_t>(cost));
    if (is_demand) amount += static_cast<std::int64_t>(capacity);
  }
  const std::optional<std::int64_t> cost = network.least_cost(amount);
  if (!cost) return {.usd = 0, .possible = false};
  return {.usd = static_cast<double>(*cost) / per_unit / per_usd, .cell = cells_.length()};
}

}  // namespace

FlowBound flow_bound(const BoundMarket& market, const WorkToDo& work, SimTime horizon) {
  const std::vector<std::size_t> same = merged_kinds(market);
  const std::optional<Cells> exact = Cells::exact(market, work, horizon, kMostCells);
  for (const bool apart : {true, false}) {
    if (!exact) break;
    Transport transport{market, work, same, *exact, apart};
    if (transport.lay_out()) return transport.solve();
  }
  for (const std::size_t count : kCellCounts) {
    Transport transport{market, work, same, Cells::equal(work, horizon, count), false};
    if (transport.lay_out()) return transport.solve();
  }
  return {};
}

}  // namespace stockout
