// Completion and manual know every command and option that --help knows.

#include <sstream>

#include <catch2/catch.hpp>

#include "tests/support/answer.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;
using test::stockout_says;

namespace {

struct Known {
  std::vector<std::string> path;
  std::vector<std::string> options;  // "--format"
};

// The first word of each line of a part of --help that begins with a title and ends with an empty line.
std::vector<std::string> first_words(const std::string& help, const std::string& title) {
  std::vector<std::string> words;
  std::istringstream lines{help};
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) inside = false;
    if (line == title) inside = true;
    if (inside && line.starts_with("  ") && line.size() > 2 && line[2] != ' ')
      words.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  return words;
}

// Every command, found by asking each for its help.
void walk(const std::vector<std::string>& path, std::vector<Known>& found) {
  std::vector<std::string> asked = path;
  asked.emplace_back("--help");
  const std::string help = stockout_says(asked).out;
  Known known{.path = path, .options = {}};
  for (const std::string& word : first_words(help, "Options:")) {
    std::istringstream names{word};
    for (std::string name; std::getline(names, name, ',');) known.options.push_back(name);
  }
  found.push_back(known);
  for (const std::string& command : first_words(help, "Subcommands:")) {
    std::vector<std::string> below = path;
    below.push_back(command);
    walk(below, found);
  }
}

std::vector<Known> all_known() {
  std::vector<Known> found;
  walk({}, found);
  return found;
}

std::string joined(const std::vector<std::string>& words, char between) {
  std::string text;
  for (const std::string& word : words) text += between + word;
  return text;
}

// The part of `text` from one mark to the next.
std::string part_of(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t begin = text.find(from);
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find(to, begin + from.size()) - begin);
}

}  // namespace

TEST_CASE("There are commands to complete", "[shell]") {
  const std::vector<Known> known = all_known();
  CHECK(known.size() >= 18);
  CHECK(known.front().options == std::vector<std::string>{"--version", "-h", "--help", "--color"});
}

TEST_CASE("The completion of bash knows every command and option", "[shell]") {
  const std::string script = stockout_says({"completion", "bash"}).out;
  const std::string words = script.substr(script.rfind("case \"$command\" in"));
  for (const Known& known : all_known()) {
    const std::string command = joined(known.path, ' ');
    const std::string offered = part_of(words, "'" + command + "')", ";;");
    CAPTURE(command);
    CHECK_FALSE(offered.empty());
    for (const std::string& option : known.options) {
      CAPTURE(option);
      CHECK((offered.find(option + ' ') != std::string::npos ||
             offered.find(option + '\'') != std::string::npos));
    }
  }
}

TEST_CASE("The completion of zsh knows every command and option", "[shell]") {
  const std::string script = stockout_says({"completion", "zsh"}).out;
  for (const Known& known : all_known()) {
    const std::string command = "_stockout" + joined(known.path, '_');
    const std::string offered = part_of(script, '\n' + command + "() {", "\n}\n");
    CAPTURE(command);
    CHECK_FALSE(offered.empty());
    for (const std::string& option : known.options) {
      CAPTURE(option);
      CHECK((offered.find(option + '[') != std::string::npos ||
             offered.find(option + "=[") != std::string::npos));
    }
  }
}

TEST_CASE("The manual has every command and option", "[shell]") {
  const std::string page = stockout_says({"manual"}).out;
  for (const Known& known : all_known()) {
    const std::string heading =
        known.path.empty() ? ".SH OPTIONS" : ".SS stockout" + joined(known.path, ' ') + '\n';
    const std::string part = part_of(page, heading, "\n.S");
    CAPTURE(heading);
    CHECK_FALSE(part.empty());
    for (const std::string& option : known.options) {
      std::string written;
      for (const char c : option) written += c == '-' ? std::string{"\\-"} : std::string(1, c);
      CAPTURE(option);
      CHECK(part.find("\\fB" + written + "\\fR") != std::string::npos);
    }
  }
}

TEST_CASE("A line of the manual is no request that nobody meant", "[shell]") {
  std::istringstream page{stockout_says({"manual"}).out};
  for (std::string line; std::getline(page, line);) {
    if (line.empty() || (line[0] != '.' && line[0] != '\'')) continue;
    CAPTURE(line);
    const std::string request = line.substr(0, line.find(' '));
    CHECK((request == ".TH" || request == ".SH" || request == ".SS" || request == ".TP" || request == ".PP" ||
           request == ".nf" || request == ".fi" || request == ".B" || request == ".BR"));
  }
}

TEST_CASE("The names of a scenario's strategies are reported, one a line", "[shell]") {
  const test::ScratchFolder folder;
  const std::string file = folder.file(
      "s.json", R"({"strategies": [{"name": "on demand, \"one\" zone"}, {"nom": 1}, {"name": 7}, 3,
                                {"name": "two\nlines"}, {"name": "spot"}], "pools": "not read"})");
  CHECK(stockout_says({"completion", "strategies", file}).out == "on demand, \"one\" zone\nspot\n");
  CHECK(stockout_says({"completion", "strategies", folder.file("n.json", "[]")}).out.empty());
  CHECK(stockout_says({"completion", "strategies", "no-such-file"}).code == ExitCode::bad_input);
  CHECK_THAT(stockout_says({"completion", "strategies"}).err, Catch::Contains("SCENARIO: is required"));
  CHECK_THAT(stockout_says({"completion", "fish"}).err, Catch::Contains("there is no shell \"fish\""));
}
