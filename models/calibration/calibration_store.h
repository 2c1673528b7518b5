#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/calibration/world_box.h"
#include "models/kept/batch_writer.h"
#include "models/kept/kept_work.h"

namespace stockout {

/// A world that was simulated.
struct KeptWorld {
  std::size_t world = 0;  // its number over all waves, from 0
  WorldShares shares;
  std::vector<double> figures;  // by HistoryFigures::figures(), not scaled
};

/// The worlds of a calibration that have been simulated, on disk, so that it goes on after an interrupt.
/// Worlds that the scenario refuses are not kept.
class CalibrationStore {
 public:
  /// `interrupted` is asked now and then, from any thread, whether to stop. Throws InputError as KeptWork
  /// does, and if a row is wrong.
  CalibrationStore(const std::string& path, WorkIdentity work, InputStamps& inputs, bool resume,
                   std::function<bool()> interrupted = {});

  /// How many worlds an earlier process has left.
  [[nodiscard]] std::size_t found() const { return found_.size(); }

  /// The figures of a world, if an earlier process has left them. Throws InputError if it
  /// is another world, or has not so many figures. From any thread.
  [[nodiscard]] std::optional<std::vector<double>> find(std::size_t world, const WorldShares& shares,
                                                        std::size_t figures) const;

  /// Keeps a world, and the files that it was read from. From any thread.
  void add(KeptWorld world, const std::vector<std::string>& read_from);

  /// Throws WorkInterrupted if it is to stop, or if the store cannot be written, which finish() tells.
  void stop_if_asked();

  /// Waits until all is on the disk. Throws InputError if that failed. Nothing is added afterwards.
  void finish() { writer_.finish(); }

 private:
  struct Done {
    KeptWorld world;
    std::vector<InputStamp> read_from;
  };

  void write(const std::vector<Done>& worlds);

  KeptWork work_;
  std::function<bool()> interrupted_;
  std::map<std::size_t, KeptWorld> found_;  // by number
  BatchWriter<Done> writer_;
};

}  // namespace stockout
