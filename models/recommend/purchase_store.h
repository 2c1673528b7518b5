#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/kept/batch_writer.h"
#include "models/kept/kept_work.h"
#include "models/recommend/purchase_run.h"

namespace stockout {

/// Which run of which purchase, and how people call it.
struct KeptRunPlace {
  std::size_t purchase = 0;  // place in Purchases::all()
  std::size_t replication = 0;
  std::string way;    // Purchases::name()
  std::string world;  // that the replication is in; empty: the scenario as it is written
};

/// The runs of purchases that have been simulated, on disk, so that a recommendation goes on after an
/// interrupt.
class PurchaseStore {
 public:
  /// `interrupted` is asked now and then, from any thread, whether to stop. Throws InputError as KeptWork
  /// does, and if a row is wrong.
  PurchaseStore(const std::string& path, WorkIdentity work, InputStamps& inputs, bool resume,
                std::function<bool()> interrupted = {});

  /// How many runs an earlier process has left.
  [[nodiscard]] std::size_t found() const { return found_.size(); }

  /// A run, if an earlier process has left it. Throws InputError if it is of another way to buy or world, or
  /// has not so many goals. From any thread.
  [[nodiscard]] std::optional<PurchaseRun> find(const KeptRunPlace& place, std::size_t goals) const;

  /// Keeps a run, and the files that it was read from. From any thread.
  void add(KeptRunPlace place, PurchaseRun run, const std::vector<std::string>& read_from);

  /// Throws WorkInterrupted if it is to stop, or if the store cannot be written, which finish() tells.
  void stop_if_asked();

  /// Waits until all is on the disk. Throws InputError if that failed. Nothing is added afterwards.
  void finish() { writer_.finish(); }

 private:
  struct Done {
    KeptRunPlace place;
    PurchaseRun run;
    std::vector<InputStamp> read_from;
  };
  struct Found {
    KeptRunPlace place;
    PurchaseRun run;
  };

  void read(SQLite::Database& store);
  void write(const std::vector<Done>& runs);

  KeptWork work_;
  std::function<bool()> interrupted_;
  std::map<std::pair<std::size_t, std::size_t>, Found> found_;  // by purchase and replication
  BatchWriter<Done> writer_;
};

}  // namespace stockout
