// `stockout slurm` as people meet it.

#include <filesystem>
#include <fstream>
#include <sstream>

#include <catch2/catch.hpp>

#include "tests/support/answer.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;
using Catch::Contains;
using test::Answer;
using test::stockout_says;

namespace {

const std::string kConf =
    "NodeName=n[1-2] CPUs=1\nPartitionName=all Nodes=ALL Default=YES\nLicenses=a:1\nEpilog=/x\n";
const std::string kJobs = "id,submit,nodes,limit,runtime\na,1,2,60,20\nb,2,1,60,10\n";

}  // namespace

TEST_CASE("stockout slurm replay says how long jobs wait, and writes when and where they ran",
          "[slurm][command]") {
  const test::ScratchFolder folder;
  const std::string conf = folder.file("slurm.conf", kConf);
  const std::string jobs = folder.file("jobs.csv", kJobs);
  const std::string played = folder.path("played.csv");
  const Answer said = stockout_says({"slurm", "replay", jobs, "--conf", conf, "--output", played});
  CHECK(said.code == ExitCode::done);
  CHECK_THAT(said.out, Contains("slurm.conf:3: Licenses"));
  CHECK_THAT(said.out, Contains("2 jobs, 0 of them never started, 0 restarts, 0 timed out"));
  CHECK_THAT(said.out, Contains("mean 11.500"));
  std::stringstream text;
  text << std::ifstream{played}.rdbuf();
  CHECK(text.str() ==
        "id,submit,start,end,restarts,timed_out,nodes\na,1.000,3.000,23.000,0,0,n1 "
        "n2\nb,2.000,23.000,33.000,0,0,n1\n");
  const Answer easy = stockout_says({"slurm", "replay", jobs, "--conf", conf, "--backfill", "easy"});
  CHECK_THAT(easy.out, Contains("mean 9.500"));  // without cycles: at 1 and 21
}

TEST_CASE("stockout slurm replay writes fields that stay fields, and that no spreadsheet runs",
          "[slurm][command]") {
  const test::ScratchFolder folder;
  const std::string conf =
      folder.file("slurm.conf", "NodeName=@n[1-2] CPUs=1\nPartitionName=all Nodes=ALL\n");
  const std::string jobs = folder.file("jobs.csv", "id,submit,nodes,limit,runtime\n\"a,1\",1,2,60,20\n");
  const std::string played = folder.path("played.csv");
  CHECK(stockout_says({"slurm", "replay", jobs, "--conf", conf, "--output", played}).code == ExitCode::done);
  std::stringstream text;
  text << std::ifstream{played}.rdbuf();
  CHECK(text.str() ==
        "id,submit,start,end,restarts,timed_out,nodes\n\"a,1\",1.000,3.000,23.000,0,0,'@n1 @n2\n");
}

TEST_CASE("stockout slurm replay refuses bad input with exit code 2", "[slurm][command][bad]") {
  const test::ScratchFolder folder;
  const std::string conf = folder.file("slurm.conf", kConf);
  const std::string jobs = folder.file("jobs.csv", kJobs);
  CHECK(stockout_says({"slurm", "replay", jobs}).code == ExitCode::bad_input);
  CHECK(stockout_says({"slurm", "replay", jobs, "--conf", jobs}).code == ExitCode::bad_input);
  CHECK(stockout_says({"slurm", "replay", conf, "--conf", conf}).code == ExitCode::bad_input);
  const Answer unknown = stockout_says({"slurm", "replay", jobs, "--conf", conf, "--backfill", "easyy"});
  CHECK(unknown.code == ExitCode::bad_input);
  CHECK_THAT(unknown.err, Contains("easy"));
  CHECK(stockout_says({"slurm", "replay", jobs, "--conf", conf, "--output", jobs}).code ==
        ExitCode::bad_input);
}

TEST_CASE("stockout slurm import writes the scenario's part, or nothing", "[slurm][command]") {
  const test::ScratchFolder folder;
  const std::string conf = folder.file("slurm.conf", kConf);
  const std::string part = folder.path("part.json");
  const Answer said = stockout_says({"slurm", "import", conf, "--out", part});
  CHECK(said.code == ExitCode::done);
  CHECK_THAT(said.out, Contains("A scenario has not:\n  node set n: its machines; it needs a reservation"));
  std::stringstream text;
  text << std::ifstream{part}.rdbuf();
  CHECK_THAT(text.str(), Catch::StartsWith("{\n  \"slurm\": {\n") && Catch::EndsWith("}\n"));

  const std::string other = folder.path("other.json");
  const std::string odd =
      folder.file("odd.conf", "NodeName=n1 State=CLOUD Gres=gpu:7\nPartitionName=p Nodes=ALL\n");
  const Answer unknown = stockout_says({"slurm", "import", odd, "--out", other});
  CHECK(unknown.code == ExitCode::bad_input);
  CHECK_THAT(unknown.err, Contains("odd.conf:1: "));
  CHECK_FALSE(std::filesystem::exists(other));
  CHECK(stockout_says({"slurm", "import", conf, "--out", conf}).code == ExitCode::bad_input);
  CHECK(stockout_says({"slurm", "import", odd, "--out", other, "--machine", "n1"}).code ==
        ExitCode::bad_input);
}

TEST_CASE("stockout slurm writes over no file that slurm.conf includes", "[slurm][command][bad]") {
  const test::ScratchFolder folder;
  const std::string nodes = folder.file("nodes.conf", kConf);
  const std::string conf = folder.file("slurm.conf", "include nodes.conf\n");
  const std::string jobs = folder.file("jobs.csv", kJobs);
  CHECK(stockout_says({"slurm", "import", conf}).code == ExitCode::done);
  CHECK(stockout_says({"slurm", "import", conf, "--out", nodes}).code == ExitCode::bad_input);
  CHECK(stockout_says({"slurm", "replay", jobs, "--conf", conf, "--output", nodes}).code ==
        ExitCode::bad_input);
}

TEST_CASE("stockout slurm import shows what Slurm takes otherwise than it is written", "[slurm][command]") {
  const test::ScratchFolder folder;
  const Answer said =
      stockout_says({"slurm", "import", folder.file("slurm.conf", "NodeName=d1 State=DOWN\n" + kConf)});
  CHECK(said.code == ExitCode::done);
  CHECK_THAT(said.out, Contains("note: ") && Contains("slurm.conf:1: nodes d1 are left out: State=DOWN"));
}

TEST_CASE("stockout slurm import shows partitions and what is not modelled", "[slurm][command]") {
  const test::ScratchFolder folder;
  const Answer said = stockout_says({"slurm", "import", folder.file("slurm.conf", kConf)});
  CHECK(said.code == ExitCode::done);
  CHECK_THAT(said.out, Contains("not modelled: ") && Contains("slurm.conf:3: Licenses"));
  CHECK_THAT(said.out, Catch::EndsWith("2 nodes, 1 partition\n"));
}
