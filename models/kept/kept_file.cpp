#include "models/kept/kept_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <sqlite3.h>

#include "sim/core/error.h"

namespace stockout {
namespace {

constexpr std::array kKinds{&kKeptSweep, &kKeptCalibration, &kKeptRecommendation};

// What a transaction left that was cut off. If it was the one that began the store, nothing remains.
void take_back(const std::string& path, const KeptKind& kind) {
  with_kept(path, kind, [&] {
    SQLite::Database store{path, SQLite::OPEN_READWRITE, kBusyMs};
    static_cast<void>(store.execAndGet("SELECT count(*) FROM sqlite_master"));
  });
}

void check_not_of_another_kind(const std::string& path, const KeptKind& kind) {
  const auto found = sql_file_kind(path);
  if (!found || found->application == kind.file.application) return;
  for (const KeptKind* other : kKinds) {
    if (found->application != other->file.application) continue;
    throw InputError{
        {.file = path},
        fmt::format("is a {}, and no {}: {}", other->words.what, kind.words.what, kind.words.make)};
  }
}

// A line, if need be cut to what is around a place in it.
std::string cut_around(std::string_view line, std::size_t place) {
  constexpr std::size_t kBefore = 40;
  constexpr std::size_t kMost = 100;
  const std::size_t from = place > kBefore ? place - kBefore : 0;
  const std::string_view shown = line.substr(std::min(from, line.size()), kMost);
  return fmt::format("`{}{}{}`", from > 0 ? "..." : "", shown, from + kMost < line.size() ? "..." : "");
}

}  // namespace

bool kept_exists(const std::string& path, const KeptKind& kind) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return false;
  if (!S_ISREG(status.st_mode)) throw InputError{{.file = path}, "is no file that a store can be"};
  if (status.st_size == 0) return false;
  if (::stat((path + "-journal").c_str(), &status) != 0) return true;
  take_back(path, kind);
  return ::stat(path.c_str(), &status) == 0 && status.st_size > 0;
}

SQLite::Database open_kept(const std::string& path, const KeptKind& kind, int flags) {
  check_not_of_another_kind(path, kind);
  return with_kept(path, kind, [&] { return open_sql_file(path, kind.file, kind.words, flags, kBusyMs); });
}

SQLite::Database begin_kept(const std::string& path, const KeptKind& kind,
                            const std::function<void(SQLite::Database&)>& fill) {
  return with_kept(path, kind, [&] {
    SQLite::Database store{path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kBusyMs};
    make_durable(store);
    SQLite::Transaction transaction{store, SQLite::TransactionBehavior::IMMEDIATE};
    fill(store);
    transaction.commit();
    return store;
  });
}

// Also the folder's entry of the journal that goes is on the disk (EXTRA). A rollback journal and not a
// write-ahead log, which shared folders of many machines do not bear.
void make_durable(SQLite::Database& store) {
  store.exec("PRAGMA journal_mode = DELETE");
  store.exec("PRAGMA synchronous = EXTRA");
}

std::string line_difference(std::string_view was, std::string_view is) {
  for (int line = 1;; ++line) {
    const std::string_view a = was.substr(0, was.find('\n'));
    const std::string_view b = is.substr(0, is.find('\n'));
    if (a != b) {
      const auto [at, _] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
      const auto place = static_cast<std::size_t>(at - a.begin());
      return fmt::format("line {} was {}, is {}", line, cut_around(a, place), cut_around(b, place));
    }
    if (a.size() >= was.size() || b.size() >= is.size()) return "one is longer";
    was.remove_prefix(a.size() + 1);
    is.remove_prefix(b.size() + 1);
  }
}

void refuse_unresumed(const std::string& path) {
  throw InputError{{.file = path},
                   "is there already: --resume goes on with it; or name another --store, or remove it"};
}

void check_same_work(const std::string& path, const std::string& changed) {
  if (changed.empty()) return;
  throw InputError{
      {.file = path},
      fmt::format(
          "was begun with something else: {}. Put that back to go on, or begin anew with another --store",
          changed)};
}

void check_input(const std::string& path, const InputStamp& was, InputStamps& inputs) {
  const InputStamp is = inputs.named(was.name);
  if (was == is) return;
  throw InputError{
      {.file = path},
      fmt::format("was begun with another {}: it had {} bytes (FNV-1a {}), and has {} ({}). Put that back to "
                  "go on, or begin anew with another --store",
                  was.name, was.bytes, was.fnv1a, is.bytes, is.fnv1a)};
}

void fail_kept(const std::string& path, const KeptKind& kind, const SQLite::Exception& error) {
  const int code = error.getErrorCode();
  const SourceRef where{.file = path};
  if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
    throw InputError{where, "is locked by another program: close what has it open, and go on with --resume"};
  if (code == SQLITE_FULL)
    throw InputError{where, "the disk is full; go on with --resume when there is room"};
  if (error.getExtendedErrorCode() == SQLITE_READONLY_DBMOVED) fail_lost_store(path);
  if (error.getExtendedErrorCode() == SQLITE_IOERR_WRITE) {
    throw InputError{where,
                     "cannot be written: the disk failed, or a quota or a limit on the size of files (ulimit "
                     "-f) is reached. Go on with --resume when that is mended"};
  }
  fail_sql_file(path, kind.words, error);
}

void fail_seal(const std::string& path, std::string_view what) {
  fail_damaged_file(path, fmt::format("{} is not what was written", what), kBeginAnew);
}

void fail_lost_store(const std::string& path) {
  throw InputError{{.file = path},
                   "was removed, moved or replaced while it was being written: put it back and go on with "
                   "--resume, or begin anew"};
}

}  // namespace stockout
