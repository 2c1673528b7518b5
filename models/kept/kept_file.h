#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <SQLiteCpp/SQLiteCpp.h>

#include "models/kept/input_stamps.h"
#include "sim/io/sql_file.h"

namespace stockout {

/// A kind of store: the SQLite file in which a long command keeps what it has done.
struct KeptKind {
  SqlFileKind file;
  SqlFileWords words;
};

/// The cure of a damaged store.
inline constexpr std::string_view kBeginAnew = "Begin anew with another --store";

/// The application: "sweep" in five bits a letter.
inline constexpr KeptKind kKeptSweep{.file = {.application = 0x135c852f, .layout = 7},
                                     .words = {.what = "store of a sweep",
                                               .make = "`stockout sweep SWEEP --store FILE` makes one",
                                               .again = "run the sweep again, with another --store",
                                               .anew = kBeginAnew}};

/// The application: the letters CALI.
inline constexpr KeptKind kKeptCalibration{
    .file = {.application = 0x43'41'4c'49, .layout = 1},
    .words = {.what = "store of a calibration",
              .make = "`stockout calibrate SCENARIO --observed HISTORY --store FILE` makes one",
              .again = "calibrate again, with another --store",
              .anew = kBeginAnew}};

/// The application: the letters RECO.
inline constexpr KeptKind kKeptRecommendation{
    .file = {.application = 0x52'45'43'4f, .layout = 1},
    .words = {.what = "store of a recommendation",
              .make = "`stockout recommend SCENARIO --store FILE` makes one",
              .again = "run `stockout recommend` again, with another --store",
              .anew = kBeginAnew}};

/// How long another program that reads the store is waited for.
inline constexpr int kBusyMs = 60'000;

/// Whether there is a file at all, with anything in it. A transaction that was cut off is taken back first.
/// Throws InputError for what can be no store.
[[nodiscard]] bool kept_exists(const std::string& path, const KeptKind& kind);

/// Opens what is there, and holds it to be of this kind and layout and not damaged, as SQLite sees it. Throws
/// InputError.
[[nodiscard]] SQLite::Database open_kept(const std::string& path, const KeptKind& kind, int flags);

/// Begins a store in a file that is empty or not there: `fill` makes its tables and says of which kind it is,
/// within one transaction. Throws InputError.
[[nodiscard]] SQLite::Database begin_kept(const std::string& path, const KeptKind& kind,
                                          const std::function<void(SQLite::Database&)>& fill);

/// Every commit is on the disk before it is reported. Of a store that is to be written.
void make_durable(SQLite::Database& store);

/// Difference between two texts: "line 4 was `a`, is `b`", of the first that does.
[[nodiscard]] std::string line_difference(std::string_view was, std::string_view is);

/// Throws InputError: it is there, and was not to be gone on with.
[[noreturn]] void refuse_unresumed(const std::string& path);

/// Throws InputError if the store was begun with something else, which `changed` says; empty: it was not.
void check_same_work(const std::string& path, const std::string& changed);

/// Throws InputError if an input of the store is not what it was.
void check_input(const std::string& path, const InputStamp& was, InputStamps& inputs);

/// A failure of SQLite with the file, as bad input: fail_sql_file(), and the cure while it is
/// written.
[[noreturn]] void fail_kept(const std::string& path, const KeptKind& kind, const SQLite::Exception& error);

/// Its content is not what was written: "point 7".
[[noreturn]] void fail_seal(const std::string& path, std::string_view what);

/// The store is not under its name any more, and what is written to it is lost.
[[noreturn]] void fail_lost_store(const std::string& path);

/// Does `work`; SQLite's errors become InputError.
template <typename Work>
auto with_kept(const std::string& path, const KeptKind& kind, Work&& work) {
  try {
    return work();
  } catch (const SQLite::Exception& error) {
    fail_kept(path, kind, error);
  }
}

}  // namespace stockout
