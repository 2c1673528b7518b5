// Reports on a terminal: tables that fit, colours, characters that must not reach it, small charts.

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <sstream>

#include <catch2/catch.hpp>

#include "tests/support/answer.h"
#include "tests/support/scratch_folder.h"
#include "tools/stockout/terminal/printable.h"
#include "tools/stockout/terminal/terminal.h"
#include "tools/table/small_charts.h"
#include "tools/table/wrap_text.h"
#include "tools/table/write_text.h"

using namespace stockout;
using test::stockout_says;

namespace {

const std::string kQuickstart = STOCKOUT_SCENARIOS_DIR "/quickstart.json";
const std::string kScenario = STOCKOUT_SCENARIOS_DIR "/by-hand.json";

TextLayout narrow(std::size_t width) { return {.width = width, .table_width = width}; }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in{text};
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string without_colours(const std::string& text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\x1b') {
      at = text.find('m', at);
    } else {
      plain += text[at];
    }
  }
  return plain;
}

std::string text_of(const std::string& path) {
  std::ifstream in{path};
  return {std::istreambuf_iterator<char>{in}, {}};
}

// The words of a text, sorted.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream in{text};
  for (std::string word; in >> word;) words.push_back(word);
  std::ranges::sort(words);
  return words;
}

test::Answer on_terminal(const std::vector<std::string>& arguments, std::size_t width,
                         ColourChoice colour = ColourChoice::automatic) {
  std::ostringstream out;
  std::ostringstream err;
  Console console{.out = out, .err = err, .out_is_terminal = true, .out_width = width, .colour = colour};
  const ExitCode code = run_cli(arguments, console);
  return {code, out.str(), err.str()};
}

// Where COLUMNS says `width`.
test::Answer in_pipe(const std::vector<std::string>& arguments, std::size_t width) {
  std::ostringstream out;
  std::ostringstream err;
  Console console{.out = out, .err = err, .out_fits = true, .out_width = width};
  const ExitCode code = run_cli(arguments, console);
  return {code, out.str(), err.str()};
}

Environment environment(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
}

Cell known(double value, double half_width) {
  Cell cell{value};
  cell.half_width = half_width;
  return cell;
}

}  // namespace

TEST_CASE("A table too wide is broken into blocks, each with the names of its rows", "[terminal]") {
  Relation table{.title = "T"};
  table.add_columns(kText, {"name"});
  table.add_columns(kWhole, {"one"});
  table.columns.push_back({.title = "two", .style = kHundredths, .interval = Interval::shown});
  table.add_columns(kWhole, {"three"});
  table.add({"a", 1, known(22, 0.5), 333});
  table.add({"b", 4, known(55, 0.25), 6});
  CHECK(write_text(table, narrow(19)) ==
        "T\n"
        "name  one\n"
        "----  ---\n"
        "a       1\n"
        "b       4\n"
        "\n"
        "T, continued\n"
        "name    two     ±\n"
        "----  -----  ----\n"
        "a     22.00  0.50\n"
        "b     55.00  0.25\n"
        "\n"
        "T, continued\n"
        "name  three\n"
        "----  -----\n"
        "a       333\n"
        "b         6\n");
  CHECK(write_text(table, narrow(200)) == write_text(table));
}

TEST_CASE("A long name is cut into lines, where it has a sign or a blank, and stays whole", "[terminal]") {
  Relation table{.title = "T"};
  table.add_columns(kText, {"strategy"});
  table.add_columns(kWhole, {"cost", "wait"});
  table.add({"on-demand, then spot in two zones", "100", "2"});
  table.add({"on-demand, then spot in six zones", "200", "3"});
  CHECK(write_text(table, narrow(31)) ==
        "T\n"
        "strategy      cost  wait\n"
        "------------  ----  ----\n"
        "on-demand,     100     2\n"
        "then spot in\n"
        "two zones\n"
        "on-demand,     200     3\n"
        "then spot in\n"
        "six zones\n");
}

TEST_CASE("Nothing of a table is lost at any width, and no line is wider where columns allow", "[terminal]") {
  std::mt19937 random{7};
  const auto draw = [&](int least, int most) { return std::uniform_int_distribution{least, most}(random); };
  for (int round = 0; round < 200; ++round) {
    Relation table{.title = "T"};
    const int leads = draw(1, 2);
    for (int c = 0; c < leads; ++c) table.add_columns(kText, {"lead"});
    const int columns = draw(1, 12);
    for (int c = 0; c < columns; ++c) table.add_columns(kWhole, {"head"});
    std::vector<std::string> cells;
    for (int r = 0; r < draw(0, 4); ++r) {
      std::vector<std::string> row;
      for (int c = 0; c < leads + columns; ++c)
        row.push_back(std::to_string(draw(1, 9)) + std::string(static_cast<std::size_t>(draw(0, 8)), 'x'));
      cells.insert(cells.end(), row.begin(), row.end());
      table.add({row.begin(), row.end()});
    }
    const auto width = static_cast<std::size_t>(draw(20, 100));
    const std::string text = write_text(table, narrow(width));
    const std::vector<std::string> words = words_of(text);
    for (const std::string& cell : cells) {
      CAPTURE(text, cell);
      CHECK(std::ranges::binary_search(words, cell));
    }
    // Two names of 9 columns and a number of 9, with gaps, are the least there is.
    for (const std::string& line : lines_of(text))
      CHECK(text_width(line) <= std::max<std::size_t>(width, 31));
  }
}

TEST_CASE("Wide, combining and broken characters are counted as a terminal shows them", "[terminal]") {
  CHECK(text_width("plain") == 5);
  CHECK(text_width("± µ") == 3);
  CHECK(text_width("東京") == 4);              // CJK: two columns each
  CHECK(text_width("e\xcc\x81") == 1);         // a letter and its accent
  CHECK(text_width("\xf0\x9f\x9a\x80") == 2);  // a rocket
  CHECK(text_width("\xff\xfe") == 2);
  CHECK(text_width("") == 0);
  CHECK(cut_to_width("東京都庁", 5) == std::vector<std::string>{"東京", "都庁"});
  CHECK(cut_to_width("", 5) == std::vector<std::string>{""});

  Relation table{.title = "T"};
  table.add_columns(kText, {"n"});
  table.add_columns(kWhole, {"v"});
  table.add({"東京", "1"});
  table.add({"abcd", "2"});
  CHECK(write_text(table) == "T\nn     v\n----  -\n東京  1\nabcd  2\n");
}

TEST_CASE("Nothing that steers a terminal is shown to it", "[terminal]") {
  CHECK(printable("plain ± 東京") == "plain ± 東京");
  CHECK(printable("\x1b[2J") == "\\x1b[2J");
  CHECK(printable("a\xc2\x9b"
                  "2J") == "a\\xc2\\x9b2J");  // CSI as one character
  CHECK(printable("\x9b"
                  "2J") == "\\x9b2J");  // and as a byte
  CHECK(printable("ab\xe2\x80\xae"
                  "dc") == "ab\\xe2\\x80\\xaedc");  // right to left
  CHECK(printable("bell\a tab\t del\x7f") == "bell\\x07 tab\\x09 del\\x7f");

  CHECK(printable_page("one\n\x1b[1mtwo\x1b[0m\n") == "one\n\x1b[1mtwo\x1b[0m\n");  // our own colours
  CHECK(printable_page("\x1b]0;title\a\n\x1b[5") == "\\x1b]0;title\\x07\n\\x1b[5");
  CHECK(printable_page("no end") == "no end");
  const std::string hostile(100'000, '\x1b');
  CHECK(printable_page(hostile).size() == 4 * hostile.size());
}

TEST_CASE("A report fits every terminal, and says there what it says to a file", "[terminal]") {
  const std::string full = stockout_says({"compare", kScenario, "--by", "class"}).out;
  for (const std::size_t width : {40U, 60U, 80U, 100U, 132U}) {
    const std::string text = without_colours(on_terminal({"compare", kScenario, "--by", "class"}, width).out);
    const std::vector<std::string> words = words_of(text);
    for (const std::string& line : lines_of(text)) {
      CAPTURE(width, line);
      CHECK(
          (text_width(line) <= width || line.find("json") != std::string::npos));  // a file's name is not cut
    }
    for (const std::string& word : words_of(full)) {
      CAPTURE(width, word);
      CHECK((word.find("--") != std::string::npos || std::ranges::binary_search(words, word)));
    }
  }
}

TEST_CASE("Colours come to a terminal, or where they are asked for, and change no word", "[terminal]") {
  const std::vector<std::string> compare{"compare", kScenario};
  CHECK(stockout_says(compare).out.find('\x1b') == std::string::npos);
  const std::string coloured = on_terminal(compare, 100).out;
  CHECK(coloured.find('\x1b') != std::string::npos);
  CHECK(on_terminal(compare, 100, ColourChoice::never).out == without_colours(coloured));

  CHECK(on_terminal({"compare", kScenario, "--color", "never"}, 100).out == without_colours(coloured));
  CHECK(on_terminal({"--color", "never", "compare", kScenario}, 100).out == without_colours(coloured));
  CHECK(without_colours(stockout_says({"compare", kScenario, "--color", "always"}).out) ==
        stockout_says(compare).out);
  CHECK(stockout_says({"compare", kScenario, "--color", "always"}).out.find('\x1b') != std::string::npos);
  for (const std::string format : {"json", "csv", "markdown"}) {
    CHECK(stockout_says({"compare", kScenario, "--color", "always", "--format", format}).out ==
          stockout_says({"compare", kScenario, "--format", format}).out);
  }
  const test::Answer mistyped = stockout_says({"compare", kScenario, "--color", "alwys"});
  CHECK(mistyped.code == ExitCode::bad_input);
  CHECK_THAT(mistyped.err, Catch::Contains("did you mean \"always\"?"));
}

TEST_CASE("A report for a file has colours only if they are always wanted", "[terminal]") {
  const test::ScratchFolder folder;
  const std::string plain = folder.path("plain.txt");
  const std::string coloured = folder.path("coloured.txt");
  CHECK(on_terminal({"compare", kScenario, "--output", plain}, 60).out.empty());
  CHECK(on_terminal({"compare", kScenario, "--output", coloured, "--color", "always"}, 60).out.empty());
  CHECK(text_of(plain) == stockout_says({"compare", kScenario}).out);
  CHECK(text_of(coloured) == stockout_says({"compare", kScenario, "--color", "always"}).out);
}

TEST_CASE("An error is marked by its word, and on a terminal by a colour too", "[terminal]") {
  std::ostringstream out;
  std::ostringstream err;
  Console console{.out = out, .err = err, .err_is_terminal = true};
  CHECK(run_cli({"compare", "no-such-file"}, console) == ExitCode::bad_input);
  CHECK(err.str().find("\x1b[1m\x1b[31merror:\x1b[0m") != std::string::npos);
  CHECK(without_colours(err.str()) == stockout_says({"compare", "no-such-file"}).err);
}

TEST_CASE("The environment says whether there are colours", "[terminal]") {
  using Variables = std::map<std::string, std::string>;
  const auto choice = [](Variables more) {
    more.insert({"TERM", "xterm"});
    return colour_choice(environment(std::move(more)));
  };
  CHECK(choice({}) == ColourChoice::automatic);
  CHECK(choice({{"NO_COLOR", "1"}}) == ColourChoice::never);
  CHECK(choice({{"NO_COLOR", ""}}) == ColourChoice::automatic);  // no-color.org: set and not empty
  CHECK(choice({{"NO_COLOR", "0"}}) == ColourChoice::never);
  CHECK(choice({{"CLICOLOR_FORCE", "1"}}) == ColourChoice::always);
  CHECK(choice({{"CLICOLOR_FORCE", "0"}}) == ColourChoice::automatic);
  CHECK(choice({{"NO_COLOR", "1"}, {"CLICOLOR_FORCE", "1"}}) == ColourChoice::never);
  CHECK(choice({{"CLICOLOR", "0"}}) == ColourChoice::never);
  CHECK(choice({{"TERM", "dumb"}}) == ColourChoice::never);
  CHECK(colour_choice(environment({})) == ColourChoice::never);  // no TERM: no terminal that has any
}

TEST_CASE("COLUMNS is believed where a terminal does not say how wide it is", "[terminal]") {
  const auto width = [](const std::string& columns) {
    return terminal_width(-1, environment({{"COLUMNS", columns}}));
  };
  CHECK(width("90") == 90);
  CHECK(width("1") == 20);
  CHECK(width("99999999") == 10'000);
  for (const std::string nonsense : {"", "-5", "0", "wide", "90x", "99999999999999999999999"})
    CHECK(width(nonsense) == 120);
  CHECK(terminal_width(-1, environment({})) == 120);
}

TEST_CASE("Characters of UTF-8 are drawn where the locale has them", "[terminal]") {
  CHECK(is_utf8_locale(environment({{"LANG", "en_US.UTF-8"}})));
  CHECK(is_utf8_locale(environment({{"LC_ALL", ""}, {"LC_CTYPE", "C.utf8"}})));
  CHECK_FALSE(is_utf8_locale(environment({{"LC_ALL", "C"}, {"LANG", "en_US.UTF-8"}})));
  CHECK_FALSE(is_utf8_locale(environment({})));
}

TEST_CASE("A bar has its parts in proportion, and something is never nothing", "[terminal]") {
  const std::array<BarPart, 2> parts{BarPart{.value = 3, .sign = '#', .block = "█"},
                                     BarPart{.value = 1, .sign = '.', .block = "░"}};
  CHECK(bar_of(parts, 8, 16, false) == "######..");
  CHECK(bar_of(parts, 4, 4, true) == "███░");
  CHECK(bar_of(parts, 1e9, 16, false) == "#");
  CHECK(bar_of(parts, 0, 16, false).empty());
  CHECK(bar_of(parts, 1, 4, false) == "####");  // more than full stays within its columns
  const std::array<BarPart, 1> nothing{BarPart{.value = 0}};
  CHECK(bar_of(nothing, 5, 16, false).empty());
}

TEST_CASE("A sparkline is as tall as its values, and low only for nothing", "[terminal]") {
  CHECK(sparkline(std::vector<double>{0, 1, 4, 8}, true) == " ▁▄█");
  CHECK(sparkline(std::vector<double>{0, 0.001, 8}, true) == " ▁█");
  CHECK(sparkline(std::vector<double>{0, 0}, true) == "  ");
  CHECK(sparkline(std::vector<double>{0, 8}, false) == " @");
  CHECK(sparkline(std::vector<double>{}, true).empty());
  CHECK(counts_over_span(std::vector<std::int64_t>{0, 1, 5, 10}, 2) == std::vector<double>{2, 2});
  CHECK(counts_over_span(std::vector<std::int64_t>{7, 7}, 3) == std::vector<double>{2, 0, 0});
}

TEST_CASE("The short answer is the same in a pipe as on a terminal, and the quickstart's has 40 lines",
          "[terminal]") {
  const std::string shown = on_terminal({"compare", kQuickstart}, 100).out;
  std::istringstream lines{shown};
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) CHECK(text_width(without_colours(line)) <= 100);
  CHECK(count <= 40);
  CHECK_THAT(shown, Catch::Contains("Cheapest under the goal") && Catch::Contains("█ paid by use") &&
                        Catch::Contains("2,150,884") && Catch::Contains("--full"));
  CHECK(without_colours(shown) == in_pipe({"compare", kQuickstart}, 100).out);
}

TEST_CASE("The short answer has three warnings at most, and says how many there are", "[terminal]") {
  const auto said = [](const std::vector<std::string>& zones) {
    std::vector<std::string> compare{"compare", kQuickstart, "--replications", "1"};
    for (const std::string& zone : zones) {
      compare.insert(compare.end(),
                     {"--set", R"(/pools/-={"gpu": "L4", "unlimited": true, "place": ")" + zone + "\"}"});
    }
    return stockout_says(compare).out;
  };
  CHECK_THAT(said({}), !Catch::Contains("Warnings"));
  CHECK_THAT(said({"us-central1-a"}), Catch::Contains("\nWarnings\n  L4 us-central1-a: every request"));
  const std::string four = said({"us-central1-a", "us-central1-b", "us-central1-c", "asia-northeast1-a"});
  CHECK_THAT(four, Catch::Contains("Warnings, the first 3 of 5 (--full has all)\n  /pools/"));
  CHECK_THAT(four, Catch::Contains("no job can ever run in \"L4 asia-northeast1-a\""));
  CHECK_THAT(four, Catch::Contains("us-central1-b: every") && !Catch::Contains("us-central1-c: every"));
}

TEST_CASE("A full comparison on a terminal begins with bars; to a file it has none", "[terminal]") {
  const std::vector<std::string> compare{"compare", kQuickstart, "--full", "--replications", "1"};
  const std::string shown = on_terminal(compare, 100).out;
  CHECK_THAT(shown, Catch::Contains("At a glance"));
  CHECK_THAT(shown, Catch::Contains("█ paid by use, ▓ held and used, ░ held and idle."));
  CHECK_THAT(stockout_says(compare).out, !Catch::Contains("At a glance"));
}

TEST_CASE("Without a goal, a wait of which only a bound is known has an open bar of full length",
          "[terminal]") {
  const std::string shown = without_colours(
      on_terminal({"compare", STOCKOUT_SCENARIOS_DIR "/flex-forms.json", "--replications", "1"}, 100).out);
  CHECK_THAT(shown, Catch::Contains("Waits: ░ longer than the number, since some jobs never start.") &&
                        Catch::Contains("░░░░░░░░░░░░░░░░░░░░░░░"));
}
