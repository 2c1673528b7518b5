// What every store of unfinished work does: it is gone on with by the same work alone, and whatever is not
// what was written is refused.

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include "models/kept/batch_writer.h"
#include "models/kept/kept_work.h"
#include "models/kept/number_list.h"
#include "models/kept/sealed_rows.h"
#include "sim/core/error.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;
using namespace stockout::test;
namespace fs = std::filesystem;
using Catch::Contains;

namespace {

struct Counted {
  std::size_t number = 0;
  std::vector<double> values;
};

constexpr auto kCounts = plain_table("counts", 1, field<&Counted::number>("number", Whole{}),
                                     field<&Counted::values>("values_of_it", NumberList{}), kRowSeal);
const std::vector<std::string> kMore{"more"};

std::string create_counts() { return create_sql(kCounts, behind(kMore)); }

/// Work of a text and an input file, in a folder of its own.
class KeptFolder {
 public:
  KeptFolder() { write("in.csv", "1,2\n"); }

  void write(const std::string& name, const std::string& text) const {
    static_cast<void>(folder_.file(name, text));
  }
  [[nodiscard]] std::string path(const std::string& name) const { return folder_.path(name); }

  [[nodiscard]] KeptWork open(const std::string& text, bool resume, const std::string& input = "in.csv") {
    return {path("s.sqlite"),
            kKeptCalibration,
            {.facts = {{.what = "the text", .value = text}, {.what = "--runs", .value = "7"}},
             .inputs = {inputs().of(path(input))}},
            {{.name = "counts", .sql = create_counts()}},
            inputs(),
            resume};
  }
  // A file is read once for all stamps of a process.
  [[nodiscard]] InputStamps& inputs() {
    inputs_.emplace_back(std::make_unique<InputStamps>(folder_.path() + "/"));
    return *inputs_.back();
  }

  void begin() {
    KeptWork work = open("a\nb\n", false);
    work.add({}, [](SQLite::Database& store) {
      RowWriter<kCounts> rows{store, 1};
      const std::vector<StoredValue> more{-0.0};
      for (const std::size_t number : {std::size_t{4}, std::size_t{9}})
        add_sealed(rows, more, Counted{.number = number, .values = {0.5, std::nan("")}});
    });
  }
  [[nodiscard]] std::vector<std::size_t> read() {
    std::vector<std::size_t> numbers;
    open("a\nb\n", true).read([&](SQLite::Database& store) {
      read_sealed<kCounts, Counted>(
          store, kMore, [&](const RowReader&, const std::vector<StoredValue>& cells, const Counted& row) {
            CHECK((std::get<double>(cells[0]) == 0 && std::signbit(std::get<double>(cells[0]))));
            numbers.push_back(row.number);
          });
    });
    return numbers;
  }
  [[nodiscard]] std::string refusal(const std::function<void()>& work) {
    try {
      work();
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  }
  void change(const std::string& sql) const {
    SQLite::Database{path("s.sqlite"), SQLite::OPEN_READWRITE}.exec(sql);
  }

 private:
  ScratchFolder folder_;
  std::vector<std::unique_ptr<InputStamps>> inputs_;
};

std::string decoded(const std::string& text, std::vector<double>& numbers) {
  return NumberList::decode(StoredValue{text}, numbers);
}

}  // namespace

TEST_CASE("A list of numbers is read back to the last bit", "[kept]") {
  const std::vector<double> numbers{
      0.1, -0.0, 1.0 / 3, 5e-324, std::numeric_limits<double>::max(), -7, std::nextafter(1.0, 2.0)};
  std::vector<double> back;
  CHECK(NumberList::decode(NumberList::encode(numbers), back).empty());
  REQUIRE(back.size() == numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    CHECK(back[i] == numbers[i]);
    CHECK(std::signbit(back[i]) == std::signbit(numbers[i]));
  }
  CHECK(std::get<std::string>(NumberList::encode({0.5, std::nan("")})) == "[0.5,null]");
  CHECK(decoded("[null,2]", back).empty());
  CHECK((std::isnan(back[0]) && back[1] == 2));
  CHECK(decoded("[]", back).empty());
  CHECK(back.empty());
}

TEST_CASE("What is no list of numbers is told", "[kept]") {
  std::vector<double> numbers;
  for (const char* text : {"", "[", "]", "1", "[1", "1]", "[1,]", "[,1]", "[1,,2]", "[nan]", "[inf]",
                           "[1e999]", "[0x1]", "[ 1]", "[1]]", "[1][2]", "[\"1\"]", "[,]"}) {
    CAPTURE(text);
    CHECK_THAT(decoded(text, numbers), Contains("must be a list of numbers"));
  }
  CHECK_THAT(NumberList::decode(StoredValue{2.5}, numbers), Contains("must be a list of numbers"));
  CHECK_THAT(NumberList::decode(StoredValue{}, numbers), Contains("must be a list of numbers"));
}

TEST_CASE("Results are there again, for the same work", "[kept]") {
  KeptFolder folder;
  folder.begin();
  CHECK(folder.read() == std::vector<std::size_t>{4, 9});
}

TEST_CASE("Nothing is left of work that had no result", "[kept]") {
  KeptFolder folder;
  { const KeptWork work = folder.open("a\nb\n", false); }
  CHECK_FALSE(fs::exists(folder.path("s.sqlite")));
}

TEST_CASE("A store is not gone on with unless that is asked for, nor with anything else", "[kept]") {
  KeptFolder folder;
  folder.begin();
  const auto refusal = [&](const std::string& text, bool resume, const std::string& input = "in.csv") {
    return folder.refusal([&] { static_cast<void>(folder.open(text, resume, input)); });
  };
  CHECK_THAT(refusal("a\nb\n", false), Contains("is there already: --resume goes on with it"));
  CHECK_THAT(refusal("a\nc\n", true),
             Contains("was begun with something else: the text: line 2 was `b`, is `c`. "
                      "Put that back to go on, or begin anew with another --store"));
  folder.write("other.csv", "1,2\n");
  CHECK_THAT(refusal("a\nb\n", true, "other.csv"), Contains("other.csv is read now, and was not"));
  folder.write("in.csv", "1,3\n");
  CHECK_THAT(refusal("a\nb\n", true), Contains("was begun with another in.csv: it had 4 bytes"));
  folder.write("in.csv", "1,2\n");
  CHECK(folder.read().size() == 2);
}

TEST_CASE("A store that was cut off before its first result is gone on with", "[kept]") {
  KeptFolder folder;
  {
    KeptWork work = folder.open("a", false);
    CHECK_THROWS_AS(work.add({}, [](SQLite::Database&) { throw std::runtime_error{"cut off"}; }),
                    std::runtime_error);
  }
  CHECK_NOTHROW(folder.open("a", true));
  CHECK_THROWS_WITH(folder.open("b", true), Contains("the text was a, is b"));
}

TEST_CASE("A name in a stamp leads back to its file, wherever that is", "[kept]") {
  const ScratchFolder folder;
  fs::create_directories(folder.path("real/inner"));
  fs::create_directory_symlink(folder.path("real/inner"), folder.path("link"));
  const std::string here = fs::current_path().string();
  fs::current_path(folder.path());
  static_cast<void>(folder.file("in.csv", "1"));
  static_cast<void>(folder.file("real/in.csv", "22"));
  for (const std::string& of :
       {std::string{}, folder.path("real/inner/"), std::string{"real/inner/"}, std::string{"link/"},
        "../" + fs::path{folder.path()}.filename().string() + "/"}) {
    CAPTURE(of);
    const InputStamp stamp = InputStamps{of}.of("in.csv");
    CHECK(stamp.bytes == 1);
    CHECK(InputStamps{of}.named(stamp.name) == stamp);
  }
  fs::current_path(here);
}

TEST_CASE("A store that is written is not written by another process", "[kept]") {
  KeptFolder folder;
  folder.begin();
  const KeptWork work = folder.open("a\nb\n", true);
  CHECK_THAT(folder.refusal([&] { static_cast<void>(folder.open("a\nb\n", true)); }),
             Contains("is being written by another process"));
}

TEST_CASE("A store that is removed while it is written ends the work", "[kept]") {
  KeptFolder folder;
  folder.begin();
  KeptWork work = folder.open("a\nb\n", true);
  fs::remove(folder.path("s.sqlite"));
  CHECK_THAT(folder.refusal([&] { work.add({}, [](SQLite::Database&) {}); }),
             Contains("removed, moved or replaced"));
}

TEST_CASE("Cells, rows and tables that were changed are refused", "[kept]") {
  KeptFolder folder;
  const auto refusal = [&](const std::string& sql) {
    fs::remove(folder.path("s.sqlite"));
    folder.begin();
    folder.change(sql);
    return folder.refusal([&] { static_cast<void>(folder.read()); });
  };
  CHECK_THAT(refusal("UPDATE counts SET values_of_it = '[0.5,1]'"),
             Contains("row 1 of its table counts: it is not what was written"));
  CHECK_THAT(refusal("UPDATE counts SET values_of_it = 'seven' WHERE number = 9"),
             Contains("row 2 of its table counts: values_of_it must be a list of numbers"));
  CHECK_THAT(refusal("UPDATE counts SET values_of_it = NULL"), Contains("must be a list of numbers"));
  CHECK_THAT(refusal("UPDATE counts SET more = 'x'"), Contains("it is not what was written"));
  CHECK_THAT(refusal("UPDATE counts SET more = 9e999"), Contains("it is not what was written"));
  CHECK_THAT(refusal("UPDATE counts SET more = NULL"), Contains("it is not what was written"));
  CHECK_THAT(refusal("UPDATE counts SET number = 5 WHERE number = 4"),
             Contains("it is not what was written"));
  CHECK_THAT(refusal("UPDATE counts SET number = -1 WHERE number = 4"), Contains("number must be"));
  CHECK_THAT(refusal("UPDATE counts SET fnv1a = NULL"), Contains("fnv1a must be"));
  CHECK_THAT(refusal("UPDATE facts SET value = '8' WHERE what = '--runs'"),
             Contains("its table facts is not what"));
  CHECK_THAT(refusal("DELETE FROM inputs"), Contains("its table inputs is not what was written"));
  CHECK_THAT(refusal("DELETE FROM check_sums"), Contains("its table facts is not what was written"));
  CHECK_THAT(refusal("DROP TABLE counts"),
             Contains("its table counts is not that of a store of a calibration"));
  CHECK_THAT(refusal("DROP TABLE counts; CREATE VIEW counts AS SELECT 1 AS number"),
             Contains("its table counts is not that of a store"));
  CHECK_THAT(refusal("ALTER TABLE counts ADD COLUMN late"),
             Contains("its table counts is not that of a store"));
  CHECK_THAT(refusal("PRAGMA user_version = 99"), Contains("is a store of a calibration of layout 99"));
  CHECK_THAT(refusal("PRAGMA user_version = 0"), Contains("calibrate again, with another --store"));
  CHECK_THAT(refusal("PRAGMA application_id = 1"), Contains("is a database, but no store of a calibration"));
  CHECK_THAT(refusal("PRAGMA application_id = 324830511"),
             Contains("is a store of a sweep, and no store of a calibration: `stockout calibrate"));
}

TEST_CASE("A store of which any byte has changed is refused, or its results are the same", "[kept]") {
  KeptFolder folder;
  folder.begin();
  std::ifstream file{folder.path("s.sqlite"), std::ios::binary};
  const std::string whole{std::istreambuf_iterator<char>{file}, {}};
  int refused = 0;
  for (std::size_t place = 0; place < whole.size(); place += 37) {
    std::string damaged = whole;
    damaged[place] = static_cast<char>(damaged[place] ^ (1 << place % 8));
    folder.write("s.sqlite", damaged);
    std::vector<std::size_t> numbers;
    const std::string refusal = folder.refusal([&] { numbers = folder.read(); });
    CAPTURE(place, refusal);
    if (refusal.empty()) {
      CHECK(numbers == std::vector<std::size_t>{4, 9});
    } else {
      CHECK_THAT(refusal, Contains("s.sqlite"));
      ++refused;
    }
  }
  CHECK(refused > 10);
}

TEST_CASE("A batch that cannot be written is told at the end, and nothing more is tried", "[kept]") {
  int batches = 0;
  BatchWriter<int> writer{[&](const std::vector<int>&) {
    ++batches;
    throw InputError{{.file = "s.sqlite"}, "the disk is full"};
  }};
  writer.add(1);
  while (!writer.has_failed()) std::this_thread::yield();
  writer.add(2);
  CHECK_THROWS_WITH(writer.finish(), Contains("the disk is full"));
  CHECK(batches == 1);
}
