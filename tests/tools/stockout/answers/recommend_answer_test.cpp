// What `stockout recommend` says is true: of goals near to all jobs, where nothing is recommended, of ways
// that are as good, and of what it writes.

#include <fstream>
#include <sstream>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/answer.h"
#include "tests/support/made_up/purchase_question.h"
#include "tests/support/scenarios/small_scenario.h"

using namespace stockout;
using namespace stockout::test;
using Catch::Contains;

namespace {

std::string with(std::string text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
  return text;
}

// Twelve jobs of an hour, of which all are in time only with three or more machines at $480 each.
std::string held_machines() {
  std::string text =
      with(kSmallScenario, R"("schedule": {"at": "12:00"})", R"("schedule": {"at": "12:00", "count": 6})");
  text = with(text, R"({"name": "first", "legs": [{"model": "on_demand"}]})",
              R"({"name": "reserved", "legs": [{"model": "reservation", "reservation": "held"}]})");
  return with(text, R"("start": "2026-08-03",)",
              R"("start": "2026-08-03", "goal": {"wait_p": 99, "at_most": "70min"},
 "decide": [{"name": "machines", "at": "/reservations/0/count", "from": 0, "to": 8}],)");
}

class Advice {
 public:
  explicit Advice(const std::string& text) : file_{folder_.file("s.json", text)} {}

  [[nodiscard]] Answer ask(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"recommend", file_});
    return stockout_says(more);
  }
  [[nodiscard]] nlohmann::json json(std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"--format", "json"});
    return nlohmann::json::parse(ask(std::move(more)).out);
  }
  // Lines are broken where the page ends.
  [[nodiscard]] std::string sentence(std::vector<std::string> more = {}) const {
    return json(std::move(more))["sentence"];
  }
  [[nodiscard]] std::string how(std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"--format", "markdown"});
    const std::string out = ask(std::move(more)).out;
    return out.substr(out.find("How it was found"));
  }
  [[nodiscard]] std::string path(const std::string& name) const { return folder_.path(name); }
  [[nodiscard]] std::string add(const std::string& name, const std::string& text) const {
    return folder_.file(name, text);
  }

 private:
  ScratchFolder folder_;
  std::string file_;
};

const std::vector<std::string> kRandomWork{"--set", R"(/workload/0/work={"exponential": "1h"})"};

std::vector<std::string> both(std::vector<std::string> one, const std::vector<std::string>& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream{path}.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("A goal of nearly all jobs is met by what all jobs meet, or needs more runs", "[recommend]") {
  const Advice advice{held_machines()};
  const std::string share = GENERATE("99.5", "99.9", "100");
  CAPTURE(share);
  const std::vector<std::string> asked =
      both(kRandomWork, {"--set", R"(/goals=[{"completed_p": )" + share + "}]", "--set", "/goal/wait_p=1",
                         "--set", R"(/decide/0/from=8)"});
  const std::string few = advice.sentence(both(asked, {"--most-replications", "30"}));
  CHECK_THAT(few, Catch::StartsWith("Undecided after 30 runs of each: one way is left. It is"));
  CHECK_THAT(few, Contains(" runs of each would decide: --most-replications "));
  CHECK_THAT(few, Contains("That it meets the goals is not sure yet."));
  const std::size_t needs = advice.json(both(asked, {"--most-replications", "30"}))["runs_to_decide"];
  CHECK(needs > 30);
  const std::string many = advice.sentence(both(asked, {"--most-replications", std::to_string(2 * needs)}));
  CHECK_THAT(many, Catch::StartsWith("Buy \"reserved; machines: 8\""));
  CHECK_THAT(many, Contains("That is 95 % sure."));
}

TEST_CASE("Where nothing is recommended no guarantee is given, and what is missing is told", "[recommend]") {
  const Advice advice{held_machines()};
  CHECK_THAT(advice.how(), Contains("Sure to 95 %: the first meets each goal but for its tolerance.") &&
                               Contains("The tolerances: 0.5 % of the jobs of goal 1."));
  const std::vector<std::string> dear{"--set", R"(/goals=[{"budget_usd": 1000}])"};
  const std::string none = advice.sentence(dear);
  CHECK_THAT(none,
             Contains("None of 9 ways to buy meets all goals. Nearest: \"reserved; machines: 2\"") &&
                 Contains("66.7 % (99 % of jobs start within 1h 10min and complete), 32.3 points short."));
  CHECK_THAT(advice.sentence(both(dear, {"--set", "/goal/wait_p=1", "--set", "/decide/0/from=3"})),
             Contains("$1,440 (the cost is at most $1,000 on average), $440 too much."));
  CHECK_THAT(advice.how(dear), Contains("Sure to 95 %: no way meets each goal by more than its tolerance.") &&
                                   !Contains("the first meets"));
  const std::vector<std::string> open =
      both(kRandomWork, {"--indifference", "0.0001", "--most-replications", "10", "--set",
                         R"(/goal={"wait_p": 60, "at_most": "1h"})"});
  CHECK_THAT(advice.how(open),
             Contains("Nothing is sure to 95 % yet") && !Contains("Sure to 95 %: the first"));
  CHECK(advice.json(open)["guarantee"]["given"] == false);
  CHECK(advice.json()["guarantee"]["given"] == true);
  CHECK(advice.json()["runs_to_decide"].is_null());
}

TEST_CASE("Without a recommendation nothing is ordered or written, and that is said", "[recommend]") {
  const Advice advice{held_machines()};
  const std::string winner = advice.path("winner.json");
  const std::string orders = advice.path("orders.sh");
  const std::vector<std::string> none{"--set", R"(/goals=[{"budget_usd": 1}])"};
  const Answer answer = advice.ask(both(none, {"--write-scenario", winner, "--write-orders", orders}));
  CHECK(answer.code == ExitCode::not_as_asked);
  CHECK_THAT(answer.err,
             Contains("nothing is recommended, so --write-scenario writes nothing to " + winner) &&
                 Contains("so --write-orders writes nothing to " + orders));
  CHECK_FALSE(std::ifstream{winner}.good());
  CHECK_FALSE(std::ifstream{orders}.good());
  CHECK_THAT(answer.out, !Contains("To order it") && !Contains("gcloud"));
  CHECK_THAT(answer.out, !Contains("as recommended"));
  CHECK(advice.json(none)["orders"].empty());
}

TEST_CASE("The winner's scenario has the seed and the prices that the command line gives", "[recommend]") {
  const Advice advice{held_machines()};
  const std::string prices = advice.add("own.json", R"({"prices": [{"factor": 2}]})");
  const std::string winner = advice.path("winner.json");
  const std::vector<std::string> asked{"--seed", "77", "--prices", prices};
  const Answer answer = advice.ask(both(asked, {"--write-scenario", winner}));
  CAPTURE(answer.err);
  REQUIRE(answer.code == ExitCode::done);
  const auto written = nlohmann::json::parse(text_of(winner));
  CHECK(written["seed"] == 77);
  CHECK(written["prices_as_of"] == nlohmann::json::parse(text_of(advice.path("s.json")))["prices_as_of"]);
  const auto compared =
      nlohmann::json::parse(stockout_says({"compare", winner, "--format", "json"}).out)["strategies"][0];
  CHECK(compared["total"]["cost_usd"]["mean"] == advice.json(asked)["purchases"][0]["cost_usd"]["mean"]);
  CHECK(compared["total"]["cost_usd"]["mean"] == 2880);
}

TEST_CASE("Ways of exactly the same cost are as good, and a dearer one that misses a goal says both",
          "[recommend]") {
  const std::string one =
      R"({"name": "reserved", "legs": [{"model": "reservation", "reservation": "held"}]})";
  const Advice advice{
      with(held_machines(), one,
           one + R"(, {"name": "the same", "legs": [{"model": "reservation", "reservation": "held"}]})")};
  const auto json = advice.json();
  REQUIRE(json["purchases"].size() == 18);
  CHECK(json["purchases"][1]["strategy"] == "the same");
  CHECK(json["purchases"][1]["standing"] == "as good");
  CHECK_THAT(json["because"].dump(), Contains("the same; machines: 3\\\" costs the same: as good."));
  CHECK(json["purchases"][2]["standing"] == "dearer");
}

TEST_CASE("A reservation of no machines is no place", "[recommend]") {
  const std::string one =
      R"({"name": "reserved", "legs": [{"model": "reservation", "reservation": "held"}]})";
  const Advice advice{with(
      held_machines(), one,
      R"({"name": "mixed", "legs": [{"model": "reservation", "reservation": "held", "limit": "0s"}, {"model": "on_demand"}]})")};
  CHECK_THAT(advice.sentence(), Contains("Buy \"mixed; machines: 0\" (on_demand):"));
  CHECK_THAT(advice.sentence({"--set", "/decide/0/from=1"}), Contains("(reservation held, then on_demand)"));
}

TEST_CASE("A decision that is named like a column is told apart from it", "[recommend]") {
  const std::string name = GENERATE("cost_usd", "strategy", "choices", "goal_1");
  const Advice advice{
      with(held_machines(), R"("name": "machines", "at")", R"("name": ")" + name + R"(", "at")")};
  const std::string csv = advice.ask({"--format", "csv"}).out;
  const std::string header = "," + csv.substr(0, csv.find('\n')) + ",";
  CHECK_THAT(header, Contains(",decided " + name + ","));
  const auto first = advice.json()["purchases"][0];
  CHECK(first["decided " + name] == "3");
  CHECK(first["strategy"] == "reserved");
  CHECK(first["cost_usd"]["mean"] == 1440);
  CHECK(first["choices"][name] == "3");
}

TEST_CASE("An old price list is warned of, as by compare", "[recommend]") {
  const Advice advice{held_machines()};
  const auto says = [&](const std::string& command) {
    std::ostringstream out;
    std::ostringstream err;
    Console console{.out = out,
                    .err = err,
                    .err_is_terminal = true,
                    .today = std::chrono::sys_days{std::chrono::year{2026} / 8 / 3}};
    static_cast<void>(
        run_cli({command, advice.path("s.json"), "--set", "/prices_as_of=2025-12-01"}, console));
    const std::string text = err.str();
    const std::size_t at = text.find("the price list is of 2025-12-01");
    return at == std::string::npos ? std::string{} : text.substr(at, text.find('\n', at) - at);
  };
  CHECK_THAT(says("recommend"), Contains("days before"));
  CHECK(says("recommend") == says("compare"));
}

TEST_CASE("Along a choice the page marks what misses a goal, and what is recommended", "[recommend]") {
  const Advice advice{held_machines()};
  const std::string page = advice.path("page.html");
  REQUIRE(advice.ask({"--report", page}).code == ExitCode::done);
  const std::string html = text_of(page);
  CHECK_THAT(html, Contains(R"(meets all goals     \u25cb  misses a goal     \u25ce  recommended)"));
  CHECK_THAT(html, Contains(R"("at":"2","it_is":"misses goal 1","mean":960.0)"));
  for (int machines = 1; machines <= 8; ++machines) {
    const std::size_t at = html.find(R"("at":")" + std::to_string(machines) + R"(","it_is")");
    REQUIRE(at != std::string::npos);
    const std::string row = html.substr(at, html.find('}', at) - at);
    CHECK_THAT(row, Contains(machines < 3 ? R"("misses":true)" : R"("misses":false)"));
    CHECK_THAT(row, Contains(machines == 3 ? R"("recommended":true)" : R"("recommended":false)"));
  }
}
