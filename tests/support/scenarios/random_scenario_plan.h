#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/catalog/catalog.h"
#include "tests/support/random_choice.h"
#include "tests/support/scenarios/random_scenario.h"

namespace stockout::test {

/// A machine family in one region.
struct PlannedFamily {
  std::string name;
  std::string gpu;
  std::string region;
  std::int64_t host_gpus = 1;
  std::vector<const MachineType*> machines;
  std::vector<std::string> zones;  // of the region; the region itself if it has none
};

struct PlannedPool {
  std::size_t family = 0;
  std::string place;
  std::int64_t gpus = 0;  // about; 0: without bounds
  bool has_hosts = false;
};

struct PlannedSource {
  std::string name;
  std::vector<std::string> classes;
  const MachineType* machine = nullptr;  // that its jobs insist on
  std::size_t first = 0;                 // the source that begins its pipelines, maybe itself
};

struct PlannedReservation {
  std::string name;
  std::string model;
};

/// A scenario file while it is written at random: what its parts must know of one another.
struct ScenarioPlan {
  ScenarioPlan(std::uint64_t seed, const Catalog& catalog_of_all)
      : choice{seed}, catalog{catalog_of_all}, calm{is_calm(seed)} {}

  Choice choice;
  const Catalog& catalog;
  bool calm;
  Json file = Json::object();
  std::chrono::sys_days start;
  std::int64_t days = 1;  // of the window
  std::vector<PlannedFamily> families = {};
  std::vector<PlannedPool> pools = {};
  std::vector<PlannedSource> sources = {};
  std::vector<PlannedReservation> reservations = {};
  std::vector<std::string> strategies = {};  // their names

  /// A day of the calendar, counted from the start of the window.
  [[nodiscard]] std::string day(std::int64_t number) const;
  /// From `least` to `most` half hours; in a calm file with odd seconds.
  [[nodiscard]] std::string halves(std::int64_t least, std::int64_t most);
  [[nodiscard]] std::string minutes(std::int64_t least, std::int64_t most);
  /// Two digits after the point.
  [[nodiscard]] double share(int least_percent, int most_percent);
  template <typename T>
  [[nodiscard]] const T& one_of(const std::vector<T>& values) {
    return choice.one_of(values);
  }
  [[nodiscard]] std::string word(std::vector<std::string> words) { return choice.one_of(words); }
  [[nodiscard]] bool chance(int percent) { return choice.chance(percent); }
  [[nodiscard]] std::int64_t number(std::int64_t least, std::int64_t most) {
    return choice.number(least, most);
  }
  /// Puts a value under the key with that chance.
  template <typename Make>
  void maybe(int percent, Json& object, const char* key, Make make) {
    if (chance(percent)) object[key] = make();
  }
  [[nodiscard]] const PlannedFamily& family_of(const PlannedPool& pool) const {
    return families[pool.family];
  }
  [[nodiscard]] const MachineType* machine_of(const PlannedFamily& family, Offer offer);
  [[nodiscard]] std::vector<std::string> classes() const;
};

/// A length of about so many half hours: fixed, or, if it may be drawn, one of the laws.
[[nodiscard]] Json random_length(ScenarioPlan& plan, std::int64_t least, std::int64_t most,
                                 bool may_be_drawn);
[[nodiscard]] inline Json random_length(ScenarioPlan& plan, std::int64_t least, std::int64_t most) {
  return random_length(plan, least, most, !plan.calm);
}

/// Days of the week, the first of the window among them.
[[nodiscard]] Json random_days(ScenarioPlan& plan);

/// Of pools and reservations: which waiting job is next.
void put_discipline(ScenarioPlan& plan, Json& node);

// The parts of a file, in the order in which they are planned.
void plan_pools(ScenarioPlan& plan);
void plan_workload(ScenarioPlan& plan);
void plan_reservations(ScenarioPlan& plan);
void plan_models(ScenarioPlan& plan);
void plan_strategies(ScenarioPlan& plan);
void plan_bill(ScenarioPlan& plan);
void plan_quota(ScenarioPlan& plan);
void plan_kueue(ScenarioPlan& plan);
/// Afterwards: with random numbers of its own, so that the seed means otherwise what it meant.
void plan_sets(ScenarioPlan& plan, std::uint64_t seed);
void plan_exits(ScenarioPlan& plan);
/// The same, before sets.
void plan_slurm(ScenarioPlan& plan, std::uint64_t seed);

}  // namespace stockout::test
