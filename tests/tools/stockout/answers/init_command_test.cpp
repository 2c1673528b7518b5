// `stockout init`: a first scenario that validates and runs, from every history that can be read and from
// every template.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include <catch2/catch.hpp>

#include "models/starter/templates.h"
#include "models/workload/readers/fitting_formats.h"
#include "models/workload/trace.h"
#include "sim/core/error.h"
#include "tests/support/answer.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

using namespace stockout;
using namespace stockout::test;
using Catch::Contains;

namespace {

namespace fs = std::filesystem;

std::string corpus() {
  return (fs::path{STOCKOUT_SCENARIOS_DIR}.parent_path() / "tests/corpus/readers").string();
}

std::string text_of(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

// With comments of several lines in one.
std::string unwrapped(const std::string& text) {
  static const std::regex kBreak{"\n *// "};
  return std::regex_replace(text, kBreak, " ");
}

// What is made of the arguments, read again and run.
void check_runs(const ScratchFolder& folder, std::vector<std::string> arguments,
                const std::string& replications = "1") {
  const std::string out = folder.path("scenario.json");
  arguments.insert(arguments.begin(), "init");
  arguments.insert(arguments.end(), {"--out", out, "--force"});
  const Answer made = stockout_says(arguments);
  INFO(made.err);
  REQUIRE(made.code == ExitCode::done);
  const Answer valid = stockout_says({"validate", out});
  INFO(valid.err);
  REQUIRE(valid.code == ExitCode::done);
  const Answer compared = stockout_says({"compare", out, "--replications", replications});
  INFO(compared.err);
  REQUIRE(compared.code == ExitCode::done);
  CHECK_THAT(compared.out, Contains("on-demand"));
}

// A sample of the corpus without its first byte, which is for the fuzzer.
std::string sample(const ScratchFolder& folder, const std::string& name) {
  return folder.file(name, text_of(corpus() + "/" + name).substr(1));
}

std::vector<TraceFormat> formats_of(const std::string& path) {
  try {
    return fitting_formats(path);
  } catch (const InputError&) {
    return {};  // known to hold no jobs
  }
}

bool is_readable_as(const std::string& path, TraceFormat format) {
  try {
    static_cast<void>(read_trace(path, format));
    return true;
  } catch (const InputError&) {
    return false;
  }
}

// Tries the file as each format that fits it, and that no file before it has been tried as.
void check_file(const ScratchFolder& folder, const std::string& path, std::set<TraceFormat>& tried) {
  for (const TraceFormat format : formats_of(path)) {
    if (tried.contains(format) || !is_readable_as(path, format)) continue;
    const std::string name{kTraceFormatNames[static_cast<std::size_t>(format)]};
    INFO(path << " as " << name);
    check_runs(folder, {"--from", path, "--format", name});
    tried.insert(format);
  }
}

}  // namespace

TEST_CASE("Every template becomes a scenario that runs", "[init]") {
  const ScratchFolder folder;
  for (const StarterTemplate& one : starter_templates()) {
    INFO(one.name);
    check_runs(folder, {"--template", std::string{one.name}}, "2");
  }
}

TEST_CASE("A history in every format becomes a scenario that runs", "[init]") {
  const ScratchFolder folder;
  std::set<TraceFormat> tried;
  for (const auto& entry : fs::directory_iterator{corpus()})
    check_file(folder, sample(folder, entry.path().filename().string()), tried);
  CHECK(tried.size() == kTraceFormatNames.size());
}

#ifndef STOCKOUT_SANITIZED  // thousands of jobs, three times six strategies

// The smallest file of each format, as they are many and large.
TEST_CASE("Real histories become scenarios that run", "[init]") {
  const auto root = shared_path("traces/workloads");
  if (!root) return;
  std::vector<std::pair<std::uintmax_t, std::string>> files;
  for (const auto& entry : fs::recursive_directory_iterator{*root}) {
    if (entry.is_regular_file()) files.emplace_back(entry.file_size(), entry.path().string());
  }
  std::sort(files.begin(), files.end());
  const ScratchFolder folder;
  std::set<TraceFormat> tried;
  for (const auto& [bytes, path] : files) check_file(folder, path, tried);
  CHECK(tried.size() >= 5);
}

#endif

TEST_CASE("A first scenario says what was found and asks what was not", "[init]") {
  const ScratchFolder folder;
  const std::string history = sample(folder, "sacct");
  const std::string out = folder.path("scenario.json");
  const Answer made = stockout_says({"init", "--from", history, "--zone", "Europe/Berlin", "--out", out});
  REQUIRE(made.code == ExitCode::done);
  CHECK_THAT(made.out, Contains("to answer (look for ASK)") && Contains("stockout compare"));
  const std::string text = text_of(out);
  CHECK_THAT(text, Contains("\"file\": \"sacct\"") && Contains("\"format\": \"sacct\""));
  CHECK_THAT(text, Contains("\"time_zone\": \"Europe/Berlin\"") && Contains("\"h100\": \"H100-80GB\""));
  CHECK_THAT(text, Contains("\"h100\" is taken for H100-80GB") && Contains("// Teams: ml ("));
  CHECK_THAT(text, Contains("// unknown") && Contains("\"rule\": \"size of the pools\""));
  CHECK_THAT(text, Contains("// \"commitments\": ") && Contains("// \"checkpoint\": "));
}

TEST_CASE("Prices of a billing export, in either layout, lie over the list", "[init]") {
  const ScratchFolder folder;
  const std::string bill = folder.file(
      "july.csv",
      "machine_spec,region,sku,amount,unit,cost,credits,usage_start_time\n"
      "a3-highgpu-8g,us-east4,Nvidia H100 80GB GPU running in Virginia,80,hour,600,-60,2026-07-01\n");
  const std::string out = folder.path("scenario.json");
  const Answer made = stockout_says({"init", "--template", "quickstart", "--billing", bill, "--out", out});
  INFO(made.err);
  REQUIRE(made.code == ExitCode::done);
  CHECK_THAT(text_of(out),
             Contains("\"usd_per_hour\": 54.0") && Contains("\"label\": \"charged 2026-07-01 to"));
  CHECK_THAT(text_of(out), Contains("\"place\": \"us-east4\""));
  const Answer none = stockout_says({"init", "--template", "quickstart", "--billing", sample(folder, "openb"),
                                     "--out", folder.path("other.json")});
  CHECK(none.code == ExitCode::bad_input);
  CHECK_THAT(none.err, Contains("has the columns of none of the layouts bigquery and focus"));
}

TEST_CASE("A bill in euros becomes prices in USD, and a bill is no history", "[init]") {
  const ScratchFolder folder;
  const std::string bill = folder.file(
      "july.csv",
      "machine_spec,region,sku,amount,unit,cost,usage_start_time,currency,currency_conversion_rate\n"
      "a3-highgpu-8g,us-east4,Nvidia H100 80GB GPU running in Virginia,80,hour,460,2026-07-01,EUR,0.92\n");
  const std::string out = folder.path("scenario.json");
  REQUIRE(stockout_says({"init", "--template", "quickstart", "--billing", bill, "--out", out}).code ==
          ExitCode::done);
  CHECK_THAT(text_of(out),
             Contains("\"usd_per_hour\": 50.0") &&
                 Contains("// 1 row in EUR became USD at 0.92 for one, by the export's own rates"));
  const Answer history = stockout_says({"init", "--from", bill, "--out", folder.path("other.json")});
  CHECK(history.code == ExitCode::bad_input);
  CHECK_THAT(history.err, Contains("is a bill, not a history: name it with --billing"));
  const std::string jobs =
      folder.file("jobs.csv", "submit,start,end,outcome,gpus,sku,cost_center\n0,60,3660,completed,8,x,7\n");
  CHECK(stockout_says({"init", "--from", jobs, "--out", folder.path("jobs.json")}).code == ExitCode::done);
  CHECK_THAT(
      stockout_says({"init", "--template", "quickstart", "--usd-rate", "0.92", "--out", out, "--force"}).err,
      Contains("--usd-rate: is for the charges of --billing FILE"));
}

TEST_CASE("A scenario that is there is not replaced unasked, and nothing is half-written", "[init]") {
  const ScratchFolder folder;
  const std::string out = folder.file("mine.json", "mine");
  const Answer refused = stockout_says({"init", "--template", "spot", "--out", out});
  CHECK(refused.code == ExitCode::bad_input);
  CHECK_THAT(refused.err, Contains("is there already") && Contains("--force"));
  CHECK(text_of(out) == "mine");
  CHECK(stockout_says({"init", "--template", "spot", "--out", out, "--force"}).code == ExitCode::done);

  const std::string bad = folder.file("bad.txt", "nothing\n");
  const std::string other = folder.path("other.json");
  CHECK(stockout_says({"init", "--from", bad, "--out", other}).code == ExitCode::bad_input);
  CHECK_FALSE(fs::exists(other));
}

TEST_CASE("A first scenario of a history with one class keeps it", "[init]") {
  const ScratchFolder folder;
  const std::string out = folder.path("scenario.json");
  const auto text_for = [&](const std::string& header, const std::string& row) {
    const std::string file = folder.file("jobs.csv", header + "\n" + row + "\n");
    REQUIRE(stockout_says({"init", "--from", file, "--out", out, "--force"}).code == ExitCode::done);
    return text_of(out);
  };
  CHECK_THAT(text_for("submit,duration,gpus,class", "2026-08-03 09:00,1h,8,train"),
             !Contains("class_by_length"));
  CHECK_THAT(text_for("submit,duration,gpus", "2026-08-03 09:00,1h,8"), Contains("class_by_length"));
}

// Two jobs of 8 GPUs, submitted within an hour, run for 20 h each: 16 at once, and 16 x 20 / 21 on average.
TEST_CASE("GPUs in use on average are those until the last job ends", "[init]") {
  const ScratchFolder folder;
  const std::string out = folder.path("scenario.json");
  const std::string file =
      folder.file("jobs.csv", "submit,duration,gpus\n2026-08-03 09:00,20h,8\n2026-08-03 10:00,20h,8\n");
  REQUIRE(stockout_says({"init", "--from", file, "--out", out}).code == ExitCode::done);
  CHECK_THAT(text_of(out), Contains("your jobs had 16 GPUs at once, and 15.2 on average."));
}

// The same word is an A100 of 40 and of 80 GB: what is held and charged tells which.
TEST_CASE("GPUs that are called alike are those that the planner holds or is charged for", "[init]") {
  const ScratchFolder folder;
  const std::string jobs = folder.file("jobs.csv", "submit,duration,gpus,gpu\n2026-08-03 09:00,1h,8,a100\n");
  const std::string held =
      folder.file("held.json", R"([{"name": "c", "region": "r/us-central1", "status": "ACTIVE",
    "plan": "TWELVE_MONTH", "startTimestamp": "2026-01-07T00:00:00.000-08:00", "resources": [
      {"type": "VCPU", "amount": "96"}, {"type": "ACCELERATOR", "amount": "8", "acceleratorType": "nvidia-tesla-a100"}]}])");
  const auto text_for = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"--from", jobs};
    arguments.insert(arguments.end(), more.begin(), more.end());
    check_runs(folder, arguments);
    return unwrapped(text_of(folder.path("scenario.json")));
  };
  const std::string alone = text_for({});
  CHECK_THAT(alone, Contains("\"a100\" is taken for A100-80GB, but may be A100-40GB.") &&
                        Contains("\"a100\": \"A100-80GB\""));
  const std::string known = text_for({"--from", held});
  CHECK_THAT(known, Contains("\"a100\" is taken for A100-40GB, which you hold.") &&
                        Contains("\"family\": \"a2-highgpu\""));
  CHECK_THAT(known, !Contains("but may be"));
  const std::string row = ",us-central1,GPU,8,hour,20,2026-07-01\n";
  const std::string bill = folder.file(
      "july.csv", "machine_spec,region,sku,amount,unit,cost,usage_start_time\na2-ultragpu-8g" + row);
  CHECK_THAT(text_for({"--billing", bill}), Contains("taken for A100-80GB, which you are charged for."));
  CHECK_THAT(text_for({"--billing", bill, "--from", held}), Contains("but may be"));
}

TEST_CASE("Where neither the planner nor the file says the time zone, a first scenario asks for it",
          "[init]") {
  const ScratchFolder folder;
  const auto asks = [&](const std::string& submit, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{
        "--from", folder.file("jobs.csv", "submit,duration,gpus\n" + submit + ",1h,8\n")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    check_runs(folder, arguments);
    return text_of(folder.path("scenario.json")).find("// ASK: of which zone are the times") !=
           std::string::npos;
  };
  CHECK(asks("2026-08-03 09:00"));
  CHECK_FALSE(asks("2026-08-03 09:00", {"--zone", "UTC"}));
  CHECK_FALSE(asks("2026-08-03T09:00:00+02:00"));
  CHECK_FALSE(asks("0"));
  CHECK_FALSE(asks("1785747600"));  // seconds since 1970, and milliseconds
  CHECK_FALSE(asks("1785747600000"));
}

TEST_CASE("init warns on the terminal of what must not be used as it is", "[init]") {
  const ScratchFolder folder;
  const std::string out = folder.path("scenario.json");
  const std::string bill =
      folder.file("july.csv",
                  "machine_spec,region,sku,amount,unit,cost,credits,usage_start_time\n"
                  "a3-highgpu-8g,us-east4,Nvidia H100 80GB GPU running in Virginia,80,hour,600,0,2026-07-01\n"
                  "a3-highgpu-8g,us-east4,Commitment v1: Nvidia H100 for 1 Year,8,hour,60,0,2026-07-01\n");
  const Answer made = stockout_says({"init", "--template", "spot", "--billing", bill, "--out", out});
  REQUIRE(made.code == ExitCode::done);
  CHECK_THAT(made.out, Contains("not used: 1 row, 60.00 USD: a commitment's fee or use"));
  const Answer nowhere = stockout_says({"init", "--template", "spot", "--out", folder.path("none/s.json")});
  CHECK(nowhere.code == ExitCode::bad_input);
  CHECK_THAT(nowhere.err, Contains("there is no folder " + folder.path("none")));
}

TEST_CASE("init tells of broken rows, and asks for GPUs that no column counts", "[init]") {
  const ScratchFolder folder;
  const std::string data = STOCKOUT_GOLDEN_DIR "/../data/";
  check_runs(folder, {"--from", data + "dirty-history.csv"});
  const std::string text = text_of(folder.path("scenario.json"));
  CHECK_THAT(text, Contains("broken rows, which were left out: column \"start\""));
  CHECK_THAT(text, Contains("line 2: \"n/a\""));
  CHECK_THAT(text, Contains("ASK: how many GPUs has a job?"));
  check_runs(folder, {"--from", data + "dirty-vertex.json"});
  const std::string jobs = text_of(folder.path("scenario.json"));
  CHECK_THAT(jobs, Contains("line 1, item 6 (train-21): \"yesterday\""));
  CHECK_THAT(jobs, !Contains("ASK: how many GPUs has a job?"));
}

TEST_CASE("init says what it takes", "[init]") {
  const ScratchFolder folder;
  const std::string out = folder.path("scenario.json");
  CHECK_THAT(stockout_says({"init", "--out", out}).err,
             Contains("--template quickstart|spot|reserve|deadline"));
  CHECK_THAT(stockout_says({"init", "--template", "sport", "--out", out}).err,
             Contains("did you mean \"spot\"?"));
  CHECK_THAT(
      stockout_says({"init", "--template", "spot", "--from", sample(folder, "sacct"), "--out", out}).err,
      Contains("has jobs of its own"));
  const std::string once = sample(folder, "sacct");
  CHECK_THAT(stockout_says({"init", "--from", once, "--from", once, "--out", out}).err,
             Contains("names " + once + " twice"));
  const std::string nothing = folder.file("nothing.csv", "");
  CHECK_THAT(stockout_says({"init", "--from", nothing, "--out", out}).err, Contains("nothing.csv: is empty"));
}

TEST_CASE("What is held already lands in a first scenario, with its ends", "[init][inventory]") {
  const ScratchFolder folder;
  const std::string data = STOCKOUT_GOLDEN_DIR "/../data/";
  check_runs(folder, {"--from", sample(folder, "sacct"), "--from", data + "reservations.json", "--from",
                      data + "commitments.json"});
  const std::string text = text_of(folder.path("scenario.json"));
  CHECK_THAT(text, Contains(R"("name": "train-h100")") && Contains(R"("added_supply": true)"));
  CHECK_THAT(text, Contains(R"("until": "2026-10-15")"));
  CHECK_THAT(text, Contains(R"("end": "2027-03-03")") && Contains(R"("end": "2028-01-07")"));
  CHECK_THAT(text, Contains(R"("reservation": "train-h100")") && !Contains("what is commitment"));
  CHECK_THAT(text, Contains(R"("name": "what is held, else on-demand")"));
  CHECK_THAT(text,
             Contains("// No job here runs on these") && Contains("// reservation tpus: it is of TPUs"));
  CHECK_THAT(text, Contains("// commitment over: its status is EXPIRED."));
  CHECK_THAT(text, !Contains("ASK: which reservations") && !Contains("ASK: which commitments"));
}

// Held from the first day, it would be paid, and serve, before it is there.
TEST_CASE("A booking whose first day no list says is in no strategy", "[init][inventory]") {
  const ScratchFolder folder;
  const std::string data = STOCKOUT_GOLDEN_DIR "/../data/";
  const std::string jobs = folder.file(
      "jobs.csv", "submit,duration,gpus,gpu\n2026-09-28 09:00,1h,8,h100\n2026-10-09 09:00,1h,8,h100\n");
  check_runs(folder, {"--from", jobs, "--from", data + "reservations.json"});
  const std::string text = text_of(folder.path("scenario.json"));
  CHECK_THAT(text, Contains("// ASK: from which day on is it there?"));
  CHECK_THAT(text, Contains("    //   \"name\": \"calendar-october\""));
  CHECK_THAT(text, Contains(R"("reservation": "train-h100")"));
  CHECK_THAT(text, Contains("// ASK: what is commitment h100-year? It is in no list"));

  check_runs(folder, {"--from", jobs, "--from", data + "reservations.json", "--from",
                      data + "future-reservations.json", "--from", data + "commitments.json"});
  const std::string known = text_of(folder.path("scenario.json"));
  CHECK_THAT(known, Contains(R"("from": "2026-10-01")") && !Contains("ASK: from which day on"));
  CHECK_THAT(known, Contains(R"("reservation": ["train-h100", "calendar-october"])"));

  const std::string before =
      folder.file("before.csv", "submit,duration,gpus,gpu\n2026-08-28 09:00,1h,8,h100\n");
  check_runs(folder, {"--from", before, "--from", data + "reservations.json", "--from",
                      data + "future-reservations.json"});
  CHECK_THAT(text_of(folder.path("scenario.json")), Contains("// It begins after the last day."));
}

TEST_CASE("Lists of what is held stand beside a template, and are no jobs", "[init][inventory]") {
  const ScratchFolder folder;
  const std::string list = folder.file("held.json", R"([
    {"name": "over", "zone": "z/us-central1-a", "deleteAtTime": "2026-01-02T00:00:00-08:00",
     "specificReservation": {"count": "2", "instanceProperties": {"machineType": "a3-highgpu-8g"}}},
    {"name": "reserved", "zone": "z/us-central1-a",
     "specificReservation": {"count": "3", "instanceProperties": {"machineType": "a3-highgpu-8g"}}}])");
  const std::string none = folder.file("none.json", "[]\n");
  check_runs(folder, {"--template", "reserve", "--from", list, "--from", none});
  const std::string text = text_of(folder.path("scenario.json"));
  CHECK_THAT(text, Contains("// It is over before the first day.\n    // {\n    //   \"name\": \"over\""));
  CHECK_THAT(text, Contains(R"("name": "reserved more")"));
  CHECK_THAT(text, Contains("ASK: which commitments do you have already"));
  const Answer answer = stockout_says({"init", "--from", list, "--out", folder.path("other.json")});
  CHECK(answer.code == ExitCode::bad_input);
  CHECK_THAT(answer.err, Contains("names no jobs, but what you hold: name a history"));
  CHECK_THAT(stockout_says({"trace", "info", list}).err,
             Contains("is a list of reservations or commitments, and holds no jobs"));
}

TEST_CASE("Quiet working days become a calendar of holidays to switch on", "[init]") {
  const ScratchFolder folder;
  std::string rows = "submit,duration,gpus\n";
  for (int day = 1; day <= 28; ++day) {
    const bool is_quiet = day == 5 || day == 6;  // Monday and Tuesday
    for (int hour = 0; hour < (is_quiet ? 1 : 8); ++hour) {
      rows += "2026-01-" + std::string(day < 10 ? "0" : "") + std::to_string(day) + " " +
              std::to_string(10 + hour) + ":00,1h,8\n";
    }
  }
  check_runs(folder, {"--from", folder.file("jobs.csv", rows)});
  CHECK_THAT(text_of(folder.path("scenario.json")),
             Contains(R"("name": "holidays", "from": "2026-01-05", "until": "2026-01-07", "times": 0.13)"));
  check_runs(folder, {"--template", "quickstart"});
  CHECK_THAT(text_of(folder.path("scenario.json")), Contains("ASK: on which days does nearly nobody work?"));
}
