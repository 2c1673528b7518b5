// JSON with comments, as people get it to edit.

#include <catch2/catch.hpp>

#include "sim/io/commented_json.h"
#include "sim/io/json_reader.h"

using namespace stockout;

TEST_CASE("Comments stand above what they are about, and what is off stands as a comment",
          "[commented_json]") {
  CommentedJson file = CommentedJson::object("");
  file.say("A file.");
  file.add(CommentedJson::member("count", 3).say("How many?\nReally."));
  CommentedJson list = CommentedJson::list("items");
  list.add(CommentedJson::item({{"a", 1}, {"b", {1, 2}}}));
  list.add(CommentedJson::item("x").off());
  file.add(std::move(list));
  file.add(CommentedJson::member("more", true).off());
  CHECK(to_text(file) ==
        "// A file.\n"
        "{\n"
        "  // How many? Really.\n"
        "  \"count\": 3,\n"
        "  \"items\": [\n"
        "    {\"a\": 1, \"b\": [1, 2]}\n"
        "    // \"x\",\n"
        "  ]\n"
        "  // \"more\": true,\n"
        "}\n");
}

TEST_CASE("Long values and long comments are broken, and the text is read again as it was meant",
          "[commented_json]") {
  CommentedJson file = CommentedJson::object("");
  nlohmann::ordered_json names = nlohmann::ordered_json::object();
  for (int i = 0; i < 20; ++i) names["name " + std::to_string(i)] = "a \"quoted\" value // no comment";
  file.add(
      CommentedJson::member("names", names).say(std::string(30, 'x') + " " + std::string(90, 'y') + " z"));
  const std::string text = to_text(file);
  CHECK(text.find("\n  // " + std::string(90, 'y')) != std::string::npos);
  const JsonValue value = parse_json(text, "file.json", kWrittenByHand);
  REQUIRE(value.find("names") != nullptr);
  CHECK(value.find("names")->find("name 19") != nullptr);
}
