#include "models/calibration/calibration_store.h"

#include <utility>

#include <fmt/format.h>

#include "models/kept/number_list.h"
#include "models/kept/sealed_rows.h"

namespace stockout {
namespace {

constexpr auto kSimulatedWorldsTable = plain_table(
    "worlds", 1,  //
    field<&KeptWorld::world>("world", Whole{}, "its number, from 0"),
    field<&KeptWorld::shares>("shares", NumberList{}, "by unknown: the share of its prior's weight"),
    field<&KeptWorld::figures>("figures", NumberList{}, "by figure of the history: its value in this world"),
    kRowSeal);

}  // namespace

CalibrationStore::CalibrationStore(const std::string& path, WorkIdentity work, InputStamps& inputs,
                                   bool resume, std::function<bool()> interrupted)
    : work_{path,
            kKeptCalibration,
            std::move(work),
            {{.name = kSimulatedWorldsTable.name, .sql = create_sql(kSimulatedWorldsTable)}},
            inputs,
            resume},
      interrupted_{std::move(interrupted)},
      writer_{[this](const std::vector<Done>& worlds) { write(worlds); }} {
  work_.read([&](SQLite::Database& store) {
    read_sealed<kSimulatedWorldsTable, KeptWorld>(
        store, {}, [&](const RowReader&, const std::vector<StoredValue>&, KeptWorld& world) {
          const std::size_t number = world.world;
          found_.emplace(number, std::move(world));
        });
  });
}

std::optional<std::vector<double>> CalibrationStore::find(std::size_t world, const WorldShares& shares,
                                                          std::size_t figures) const {
  const auto found = found_.find(world);
  if (found == found_.end()) return std::nullopt;
  const KeptWorld& kept = found->second;
  if (kept.shares != shares || kept.figures.size() != figures)
    fail_seal(work_.path(), fmt::format("world {}", world));
  return kept.figures;
}

void CalibrationStore::add(KeptWorld world, const std::vector<std::string>& read_from) {
  Done done{.world = std::move(world), .read_from = {}};
  for (const std::string& file : read_from) done.read_from.push_back(work_.inputs().of(file));
  writer_.add(std::move(done));
}

void CalibrationStore::write(const std::vector<Done>& worlds) {
  std::vector<InputStamp> read_from;
  for (const Done& done : worlds)
    read_from.insert(read_from.end(), done.read_from.begin(), done.read_from.end());
  work_.add(read_from, [&](SQLite::Database& store) {
    RowWriter<kSimulatedWorldsTable> rows{store};
    for (const Done& done : worlds) add_sealed(rows, {}, done.world);
  });
}

void CalibrationStore::stop_if_asked() {
  if (writer_.has_failed() || (interrupted_ && interrupted_())) throw WorkInterrupted{};
}

}  // namespace stockout
