#include <fstream>
#include <iterator>
#include <sstream>

#include <catch2/catch.hpp>

#include "sim/core/error.h"
#include "tests/support/answer.h"
#include "tests/support/scratch_folder.h"
#include "tools/stockout/prices/catalog_listing.h"

using namespace stockout;
using namespace stockout::test;
using Catch::Contains;

namespace {

// The first line that holds the words: a pattern over a whole page takes a deep stack.
std::string line_with(const std::string& words, const std::string& page) {
  const std::size_t at = page.find(words);
  if (at == std::string::npos) return {};
  const std::size_t begin = page.rfind('\n', at) + 1;  // 0 if there is no line before
  return page.substr(begin, page.find('\n', at) - begin);
}

}  // namespace

TEST_CASE("stockout catalog lists every machine and what it is sold as", "[catalog][command]") {
  const Answer said = stockout_says({"catalog"});
  CHECK(said.code == ExitCode::done);
  CHECK(said.err.empty());
  CHECK_THAT(said.out,
             Contains("a3-highgpu-2g") && Contains("spot flex_start") && Contains("n1-standard-8+t4"));
  CHECK_THAT(said.out, Contains("name a --gpu or a --region"));
}

TEST_CASE("stockout catalog shows a price with its age, how well it is known, and its source",
          "[catalog][command]") {
  const Answer said =
      stockout_says({"catalog", "--gpu", "H100-80GB", "--region", "us-central1", "--date", "2026-07-30"});
  CHECK(said.code == ExitCode::done);
  CHECK_THAT(said.out, Contains("Prices as of 2026-07-30\n"));
  CHECK_THAT(
      said.out,
      Catch::Matches("[^]*a3-highgpu-8g +us-central1 +flex_start +38\\.3200 +4\\.7900 +2025-08-16 +348 +"
                     "documented +\\[3\\]\n[^]*"));
  CHECK_THAT(said.out, Contains("inferred") && Contains("[1] Billing Catalog API"));
  CHECK_THAT(said.out, Contains("No price known: a3-edgegpu-8g."));
  CHECK_THAT(said.out, !Contains("us-east4") && !Contains("a3-megagpu-8g"));
}

TEST_CASE("A price from before the date asked for is not one from after it", "[catalog][command]") {
  const Answer said =
      stockout_says({"catalog", "--gpu", "H100-80GB", "--region", "us-central1-a", "--date", "2025-01-17"});
  CHECK_THAT(said.out, Contains("2024-12-01") && !Contains("2025-08-16"));
}

TEST_CASE("The beginning of a GPU's name is enough, in any case of letters", "[catalog][command]") {
  const Catalog catalog = Catalog::embedded();
  CHECK(gpus_named(catalog, "h100").size() == 2);
  CHECK(gpus_named(catalog, "A100").size() == 2);
  CHECK(gpus_named(catalog, "l4") == std::vector{*catalog.find_gpu("L4")});
  CHECK_THROWS_AS(gpus_named(catalog, ""), InputError);
}

TEST_CASE("stockout catalog tells what it does not know, with exit code 2", "[catalog][command][bad]") {
  const auto [arguments, words] = GENERATE(table<std::vector<std::string>, std::string>({
      {{"catalog", "--gpu", "H1000"}, "there is no GPU type \"H1000\""},
      {{"catalog", "--region", "us-cental1"}, "did you mean \"us-central1\"?"},
      {{"catalog", "--date", "30.7.2026"}, "must be a day from 1990-01-01 to 2199-12-31, such as 2026-07-30"},
      {{"catalog", "--catalog", "/no/such/folder"}, "there is no such file"},
  }));
  const Answer said = stockout_says(arguments);
  CHECK(said.code == ExitCode::bad_input);
  CHECK(said.out.empty());
  CHECK_THAT(said.err, Contains(words));
}

TEST_CASE("stockout catalog --orchestrators shows the matrix and the rules", "[catalog][command]") {
  const Answer said = stockout_says({"catalog", "--orchestrators"});
  CHECK(said.code == ExitCode::done);
  CHECK_THAT(line_with("flex_start ", said.out),
             Catch::Matches("flex_start +never \\[\\d+\\] +2024-09-01 \\[\\d+\\] +never.*"));
  CHECK_THAT(said.out, Contains("Two models together") && Contains("as of 2024-12; nothing later"));
  CHECK_THAT(line_with("slurm           spot                 retry_interval", said.out),
             Catch::Matches("slurm +spot +retry_interval +2min 1s +usual +\\[\\d+\\]"));
  CHECK_THAT(said.out, Contains("120s + 1s to be eligible again"));
  CHECK(stockout_says({"catalog", "--orchestrators", "--gpu", "H100"}).code == ExitCode::bad_input);
}

TEST_CASE("stockout prices: a bill becomes a table and a list for a scenario", "[catalog][command]") {
  const test::ScratchFolder folder;
  const std::string bill = folder.file("bill.csv",
                                       "machine_spec,region,sku,amount,unit,cost\na3-highgpu-8g,us-central1,"
                                       "Nvidia H100 80GB GPU,8,hour,61.94\n");
  const std::string list = folder.path("prices.json");
  const Answer said = stockout_says({"prices", bill, "--format", "bigquery", "--out", list});
  CHECK(said.code == ExitCode::done);
  CHECK_THAT(said.out, Contains("a3-highgpu-8g") && Contains("61.9400") && Contains("88.4900"));
  std::ifstream in{list};
  const std::string text{std::istreambuf_iterator<char>{in}, {}};
  CHECK_THAT(text, Contains("\"usd_per_hour\": 61.94") && Contains("\"model\": \"on_demand\""));

  CHECK(stockout_says({"prices", bill, "--format", "bigquery", "--out", bill}).code == ExitCode::bad_input);
  CHECK_THAT(stockout_says({"prices", bill, "--format", "focs"}).err, Contains("focus"));
  CHECK(stockout_says({"prices", bill}).out == stockout_says({"prices", bill, "--format", "bigquery"}).out);
}

TEST_CASE("stockout prices says how charges in another currency became USD", "[catalog][command]") {
  const test::ScratchFolder folder;
  const std::string bill =
      folder.file("bill.csv",
                  "machine_spec,region,sku,amount,unit,cost,currency\na3-highgpu-8g,us-central1,"
                  "Nvidia H100 80GB GPU,8,hour,46,EUR\n");
  CHECK_THAT(stockout_says({"prices", bill}).err,
             Contains("charges are in \"EUR\"") && Contains("--usd-rate"));
  const Answer said = stockout_says({"prices", bill, "--usd-rate", "0.92"});
  CHECK(said.code == ExitCode::done);
  CHECK_THAT(said.out,
             Contains("50.0000") && Contains("1 row in EUR became USD at 0.92 for one, as you say."));
  CHECK(stockout_says({"prices", bill, "--usd-rate", "0"}).code == ExitCode::bad_input);
}

TEST_CASE("stockout prices --query prints the query for a table and days", "[catalog][command]") {
  const auto asked = [](const std::string& from, const std::string& until, const std::string& table) {
    return stockout_says({"prices", "--query", "--from", from, "--until", until, "--table", table});
  };
  const Answer said = asked("2026-07-01", "2026-08-01", "acme.billing.export");
  CHECK(said.code == ExitCode::done);
  CHECK_THAT(said.out, Contains("FROM `acme.billing.export`") && Contains("GROUP BY machine_spec"));
  CHECK_THAT(asked("2026-07-01", "2026-07-01", "a.b.c").err,
             Contains("--until: must be later than 2026-07-01"));
  CHECK_THAT(asked("July", "2026-08-01", "a.b.c").err, Contains("--from: must be a day as 2026-07-01"));
  CHECK_THAT(asked("2026-07-01", "2026-08-01", "a.b").err,
             Contains("--table: must be PROJECT.DATASET.TABLE"));
  CHECK_THAT(stockout_says({"prices", "--query"}).err, Contains("--from: is missing"));
  CHECK_THAT(stockout_says({"prices", "x.csv", "--query"}).err, Contains("leave one of the two out"));
  CHECK_THAT(stockout_says({"prices"}).err, Contains("or ask for the query"));
}

TEST_CASE("stockout catalog cheapest lists what an hour of work costs on each GPU",
          "[catalog][command][speed]") {
  const std::string folder = STOCKOUT_SCENARIOS_DIR;
  const Answer said =
      stockout_says({"catalog", "cheapest", folder + "/which-gpu.json", "--region", "us-central1"});
  CHECK(said.err.empty());
  REQUIRE(said.code == ExitCode::done);
  CHECK_THAT(
      said.out,
      Contains("training, 2 nodes of 8 GPUs, 60 GB of memory each: $ per GPU-hour of work as on A100-80GB") &&
          Contains("fine-tuning, 1 node of 1 GPU, 20 GB of memory each"));
  CHECK_THAT(said.out, Contains("From prices as of 2026-08-03 and speeds alone: nothing waits"));
  // $38.40 an hour for two machines, 16 GPUs at the reference's speed.
  CHECK_THAT(
      said.out,
      Contains("     2.40      1     38.40  a2-ultragpu-8g  A100-80GB       flex_start  us-central1  yes"));
  CHECK(said.out.find("a3-megagpu-8g   H100-MEGA-80GB  flex_start") <
        said.out.find("a2-ultragpu-8g  A100-80GB       flex_start"));
  CHECK(
      stockout_says({"catalog", "cheapest", folder + "/which-gpu.json"}).out.find("in its cheapest region") !=
      std::string::npos);
  CHECK_THAT(stockout_says({"catalog", "cheapest", folder + "/which-gpu.json", "--set",
                            "/workload/1/gpu_memory=30", "--region", "us-central1"})
                 .out,
             Contains("L4") && Contains("  no\n"));
}

TEST_CASE("stockout catalog cheapest says what it cannot answer", "[catalog][command][speed]") {
  const std::string folder = STOCKOUT_SCENARIOS_DIR;
  const auto error = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"catalog", "cheapest"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Answer said = stockout_says(arguments);
    CHECK(said.code == ExitCode::bad_input);
    CHECK(said.out.empty());
    return said.err;
  };
  CHECK_THAT(error({folder + "/by-hand.json"}), Contains("/workload: no source has \"speed\""));
  CHECK_THAT(error({folder + "/which-gpu.json", "--region", "us-central1-a"}),
             Contains("is a zone; its region is \"us-central1\""));
  CHECK_THAT(error({folder + "/which-gpu.json", "--region", "us-centrl1"}),
             Contains("did you mean \"us-central1\""));
}
