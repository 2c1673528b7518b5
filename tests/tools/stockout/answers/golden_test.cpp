// Whole reports against files that were read by a person. After a change that is meant:
//   STOCKOUT_UPDATE_GOLDEN=1 ctest -R golden
// rewrites them; the difference is reviewed and explained with the change.

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include <catch2/catch.hpp>

#include "tools/stockout/cli.h"

using namespace stockout;

namespace {

std::string text_of(const std::string& path) {
  std::ifstream in{path};
  return {std::istreambuf_iterator<char>{in}, {}};
}

// What does not depend on the folder of the checkout or the release.
std::string neutral(std::string text) {
  for (const auto& [from, to] : {std::pair<std::string, std::string>{STOCKOUT_SCENARIOS_DIR, "scenarios"},
                                 std::pair<std::string, std::string>{STOCKOUT_VERSION, "VERSION"}}) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
      text.replace(at, from.size(), to);
    }
  }
  return text;
}

}  // namespace

TEST_CASE("golden: reports are those that were reviewed", "[golden]") {
  const auto [name, arguments] = GENERATE(table<std::string, std::vector<std::string>>({
      {"by-hand.txt", {"compare", "by-hand.json", "--full"}},
      {"by-hand-class.txt", {"compare", "by-hand.json", "--by", "class", "--full"}},
      {"by-hand-pool.txt", {"compare", "by-hand.json", "--by", "pool", "--full"}},
      {"by-hand.md", {"compare", "by-hand.json", "--format", "markdown"}},
      {"by-hand.csv", {"compare", "by-hand.json", "--format", "csv", "--by", "class"}},
      {"by-hand.json", {"compare", "by-hand.json", "--format", "json"}},
      {"quickstart-short.txt", {"compare", "quickstart.json"}},
      {"by-hand-short.txt", {"compare", "by-hand.json", "--by", "class"}},
      {"quickstart.txt", {"compare", "quickstart.json", "--full"}},
      {"flex-forms.txt", {"compare", "flex-forms.json", "--by", "class", "--full"}},
      {"black-friday.txt", {"compare", "black-friday.json", "--by", "class", "--full"}},
      {"deadline.txt", {"compare", "deadline.json", "--full"}},
      {"held-capacity.txt", {"compare", "held-capacity.json", "--by", "class", "--full"}},
      {"season.txt", {"compare", "season.json", "--full"}},
      {"spot-lifetimes.txt", {"compare", "spot-lifetimes.json", "--by", "class", "--full"}},
      {"short-jobs.txt", {"compare", "short-jobs.json", "--full"}},
      {"short-jobs-quiet.txt",
       {"compare", "short-jobs.json", "--set", "/workload/0/poisson/per_day=50", "--full"}},
      {"calendar.txt", {"compare", "calendar.json", "--by", "class", "--full"}},
      {"commitments.txt", {"compare", "commitments.json", "--by", "class", "--full"}},
      {"fragmentation.txt", {"compare", "fragmentation.json", "--by", "pool", "--full"}},
      {"many-zones.txt", {"compare", "many-zones.json", "--full"}},
      {"markov-zones.txt", {"compare", "markov-zones.json", "--by", "class", "--full"}},
      {"which-gpu.txt", {"compare", "which-gpu.json", "--by", "class", "--full"}},
      {"partial-gangs.txt", {"compare", "partial-gangs.json", "--full"}},
  }));
  CAPTURE(name);
  std::vector<std::string> full = arguments;
  full[1] = std::string{STOCKOUT_SCENARIOS_DIR} + "/" + full[1];
  std::ostringstream out;
  std::ostringstream err;
  Console console{.out = out, .err = err, .err_is_terminal = false};
  REQUIRE(run_cli(full, console) == ExitCode::done);

  const std::string golden = std::string{STOCKOUT_GOLDEN_DIR} + "/" + name;
  if (std::getenv("STOCKOUT_UPDATE_GOLDEN") != nullptr) std::ofstream{golden} << neutral(out.str());
  CHECK(neutral(out.str()) == text_of(golden));
}
