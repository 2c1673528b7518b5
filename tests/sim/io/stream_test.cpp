#include <sys/stat.h>
#include <unistd.h>

#include <vector>

#include <catch2/catch.hpp>

#include "sim/core/error.h"
#include "sim/io/csv_reader.h"
#include "sim/io/line_reader.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using test::gzipped;
using test::ScratchFolder;

namespace {

std::vector<std::string> lines_of(const std::string& path) {
  LineReader reader{path};
  std::vector<std::string> lines;
  std::string_view line;
  while (reader.next(line)) lines.emplace_back(line);
  CHECK(reader.line_number() == lines.size());
  CHECK_FALSE(reader.next(line));  // and stays at the end
  return lines;
}

using Record = std::vector<std::string>;

std::vector<Record> records_of(std::string_view content) {
  const ScratchFolder folder;
  CsvReader reader{folder.file("t.csv", content)};
  std::vector<Record> records;
  while (reader.next()) records.emplace_back(reader.fields().begin(), reader.fields().end());
  return records;
}

std::string many_lines(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += "line number " + std::to_string(i) + '\n';
  return text;
}

}  // namespace

TEST_CASE("Lines come out without their ends, the last with or without one", "[stream]") {
  const ScratchFolder folder;
  const std::vector<std::string> expected{"one", "", "three"};
  CHECK(lines_of(folder.file("a", "one\n\nthree\n")) == expected);
  CHECK(lines_of(folder.file("b", "one\n\nthree")) == expected);
  CHECK(lines_of(folder.file("c", "one\r\n\r\nthree\r\n")) == expected);
  CHECK(lines_of(folder.file("d", "\xEF\xBB\xBFone\n\nthree")) == expected);
  CHECK(lines_of(folder.file("e", "")).empty());
  CHECK(lines_of(folder.file("f", "\xEF\xBB\xBF")).empty());
  CHECK(lines_of(folder.file("g", "\n")) == std::vector<std::string>{""});
  CHECK(lines_of(folder.file("h", "x")) == std::vector<std::string>{"x"});
}

TEST_CASE("Gzip is told by content, and several members are one file", "[stream]") {
  const ScratchFolder folder;
  const std::string text = many_lines(100'000);  // several blocks of every buffer
  const std::vector<std::string> plain = lines_of(folder.file("plain.gz", text));
  CHECK(plain.size() == 100'000);
  CHECK(plain.back() == "line number 99999");
  CHECK(lines_of(folder.file("packed.csv", gzipped(text))) == plain);
  const std::size_t half = text.size() / 2;
  CHECK(lines_of(folder.file("two", gzipped(text.substr(0, half)) + gzipped(text.substr(half)))) == plain);
  CHECK(lines_of(folder.file("none", gzipped(""))).empty());
}

TEST_CASE("Gzip data that is cut short, damaged or followed by something else is an error", "[stream]") {
  const ScratchFolder folder;
  const std::string packed = gzipped(many_lines(10'000));
  const auto read = [&](std::string_view content) { return lines_of(folder.file("t.gz", content)); };
  CHECK_THROWS_WITH(read(packed.substr(0, packed.size() / 2)), Contains("t.gz: gzip data ends too early"));
  CHECK_THROWS_WITH(read(packed.substr(0, packed.size() - 1)),
                    Contains("ends too early"));  // in the checksum
  CHECK_THROWS_WITH(read(packed.substr(0, 2)), Contains("ends too early"));
  std::string damaged = packed;
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 0x55);
  CHECK_THROWS_WITH(read(damaged), Contains("gzip data is corrupt") && Contains("at byte"));
  std::string wrong_sum = packed;
  wrong_sum[wrong_sum.size() - 6] = static_cast<char>(wrong_sum[wrong_sum.size() - 6] ^ 1);
  CHECK_THROWS_WITH(read(wrong_sum), Contains("gzip data is corrupt"));
  CHECK_THROWS_WITH(read(packed + "more"), Contains("followed by something else"));
}

TEST_CASE("A gzip file that unpacks to hundreds of times its size is refused soon", "[stream]") {
  const ScratchFolder folder;
  const std::string bomb = gzipped(std::string(std::size_t{80} << 20, '\n'));
  LineReader lines{folder.file("bomb", bomb)};
  std::string_view line;
  const auto read_all = [&] {
    while (lines.next(line)) continue;
  };
  CHECK_THROWS_WITH(read_all(), Contains("gzip data is more than 500 times as long as the file"));
  CHECK(lines.line_number() > (60 << 20));
}

TEST_CASE("A missing file, a folder, a pipe and a forbidden file are told apart", "[stream]") {
  const ScratchFolder folder;
  (void)folder.file("jobs.csv", "x");
  CHECK_THROWS_WITH(LineReader{folder.path("job.csv")},
                    EndsWith("job.csv: there is no such file, did you mean \"jobs.csv\"?"));
  CHECK_THROWS_WITH(LineReader{folder.path("nothing/like/it")}, EndsWith("there is no such file"));
  CHECK_THROWS_WITH(LineReader{folder.path("jobs.csv/deeper")}, Contains("there is no such file"));
  CHECK_THROWS_WITH(LineReader{folder.path()}, EndsWith("is a folder, not a file"));
  CHECK_THROWS_WITH(LineReader{"/dev/null"}, Contains("is a pipe or a device"));
  REQUIRE(mkfifo(folder.path("pipe").c_str(), 0600) == 0);
  CHECK_THROWS_WITH(LineReader{folder.path("pipe")}, Contains("is a pipe or a device"));  // and does not hang
  CHECK_THROWS_WITH(LineReader{std::string("a\0b", 3)}, Contains("zero byte"));
  CHECK_THROWS_AS(LineReader{""}, InputError);
  CHECK_THROWS_AS(LineReader{std::string(100'000, 'x')}, InputError);
}

TEST_CASE("A file without permission is named as such", "[stream]") {
  const ScratchFolder folder;
  const std::string path = folder.file("secret", "x");
  REQUIRE(chmod(path.c_str(), 0) == 0);
  if (geteuid() == 0) {
    SUCCEED("root may read every file");
    return;
  }
  CHECK_THROWS_WITH(LineReader{path}, EndsWith("may not be read: permission denied"));
}

TEST_CASE("Bytes that are no text are refused with line and position", "[stream]") {
  const ScratchFolder folder;
  const auto read = [&](std::string_view content) { return lines_of(folder.file("t", content)); };
  CHECK_THROWS_WITH(read(std::string_view("good\nab\0c\n", 10)),
                    EndsWith("t:2: is not text: byte 0x00 at position 3 of the line"));
  CHECK_THROWS_WITH(read("good\n\x1b[31mred\n"),
                    EndsWith("t:2: is not text: byte 0x1b at position 1 of the line"));
  CHECK_THROWS_WITH(read("one\rtwo\n"), EndsWith("t:1: is not text: byte 0x0d at position 4 of the line"));
  CHECK_THROWS_WITH(read("good\nna\xEFve\n"),
                    EndsWith("t:2: is not UTF-8: byte 0xef at position 3 of the line"));
  CHECK_THROWS_WITH(read("\xFF\xFEs\0u\0"), Contains("t:1: is UTF-16 text; save it as UTF-8"));
  CHECK(read("na\u00EFve \u2014 \U0001F600\ttab\n").size() == 1);
  // Far behind the first block, and in the piece of a block that is carried over.
  CHECK_THROWS_WITH(read(many_lines(50'000) + "\x01\n"),
                    EndsWith("t:50001: is not text: byte 0x01 at position 1 of the line"));
  for (std::size_t pad = 0; pad < 40; ++pad) {
    const std::string text =
        std::string((256 << 10) - 20, 'x') + '\n' + std::string(pad, 'y') + "\x02\nrest\n";
    CHECK_THROWS_WITH(read(text), Contains("t:2: is not text: byte 0x02"));
  }
}

TEST_CASE("A line may have a mebibyte and no more", "[stream]") {
  const ScratchFolder folder;
  const std::string longest(LineReader::kLongestLine, 'x');
  CHECK(lines_of(folder.file("a", longest + "\ny")) == std::vector<std::string>{longest, "y"});
  CHECK_THROWS_WITH(lines_of(folder.file("b", "a\n" + longest + "x\n")),
                    Contains("b:2: a line of more than"));
  CHECK_THROWS_WITH(lines_of(folder.file("c", longest + longest + longest)),
                    Contains("c:1: a line of more than"));
}

TEST_CASE("Fields of a CSV record are split at commas, trimmed and unquoted", "[stream]") {
  CHECK(records_of("a,b,,c\n") == std::vector<Record>{{"a", "b", "", "c"}});
  CHECK(records_of(" a ,\tb b, \n") == std::vector<Record>{{"a", "b b", ""}});
  CHECK(records_of("\n  \na\n\r\n") == std::vector<Record>{{"a"}});
  CHECK(records_of(",\n") == std::vector<Record>{{"", ""}});
  CHECK(records_of("\"a,b\",\"say \"\"hi\"\"\", \" c \" ,d\n") ==
        std::vector<Record>{{"a,b", "say \"hi\"", " c ", "d"}});
  CHECK(records_of("\"two\nlines\",x\ny,z\n") == std::vector<Record>{{"two\nlines", "x"}, {"y", "z"}});
  CHECK(records_of("\"\",\"\"") == std::vector<Record>{{"", ""}});
}

TEST_CASE("Broken quotes are errors that name the line of the record", "[stream]") {
  CHECK_THROWS_WITH(records_of("a\n\"b\nc\nd\n"), Contains("t.csv:2: a quote is not closed"));
  CHECK_THROWS_WITH(records_of("5\" disk,x\n"), Contains("t.csv:1: a quote in the middle of a field"));
  CHECK_THROWS_WITH(records_of("\"a\"b,x\n"), Contains("t.csv:1: a field goes on behind its closing quote"));
  std::string endless = "\"";
  for (int i = 0; i < 40; ++i) endless += std::string(100'000, 'x') + '\n';
  CHECK_THROWS_WITH(records_of(endless), Contains("t.csv:1: a record of more than"));
}

TEST_CASE("Columns are found by name in any order; unknown and double ones are refused", "[stream]") {
  const ScratchFolder folder;
  const std::vector<std::string> known{"submit", "duration", "gpus"};
  const auto find = [&](std::string_view header) {
    CsvReader reader{folder.file("t.csv", header)};
    REQUIRE(reader.next());
    return find_columns(reader, known);
  };
  CHECK(find("gpus,submit") == std::vector<std::size_t>{1, kNoColumn, 0});
  CHECK_THROWS_WITH(find("submit,durations"),
                    EndsWith("t.csv:1: there is no column \"durations\", did you mean \"duration\"?"));
  CHECK_THROWS_WITH(find("gpus,gpus"), EndsWith("t.csv:1: column \"gpus\" comes twice"));
}
