#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/orchestrators/kueue/workload.h"

namespace stockout::kueue {

/// A workload's place in a queue: higher priority first, then who was queued earlier, then by uid and number.
struct Place {
  std::int64_t priority = 0;
  SimTime queued;
  std::string uid = {};
  WorkloadId id{};

  [[nodiscard]] bool operator<(const Place& other) const;
};

/// Workloads that are treated alike: of one shape and, where its usage counts, of one local queue. Those that
/// a flush leaves where they are, for now or for ever, are of their own.
struct WaitingClass {
  bool is_held = false;
  std::string shape = {};  // as of shape_of()
  std::string lane = {};   // the local queue; empty where its usage does not count

  friend auto operator<=>(const WaitingClass&, const WaitingClass&) = default;
};

/// Where a workload stands in a line.
struct Spot {
  WaitingClass kind;
  Place place;
};

/// Workloads of a queue in order. A class of them moves to another line at once, however many they are.
class WaitingLine {
 public:
  using Members = std::map<Place, const Workload*>;
  /// The first of each class, by lane.
  using Fronts = std::map<std::string, std::map<Place, const Workload*>>;

  void add(const Spot& spot, const Workload& workload);
  void remove(const Spot& spot);
  [[nodiscard]] bool contains(const Spot& spot) const;
  /// The one that stands there; it must be in this line.
  [[nodiscard]] const Workload* at(const Spot& spot) const { return classes_.at(spot.kind).at(spot.place); }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const Fronts& fronts() const { return fronts_; }
  /// All, in the order of their numbers.
  [[nodiscard]] std::vector<const Workload*> all() const;
  [[nodiscard]] std::vector<const Workload*> held() const;

  /// Those of a shape go to the other line.
  void move_like(const std::string& shape, WaitingLine& to);
  /// Those that nothing holds go to the other line.
  void move_free(WaitingLine& to);

 private:
  using Classes = std::map<WaitingClass, Members>;

  void move(Classes::iterator entry, WaitingLine& to);
  void take_in(Classes::node_type taken);
  void show_front(const Classes::value_type& entry);
  void hide_front(const Classes::value_type& entry);

  Classes classes_;  // none is empty
  Fronts fronts_;
  std::size_t size_ = 0;
};

}  // namespace stockout::kueue
