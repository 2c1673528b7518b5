#include "tools/stockout/sweeps/sweep_run.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/catalog/tables.h"
#include "tools/stockout/terminal/progress.h"

namespace stockout {
namespace {

std::vector<InputStamp> catalog_stamps(const std::string& folder, InputStamps& inputs) {
  if (folder.empty()) return {InputStamps::built_in_catalog()};
  std::vector<InputStamp> stamps;
  for (const CatalogFile& file : kCatalogFiles)
    stamps.push_back(inputs.of(fmt::format("{}/{}", folder, file.name)));
  return stamps;
}

}  // namespace

SweepRun::SweepRun(const std::string& file, const std::string& catalog_dir,
                   const std::vector<std::string>& price_files, Console& console)
    : sweep_{with_status(console, "reading the sweep " + file,
                         [&] { return read_sweep(file, price_files); })},
      catalog_dir_{catalog_dir},
      catalog_{catalog_dir.empty() ? Catalog::embedded() : Catalog::from_folder(catalog_dir)},
      inputs_{sweep_.folder()} {
  with_status(console, "reading the scenario of " + file,
              [&] { static_cast<void>(base_scenario(sweep_, catalog_, cache_)); });
}

SweepOutcome SweepRun::fill(const std::string& store, bool resume, SweepOptions how) {
  SweepStore points{store, sweep_, how.shard, resume, inputs_};
  how.catalog = catalog_stamps(catalog_dir_, inputs_);
  const SweepOutcome outcome = run_sweep(sweep_, catalog_, cache_, inputs_, points, how);
  failed_ = points.failed_points();
  return outcome;
}

}  // namespace stockout
