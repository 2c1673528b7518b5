#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <catch2/catch.hpp>

#include "models/catalog/catalog.h"
#include "models/catalog/orchestrators.h"
#include "sim/core/error.h"

using namespace stockout;
using Catch::Contains;

namespace {

// A small catalogue in a folder of its own that is gone when the test ends.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "stockout-catalog-XXXXXX").string();
    path_ = mkdtemp(name.data());
    write("sources.csv", "source,text\nme,my own price list\n");
    write("machines.csv", kMachineHeader + kMachine);
    write("places.csv", "place,region,families,sources\nhere,here,box,me\nhere-a,here,box,me\n");
    write("prices.csv", kPriceHeader + "box-8,here,spot,1.25,2026-07-30,documented,me,\n");
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  void write(const std::string& name, const std::string& text) const { std::ofstream{path_ / name} << text; }
  void remove(const std::string& name) const { std::filesystem::remove(path_ / name); }
  [[nodiscard]] Catalog read() const { return Catalog::from_folder(path_.string()); }

  /// The error, without the folder's name.
  [[nodiscard]] std::string error() const {
    try {
      (void)read();
    } catch (const InputError& error) {
      return std::string{error.what()}.substr(path_.string().size() + 1);
    }
    return "nothing is wrong";
  }

  /// The error with one price row more.
  [[nodiscard]] std::string error_of_price(const std::string& row) const {
    write("prices.csv", kPriceHeader + "box-8,here,spot,1.25,2026-07-30,documented,me,\n" + row + "\n");
    return error();
  }
  /// The error with one machine more.
  [[nodiscard]] std::string error_of_machine(const std::string& row) const {
    write("machines.csv", kMachineHeader + kMachine + row + "\n");
    return error();
  }
  /// The error with one place more.
  [[nodiscard]] std::string error_of_place(const std::string& row) const {
    write("places.csv", "place,region,families,sources\nhere,here,box,me\n" + row + "\n");
    return error();
  }

 private:
  const std::string kMachineHeader =
      "machine_type,family,gpu,gpus,host_gpus,gpu_memory_gb,vcpus,memory_gb,network_gbps,on_demand,spot,"
      "flex_start,calendar,reservation,source,note\n";
  const std::string kMachine =
      "box-8,box,X1,8,8,80,64,512.5,100,yes,yes,no,no,yes,me,\"a note, with a comma\"\n";
  const std::string kPriceHeader = "machine_type,region,model,usd_per_hour,as_of,confidence,source,note\n";
  std::filesystem::path path_;
};

}  // namespace

TEST_CASE("A folder with the four files is a catalogue", "[catalog]") {
  const Folder folder;
  const Catalog catalog = folder.read();
  REQUIRE(catalog.machines().size() == 2);  // and the generic one
  CHECK(catalog.machines()[0].note == "a note, with a comma");
  CHECK(catalog.machines()[0].memory_gb == 512.5);
  CHECK(catalog.find_place("here-a")->region == "here");
  const PriceLookup price = catalog.price(MachineId{0}, "here", PriceModel::spot, *parse_date("2026-08-01"));
  REQUIRE(price);
  CHECK(price.row->price == MachineHourPrice{1'250'000'000});
  CHECK(to_text(catalog.latest()) == "2026-07-30");
}

TEST_CASE("A file that is missing, empty or has other columns is named", "[catalog][bad]") {
  const Folder folder;
  SECTION("missing") {
    folder.remove("prices.csv");
    CHECK_THAT(folder.error(), Contains("prices.csv: there is no such file"));
  }
  SECTION("empty") {
    folder.write("machines.csv", "");
    CHECK_THAT(folder.error(),
               Contains("machines.csv: is empty; expected the header machine_type,family,gpu"));
  }
  SECTION("header only") {
    folder.write("sources.csv", "source,text\n");
    CHECK(folder.error() == "sources.csv: has a header and nothing else");
  }
  SECTION("unknown column") {
    folder.write("sources.csv", "source,texts\nme,x\n");
    CHECK(folder.error() == "sources.csv:1: there is no column \"texts\", did you mean \"text\"?");
  }
  SECTION("missing column") {
    folder.write("sources.csv", "source\nme\n");
    CHECK(folder.error() == "sources.csv:1: column \"text\" is missing");
  }
  SECTION("too few fields") {
    folder.write("sources.csv", "source,text\nme,mine\nyou\n");
    CHECK(folder.error() == "sources.csv:3: has 1 fields, but the header has 2");
  }
  SECTION("not text") {
    folder.write("sources.csv", "source,text\nme,\xff\xfe\n");
    CHECK_THAT(folder.error(), Contains("sources.csv:2: "));
  }
}

TEST_CASE("A source is named once and says something", "[catalog][bad]") {
  const Folder folder;
  folder.write("sources.csv", "source,text\nme,mine\nme,mine\n");
  CHECK(folder.error() == "sources.csv:3: source: \"me\" is there twice");
  folder.write("sources.csv", "source,text\nme,\n");
  CHECK(folder.error() == "sources.csv:2: text: must not be empty");
}

TEST_CASE("A machine that cannot be is refused by line and column", "[catalog][bad]") {
  const Folder folder;
  const auto error = [&](const std::string& row) { return folder.error_of_machine(row); };
  CHECK(error("box-8,box,X1,8,8,80,64,512,100,yes,yes,no,no,yes,me,") ==
        "machines.csv:3: machine_type: \"box-8\" is there twice");
  CHECK_THAT(error("box 9,box,X1,8,8,80,64,512,100,yes,yes,no,no,yes,me,"),
             Contains("machine_type: must be a name of letters"));
  CHECK_THAT(error("box-9,box,X1,0.125,8,80,64,512,100,yes,yes,no,no,yes,me,"),
             Contains("gpus: must be a whole number from 1 to 1024, but is \"0.125\""));
  CHECK_THAT(error("box-9,box,X1,-8,8,80,64,512,100,yes,yes,no,no,yes,me,"),
             Contains("gpus: must be a whole number"));
  CHECK_THAT(error("box-9,box,X1,3,8,80,64,512,100,yes,yes,no,no,yes,me,"),
             Contains("host_gpus: must be a multiple"));
  CHECK_THAT(error("box-9,box,X1,8,8,nan,64,512,100,yes,yes,no,no,yes,me,"),
             Contains("gpu_memory_gb: must be a number"));
  CHECK_THAT(error("box-9,box,X1,8,8,80,64,512,1e300,yes,yes,no,no,yes,me,"),
             Contains("network_gbps: must be a number"));
  CHECK_THAT(error("box-9,box,X1,8,8,80,64,512,100,maybe,yes,no,no,yes,me,"),
             Contains("on_demand: must be yes, no or unknown"));
  CHECK_THAT(error("box-9,box,X2,8,8,80,64,512,100,yes,yes,no,no,yes,me,"),
             Contains("a family has one GPU type"));
  CHECK_THAT(error("box-9,box,X1,8,16,80,64,512,100,yes,yes,no,no,yes,me,"), Contains("one host size"));
  CHECK_THAT(error("box-9,box,X1,8,8,80,64,512,100,yes,yes,no,no,yes,you,"),
             Contains("there is no source \"you\""));
  CHECK_THAT(error("generic,box,X1,8,8,80,64,512,100,yes,yes,no,no,yes,me,"),
             Contains("belongs to the built-in machine"));
}

TEST_CASE("A place that cannot be is refused by line", "[catalog][bad]") {
  const Folder folder;
  const auto error = [&](const std::string& row) { return folder.error_of_place(row); };
  CHECK(error("here,here,box,me") == "places.csv:3: place: \"here\" is there twice");
  CHECK_THAT(error("there-a,there,box,me"),
             Contains("places.csv:3: region: \"there\" must have a line of its own"));
  CHECK_THAT(error("here-a,here,boxes,me"), Contains("families: there is no machine family \"boxes\""));
  CHECK_THAT(error("here-a,here,,me"), Contains("families: must name at least one"));
  CHECK_THAT(error("here-a,here,box,you"), Contains("there is no source \"you\""));
  CHECK_THAT(error("generic,generic,box,me"), Contains("belongs to the built-in place"));
}

TEST_CASE("A price that cannot be is refused by line and column", "[catalog][bad]") {
  const Folder folder;
  const auto error = [&](const std::string& row) { return folder.error_of_price(row); };
  CHECK(error("box-8,here,spot,9,2026-07-30,documented,me,") ==
        "prices.csv:3: has the same machine, region, model and day as line 2");
  CHECK_THAT(error("box-9,here,spot,9,2026-07-31,documented,me,"),
             Contains("there is no machine type \"box-9\", did you mean \"box-8\"?"));
  CHECK_THAT(error("generic,here,spot,9,2026-07-31,documented,me,"),
             Contains("generic is no product and has no price"));
  CHECK_THAT(error("box-8,here-a,spot,9,2026-07-31,documented,me,"),
             Contains("there is no region \"here-a\""));
  CHECK_THAT(error("box-8,here,sport,9,2026-07-31,documented,me,"), Contains("did you mean \"spot\"?"));
  for (const char* price :
       {"-1", "0", "1e9", "nan", "inf", "", "1,5", "$2", "1e-12", "99999999999999999999"}) {
    CAPTURE(price);
    CHECK_THAT(error("box-8,here,spot,\"" + std::string{price} + "\",2026-07-31,documented,me,"),
               Contains("prices.csv:3: usd_per_hour: must be dollars per machine-hour"));
  }
  CHECK_THAT(error("box-8,here,spot,9,2026H2,documented,me,"),
             Contains("as_of: must be a day from 1990-01-01 to 2199-12-31, such as 2026-07-30"));
  CHECK_THAT(error("box-8,here,spot,9,2026-07-31,sure,me,"),
             Contains("confidence: must be one of documented"));
  CHECK_THAT(error("box-8,here,spot,9,2026-07-31,documented,you,"), Contains("there is no source \"you\""));
}

TEST_CASE("A folder may do without orchestrators.csv, but not with a wrong one", "[catalog][bad]") {
  const Folder folder;
  CHECK(folder.read().validity().empty());
  const auto error = [&](const std::string& rows) {
    folder.write("orchestrators.csv",
                 "orchestrator,model,with,within,from,until,confidence,source,note\n" + rows + "\n");
    return folder.error();
  };
  CHECK(error("vertex,spot,,,2024-09-01,2025-01-01,documented,me,") == "nothing is wrong");
  const ValidityRow row = folder.read().validity()[0];
  CHECK_FALSE(row.holds_on(*parse_date("2024-08-31")));
  CHECK(row.holds_on(*parse_date("2024-09-01")));
  CHECK(row.holds_on(*parse_date("2024-12-31")));
  CHECK_FALSE(row.holds_on(*parse_date("2025-01-01")));
  CHECK_THAT(
      why_not(folder.read(), OrchestratorName::vertex, "spot", *parse_date("2025-01-01")),
      Contains(
          "vertex takes spot only from 2024-09-01 until 2025-01-01, and not on 2025-01-01; it takes none"));
  CHECK_THAT(why_not(folder.read(), OrchestratorName::gke, "spot", *parse_date("2025-01-01")),
             Contains("the catalogue does not say whether gke takes spot"));

  CHECK(error("") == "orchestrators.csv: has a header and nothing else");
  CHECK_THAT(error("vertx,spot,,,always,,documented,me,"),
             Contains("orchestrators.csv:2: orchestrator: there is no orchestrator \"vertx\""));
  CHECK_THAT(error("vertex,,,,always,,documented,me,"), Contains("model: must be a name"));
  CHECK_THAT(error("vertex,spot,spot,job,always,,documented,me,"), Contains("with: must be another model"));
  CHECK_THAT(error("vertex,spot,flex,,always,,documented,me,"),
             Contains("within: must be job or request where \"with\" is said"));
  CHECK_THAT(error("vertex,spot,,job,always,,documented,me,"),
             Contains("within: must be job or request where \"with\" is said"));
  CHECK_THAT(error("vertex,spot,flex,jobs,always,,documented,me,"),
             Contains("within: must be job or request"));
  CHECK_THAT(error("vertex,spot,,,soon,,documented,me,"), Contains("from: must be a day"));
  CHECK_THAT(error("vertex,spot,,,2025-01-01,2025-01-01,documented,me,"), Contains("until: must be later"));
  CHECK_THAT(error("vertex,spot,,,never,2025-01-01,documented,me,"), Contains("until: must be later"));
  CHECK_THAT(error("vertex,spot,,,always,,sure,me,"), Contains("confidence: must be one of documented"));
  CHECK_THAT(error("vertex,spot,,,always,,documented,you,"), Contains("there is no source \"you\""));
  CHECK_THAT(error("vertex,spot,flex,job,never,,low,me,\nvertex,flex,spot,job,never,,low,me,"),
             Contains("orchestrators.csv:3: has an orchestrator and models that are there already"));
}

TEST_CASE("A folder may do without collectives.csv, but not with a wrong one", "[catalog][bad]") {
  const Folder folder;
  CHECK(folder.read().collectives("box").empty());
  const auto error = [&](const std::string& rows) {
    folder.write("collectives.csv", "family,message_gb,busbw_gb_s,as_of,source,note\n" + rows + "\n");
    return folder.error();
  };
  CHECK(error("box,8,100,2026-01-01,me,\nbox,0.5,50,2026-01-01,me,") == "nothing is wrong");
  CHECK(folder.read().collectives("box")[0].message_gb == 0.5);
  CHECK(error("") == "collectives.csv: has a header and nothing else");
  CHECK_THAT(error("bx,8,100,2026-01-01,me,"),
             Contains("collectives.csv:2: family: there is no machine family \"bx\", did you mean \"box\"?"));
  CHECK_THAT(error("box,0,100,2026-01-01,me,"), Contains("message_gb: must be more than 0"));
  CHECK_THAT(error("box,8,-1,2026-01-01,me,"), Contains("busbw_gb_s: must be a number from 0"));
  CHECK_THAT(error("box,8,,2026-01-01,me,"), Contains("busbw_gb_s: must be a number from 0"));
  CHECK_THAT(error("box,8,100,soon,me,"), Contains("as_of: must be a day"));
  CHECK_THAT(error("box,8,100,2026-01-01,you,"), Contains("there is no source \"you\""));
  CHECK_THAT(error("box,8,100,2026-01-01,me,\nbox,8,90,2026-01-01,me,"),
             Contains("collectives.csv:3: message_gb: box has this size already"));
  CHECK_THAT(error("box,,,2026-01-01,me,\nbox,8,90,2026-01-01,me,"),
             Contains("collectives.csv:3: message_gb: box has a row without figures"));
}

TEST_CASE("A machine without GPUs is counted by its vCPUs", "[catalog][bad]") {
  const Folder folder;
  CHECK(folder.error_of_machine("cpu-4,cpu,none,0,96,0,4,16,0,yes,yes,no,no,yes,me,") == "nothing is wrong");
  const Catalog catalog = folder.read();
  const MachineType& machine = catalog.machine(*catalog.find_machine("cpu-4"));
  CHECK_FALSE(machine.has_gpus);
  CHECK(machine.gpus == GpuCount{4});
  CHECK(machine.host_gpus == GpuCount{96});
  CHECK_THAT(folder.error_of_machine("cpu-4,cpu,none,4,96,0,4,16,0,yes,yes,no,no,yes,me,"),
             Contains("must be 0: the machine has no GPUs"));
  CHECK_THAT(folder.error_of_machine("cpu-5,cpu,none,0,96,0,5,16,0,yes,yes,no,no,yes,me,"),
             Contains("must be a multiple of the 5 vCPUs of the machine"));
}
