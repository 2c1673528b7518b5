#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/core/error.h"
#include "sim/io/input_file.h"
#include "sim/io/json_items.h"
#include "sim/io/json_reader.h"
#include "sim/io/utf8.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;

namespace {

JsonValue parse(std::string_view text) { return parse_json(text, "s.json"); }

}  // namespace

TEST_CASE("Every JSON value keeps the line it stands on", "[json]") {
  const JsonValue root =
      parse("{\n \"a\": 1,\n \"b\": [\n  true,\n  \"x\"\n ],\n \"c\": {\"d\": null}, \"e\": 2\n}\n");
  CHECK(root.line == 1);
  CHECK(root.find("a")->line == 2);
  CHECK(root.find("b")->line == 3);
  CHECK(root.find("b")->get<JsonValue::List>()->at(1).line == 5);
  CHECK(root.find("c")->find("d")->line == 7);
  CHECK(root.find("e")->line == 7);
  CHECK(root.find("f") == nullptr);
}

TEST_CASE("A number at the end of a line is on that line", "[json]") {
  const JsonValue root = parse("[1\n,2.5\n,-3\n]");
  const auto& list = *root.get<JsonValue::List>();
  CHECK(list.at(0).line == 1);
  CHECK(list.at(1).line == 2);
  CHECK(list.at(2).line == 3);
  CHECK(*list.at(2).get<std::int64_t>() == -3);
  CHECK(*list.at(1).get<double>() == 2.5);
}

TEST_CASE("Members keep their order", "[json]") {
  const JsonValue root = parse(R"({"b": 1, "a": 2})");
  CHECK(root.get<JsonValue::Members>()->front().key == "b");
  CHECK(to_text(root) == R"({"b": 1, "a": 2})");
}

TEST_CASE("Text that is no JSON is refused with its line", "[json]") {
  CHECK_THROWS_WITH(parse(""), "s.json:1: is empty");
  CHECK_THROWS_WITH(parse(" \n \n"), "s.json:1: is empty");
  CHECK_THROWS_WITH(parse("{\n\"a\": 1,\n"),
                    Catch::StartsWith("s.json:3: this is not valid JSON: unexpected end of input"));
  CHECK_THROWS_WITH(parse("{\"a\": 1}\n x"), Catch::StartsWith("s.json:2: this is not valid JSON: "));
  CHECK_THROWS_WITH(parse("{\"a\": NaN}"),
                    Catch::StartsWith("s.json:1: this is not valid JSON: invalid literal"));
  CHECK_THROWS_WITH(parse("{\"a\": -}"),
                    Catch::StartsWith("s.json:1: this is not valid JSON: invalid number"));
  CHECK_THROWS_WITH(parse(std::string_view{"\x7f"
                                           "ELF\0\0",
                                           6}),
                    Catch::StartsWith("s.json:1: this is not valid JSON: "));
}

TEST_CASE("A number that does not fit is refused", "[json]") {
  CHECK_THROWS_WITH(parse("{\n\"a\": 7E888}"), "s.json:2: 7E888 does not fit into a number");
  CHECK_THROWS_WITH(parse("{\"a\": -7E888}"), "s.json:1: -7E888 does not fit into a number");
  CHECK_THROWS_WITH(parse("9223372036854775808"),
                    "s.json:1: 9223372036854775808 does not fit: whole numbers go up to 9223372036854775807");
  CHECK(*parse("9223372036854775807").get<std::int64_t>() == 9223372036854775807);
}

TEST_CASE("A key that comes twice is refused with both lines", "[json]") {
  CHECK_THROWS_WITH(parse("{\"a\": 1,\n\"b\": 2,\n\"a\": 3}"),
                    "s.json:3: the key \"a\" is already on line 1");
  CHECK_NOTHROW(parse(R"({"a": {"a": 1}, "b": {"a": 1}})"));
}

TEST_CASE("Nesting is limited", "[json]") {
  CHECK_NOTHROW(parse(std::string(100, '[') + std::string(100, ']')));
  CHECK_THROWS_WITH(parse(std::string(101, '[')), "s.json:1: nested deeper than 100 levels");
  CHECK_THROWS_WITH(parse(std::string(1'000'000, '[')), "s.json:1: nested deeper than 100 levels");
}

TEST_CASE("Bytes that are no UTF-8 are refused wherever they stand", "[json]") {
  CHECK_THROWS_WITH(parse("{\n\"a\": \"\xff\"}"), "s.json:2: not UTF-8 text: byte 0xff");
  CHECK_THROWS_WITH(parse("\xc0\xaf"), "s.json:1: not UTF-8 text: byte 0xc0");
  CHECK(first_not_utf8("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80") == 10);
  CHECK(first_not_utf8("ab\xed\xa0\x80") == 2);  // a surrogate
  CHECK(first_utf8("\xc3\xa9x")->code_point == 0xe9);
  CHECK(first_utf8("\xe2\x82\xac")->code_point == 0x20ac);
  CHECK(first_utf8("\xf0\x9f\x98\x80")->code_point == 0x1f600);
  CHECK(first_not_utf8("ab\xe2\x82") == 2);  // cut off
  CHECK(*parse("\"\xc3\xa9\"").get<std::string>() == "\xc3\xa9");
}

TEST_CASE("A missing file, a folder and a file that is too large are told apart", "[json]") {
  const test::ScratchFolder folder;
  const std::string missing = folder.path("none.json");
  CHECK_THROWS_WITH(read_json_file(missing), missing + ": there is no such file");
  CHECK_THROWS_WITH(read_json_file(folder.path()), folder.path() + ": is a folder, not a file");
  const std::string large = folder.file("large.json", "[1, 2, 3]");
  CHECK_THROWS_WITH(read_json_file(large, {.bytes = 8}),
                    large + ": is larger than the 8 bytes that are read at most");
  CHECK(read_text_file(large, 9) == "[1, 2, 3]");
  CHECK_THROWS_WITH(read_json_file(large + "/x"), large + "/x: there is no such file");
}

TEST_CASE("A file that may not be read says so", "[json]") {
  if (geteuid() == 0) {
    WARN("nothing is unreadable to root: not tested");
    return;
  }
  const test::ScratchFolder folder;
  const std::string locked = folder.file("locked.json", "{}");
  std::filesystem::permissions(locked, std::filesystem::perms::none);
  CHECK_THROWS_WITH(read_json_file(locked), locked + ": may not be read: permission denied");
}

TEST_CASE("A value in a message is cut to a readable length", "[json]") {
  CHECK(to_text(parse("\"" + std::string(200, 'x') + "\""), 10) == "\"xxxxxxxxx...");
  CHECK(to_text(parse("[1, 2.5, \"a\", null, true, {}]")) == "[1, 2.5, \"a\", null, true, {}]");
}

TEST_CASE("A file that people write may have comments, and a comma behind the last item", "[json]") {
  const auto text_of = [](std::string_view text) {
    return to_text(parse_json(text, "s.json", kWrittenByHand));
  };
  CHECK(text_of("// a\n{\"a\": [1, 2,], /* b, ] */ \"c\": {},\n}\n// d") == R"({"a": [1, 2], "c": {}})");
  CHECK(text_of("[[1 , // of many, ]\n], ]") == "[[1]]");
  CHECK(text_of(R"(["a,]", "\"//,]",])") == R"(["a,]", "\"//,]"])");
  const JsonValue root = parse_json("{ // one\n\"a\": [1,\n],\n\"b\": 2, }", "s.json", kWrittenByHand);
  CHECK(root.find("b")->line == 4);
  for (const std::string_view wrong :
       {"[,]", "[1,,]", "{,}", "[1,", "{\"a\":,}", "/* [1]", "[1] / 2", "[1,]]"})
    CHECK_THROWS_AS(parse_json(wrong, "s.json", kWrittenByHand), InputError);
  for (const std::string_view strict : {"[1,]", "[1] // one"}) CHECK_THROWS_AS(parse(strict), InputError);
}

TEST_CASE("Items of a JSON file come one by one with their lines, and a visit may stop them", "[json]") {
  const test::ScratchFolder folder;
  const std::string path =
      folder.file("t", test::gzipped("{\"a\": [1, {\"items\": [9]}],\n\"items\": [1,\n[2, [3]], {}\n, null,"
                                     "\n\"x\"], \"b\": 7}"));
  std::vector<std::string> seen;
  for_each_json_item(path, [&](const JsonValue& item) {
    seen.push_back(std::to_string(item.line) + " " + to_text(item));
    return seen.size() < 5;
  });
  CHECK(seen == std::vector<std::string>{"2 1", "3 [2, [3]]", "3 {}", "4 null", "5 \"x\""});
}

TEST_CASE("A list of items that is none, or too large, is an error with its line", "[json]") {
  const test::ScratchFolder folder;
  const auto error_of = [&](std::string_view text) -> std::string {
    try {
      for_each_json_item(folder.file("t", text), [](const JsonValue&) { return true; });
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  };
  using Catch::Contains;
  CHECK(error_of(" \n") == "no error");
  CHECK_THAT(error_of("{\n\"items\": 3}"), Contains("t:2: holds neither a list nor an object with a list"));
  CHECK_THAT(error_of("[\n1,]"), Contains("t:2: this is not valid JSON"));
  CHECK_THAT(error_of(std::string("[1]\n\0[2]", 8)), Contains("t:2: is not text: byte 0x00"));
  CHECK_THAT(error_of("[\"" + std::string(17 << 20, 'x') + "\"]"), Contains("an item of more than 16 MiB"));
}
