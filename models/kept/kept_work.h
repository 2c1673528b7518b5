#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "models/kept/input_stamps.h"
#include "models/kept/kept_file.h"
#include "models/kept/store_lock.h"

namespace stockout {

/// One thing that work is made of, which may not change while it is gone on with.
struct KeptFact {
  std::string what;   // "the scenario", "--runs"
  std::string value;  // a text of several lines, or a word
};

/// Identity of the work that a store keeps.
struct WorkIdentity {
  std::vector<KeptFact> facts;
  std::vector<InputStamp> inputs;  // every file that is known to be read, before any work is done
};

/// A table of results, as "CREATE TABLE ..." makes it.
struct KeptTable {
  std::string_view name;
  std::string sql;
};

/// Thrown out of work that was asked to stop: what is done is kept.
struct WorkInterrupted {};

/// The file in which the results of some work are kept while it is being done: its lock, what it is the work
/// of, and the tables of results, which whoever does the work fills. The file is begun with the first result.
class KeptWork {
 public:
  /// `kind` outlives it, and so do the inputs. Throws InputError if there is a store and it is not to be gone
  /// on with, if it is of other work, if an input has changed, or if it cannot be used.
  KeptWork(std::string path, const KeptKind& kind, WorkIdentity work, std::vector<KeptTable> tables,
           InputStamps& inputs, bool resume);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] InputStamps& inputs() { return inputs_; }

  /// Calls `look` with what was there already, if anything was; once, before anything is added.
  void read(const std::function<void(SQLite::Database&)>& look);

  /// Puts results there, in one transaction, and the files that they were read from. Once it has returned
  /// they are on the disk. Throws InputError if that fails, or if the store has lost its name meanwhile.
  void add(std::span<const InputStamp> read_from, const std::function<void(SQLite::Database&)>& put);

 private:
  [[nodiscard]] SQLite::Database begin();
  [[nodiscard]] SQLite::Database resume();
  void check_tables(SQLite::Database& store) const;
  void note_inputs(SQLite::Database& store, std::span<const InputStamp> read_from);

  std::string path_;
  const KeptKind& kind_;
  WorkIdentity work_;
  std::vector<KeptTable> tables_;
  InputStamps& inputs_;
  StoreLock lock_;
  std::set<std::string> noted_;  // names of inputs that the store has
  std::optional<SQLite::Database> store_;
};

}  // namespace stockout
