#pragma once

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include <SQLiteCpp/SQLiteCpp.h>
#include <catch2/catch.hpp>

#include "tests/support/answer.h"
#include "tests/support/scratch_folder.h"

namespace stockout::test {

/// A folder of its own, in which a command keeps its work in a store.
class StoreFolder {
 public:
  /// `store`: the name of the store.
  explicit StoreFolder(std::string store) : store_{std::move(store)} {}

  void write(const std::string& name, const std::string& text) const {
    static_cast<void>(folder_.file(name, text));
  }
  [[nodiscard]] std::string path(const std::string& name) const { return folder_.path(name); }
  [[nodiscard]] std::string text(const std::string& name) const {
    std::ifstream file{path(name), std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
  }

  /// Changes the store.
  void change(const std::string& sql) const {
    SQLite::Database{path(store_), SQLite::OPEN_READWRITE}.exec(sql);
  }
  [[nodiscard]] std::int64_t rows(const std::string& table) const {
    SQLite::Database store{path(store_), SQLite::OPEN_READONLY};
    return store.execAndGet("SELECT count(*) FROM " + table).getInt64();
  }

 private:
  ScratchFolder folder_;
  std::string store_;
};

/// Message of a command that refuses something and prints nothing else.
inline std::string refusal_of(const Answer& answer) {
  CHECK(answer.code == ExitCode::bad_input);
  CHECK(answer.out.empty());
  return answer.err;
}

}  // namespace stockout::test
