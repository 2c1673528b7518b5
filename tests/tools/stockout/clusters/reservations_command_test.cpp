// `stockout reservations import`: lists of gcloud (samples of ours in tests/data) as a part of a scenario.

#include <fstream>
#include <iterator>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/answer.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;
using namespace stockout::test;
using Catch::Contains;
using Json = nlohmann::json;

namespace {

const std::string kData = STOCKOUT_GOLDEN_DIR "/../data/";

std::string text_of(const std::string& path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

std::string error_of(const std::string& text) {
  const ScratchFolder folder;
  const Answer answer = stockout_says({"reservations", "import", folder.file("held.json", text)});
  CHECK(answer.code == ExitCode::bad_input);
  CHECK(answer.out.empty());
  return answer.err;
}

}  // namespace

TEST_CASE("Lists of gcloud become reservations and commitments of a scenario", "[command][inventory]") {
  const ScratchFolder folder;
  const std::string out = folder.path("part.json");
  const Answer answer = stockout_says(
      {"reservations", "import", kData + "reservations.json", kData + "commitments.json", "--out", out});
  CHECK(answer.code == ExitCode::done);
  const Json part = Json::parse(text_of(out));
  CHECK(part["reservations"] == Json::parse(R"([
    {"name": "train-h100", "machine": "a3-highgpu-8g", "place": "us-central1-a", "count": 4},
    {"name": "notebooks", "machine": "n1-standard-8+t4", "place": "us-central1", "count": 2}])"));
  CHECK(part["commitments"] == Json::parse(R"([
    {"name": "h100-year", "machine": "a3-highgpu-8g", "region": "us-central1", "count": 4, "plan": "1y",
     "start": "2026-03-03", "end": "2027-03-03"},
    {"name": "a100-three-years", "machine": "a2-highgpu-8g", "region": "us-central1", "count": 2, "plan": "3y",
     "start": "2025-01-07", "end": "2028-01-07"}])"));
  for (
      const char* line :
      {"reservation train-h100: it is shared with 123, tuning; in a scenario it is the planner's alone",
       "reservation notebooks: machines that fit use it without naming it; in a scenario legs name it",
       "reservation notebooks: its zone us-central1-b, which is not known to have such machines",
       "reservation calendar-october: it is not active yet, and the lists do not say from when: give `gcloud compute",
       "reservation tpus: it is of TPUs or of a whole family", "reservation old: its status is DELETING",
       "commitment h100-year: it renews itself; in a scenario it ends", "commitment cpus: it is for no GPUs",
       "commitment over: its status is EXPIRED",
       "commitment odd: 8 H100-80GB and 100 vCPUs are no whole number of machines of the catalogue",
       "\n5 reservations, 5 commitments\n"}) {
    CHECK_THAT(answer.out, Contains(line));
  }
}

TEST_CASE("A future reservation says when what it made begins", "[command][inventory]") {
  const ScratchFolder folder;
  const std::string out = folder.path("part.json");
  const std::string data = STOCKOUT_GOLDEN_DIR "/../data/";
  const Answer answer = stockout_says({"reservations", "import", data + "future-reservations.json",
                                       data + "reservations.json", "--out", out});
  INFO(answer.err);
  REQUIRE(answer.code == ExitCode::done);
  CHECK(Json::parse(text_of(out))["reservations"][2] == Json::parse(R"(
    {"name": "calendar-october", "machine": "a3-highgpu-8g", "place": "us-central1-a", "count": 8,
     "from": "2026-10-01", "until": "2026-10-15"})"));
  CHECK_THAT(answer.out, !Contains("the lists do not say from when"));
  CHECK_THAT(answer.out, Contains("reservation calendar-october: it is booked in calendar mode"));
  CHECK_THAT(answer.out, Contains("future reservation next-year: no reservation in the lists is of it"));
  CHECK_THAT(answer.out, Contains("reservation train-h100: its commitment h100-year is in no list"));
}

TEST_CASE("A future reservation moves no reservation that is there, and none that was cancelled any",
          "[command][inventory]") {
  const ScratchFolder folder;
  const std::string out = folder.path("part.json");
  const auto held = [&](const std::string& assured, const std::string& status, const std::string& start) {
    const std::string reservation =
        folder.file("r.json", R"([{"name": "r", "zone": "us-central1-a", "status": "READY",
        "specificReservation": {"count": "4", "assuredCount": ")" +
                                  assured + R"(",
                                "instanceProperties": {"machineType": "a3-highgpu-8g"}}}])");
    const std::string booking = folder.file("f.json", R"([{"kind": "compute#futureReservation", "name": "f",
        "zone": "us-central1-a", "reservationName": "r", "timeWindow": {"startTime": ")" +
                                                          start + R"("},
        "specificSkuProperties": {"totalCount": "4"}, "status": {"procurementStatus": ")" +
                                                          status + R"("}}])");
    const Answer answer = stockout_says({"reservations", "import", reservation, booking, "--out", out});
    if (answer.code != ExitCode::done) return answer.err;
    return Json::parse(text_of(out))["reservations"][0].value("from", std::string{"there"});
  };
  const std::string evening = "2027-03-01T18:00:00.000-08:00";
  CHECK(held("4", "APPROVED", evening) == "there");
  CHECK(held("0", "APPROVED", evening) == "2027-03-02");
  CHECK(held("0", "APPROVED", "2027-03-01T00:00:00.000-08:00") == "2027-03-01");
  CHECK_THAT(held("0", "CANCELLED", evening), Contains("has no reservation and no commitment"));
}

TEST_CASE("Whatever is in the lists twice is held once", "[command][inventory]") {
  const ScratchFolder folder;
  const std::string out = folder.path("part.json");
  const std::string object =
      R"({"id": "1", "name": "r", "zone": "us-central1-a", "status": "READY", "specificReservation":
          {"count": "4", "instanceProperties": {"machineType": "a3-highgpu-8g"}}})";
  const std::string one = folder.file("one.json", object);
  const std::string two = folder.file("two.json", "[" + object + "]");
  const Answer answer = stockout_says({"reservations", "import", one, two, "--out", out});
  CHECK(Json::parse(text_of(out))["reservations"].size() == 1);
  CHECK_THAT(answer.out, Contains("r: it is in the lists twice, and counts once"));
  CHECK_THAT(error_of(R"({"name": "c", "region": "r", "plan": "TWELVE_MONTH",
                          "startTimestamp": "2026-03-03T00:00:00Z", "endTimestamp": "2025-03-03T00:00:00Z"})"),
             Contains("endTimestamp: must be after \"startTimestamp\""));
}

TEST_CASE("The part of a scenario that is imported is one", "[command][inventory]") {
  const ScratchFolder folder;
  const std::string out = folder.path("part.json");
  static_cast<void>(stockout_says(
      {"reservations", "import", kData + "reservations.json", kData + "commitments.json", "--out", out}));
  Json scenario =
      Json::parse(R"({"name": "held", "start": "2026-09-01", "window": "2d", "prices_as_of": "2026-07-30",
    "workload": [{"name": "jobs", "schedule": {"at": "12:00"}, "machine": "a3-highgpu-8g", "work": "1h"}],
    "pools": [{"family": "a3-highgpu", "place": "us-central1-a", "hosts": 16},
              {"family": "n1-t4", "place": "us-central1", "hosts": 16}],
    "strategies": [{"name": "held", "legs": [{"model": "reservation", "reservation": "train-h100"}]}]})");
  scenario.update(Json::parse(text_of(out)));
  const Answer answer = stockout_says({"validate", folder.file("s.json", scenario.dump())});
  INFO(answer.err);
  CHECK(answer.code == ExitCode::done);
}

TEST_CASE("What is no list of gcloud is refused with its place", "[command][inventory][bad]") {
  CHECK_THAT(error_of("7"), Contains("held.json:1: must be the list that"));
  CHECK_THAT(error_of("[\n7]"), Contains("held.json:2: /0: must be an object, but is 7"));
  CHECK_THAT(error_of(R"([{"name": "vm"}])"), Contains("/0: is neither a reservation"));
  CHECK_THAT(error_of(R"([{"name": "r", "specificReservation": {}}])"), Contains("/0: \"zone\" is missing"));
  CHECK_THAT(error_of(R"([{"name": "r", "zone": "z", "specificReservation": {"count": "-1"}}])"),
             Contains("/0/specificReservation/count: must be a whole number from 0 on, but is \"-1\""));
  CHECK_THAT(
      error_of(R"([{"name": "r", "zone": "z", "specificReservation": {"count": "9223372036854775807"}}])"),
      Contains("/0/specificReservation/count: must be at most 1000000, but is 9223372036854775807"));
  CHECK_THAT(error_of(R"([{"name": "c", "region": "r", "plan": "X",
    "resources": [{"type": "VCPU", "amount": "9223372036854775807"}]}])"),
             Contains("/0/resources/0/amount: must be at most 1000000000"));
  CHECK_THAT(error_of(R"([{"name": "r", "zone": "z", "specificReservation": {}, "deleteAtTime": "soon"}])"),
             Contains("/0/deleteAtTime: must be an instant such as"));
  CHECK_THAT(error_of(R"([{"name": "c", "region": "r", "plan": "X", "resources": {}}])"),
             Contains("/0/resources: must be a list, but is {}"));
}

TEST_CASE("A part that would be empty is not written", "[command][inventory][bad]") {
  const ScratchFolder folder;
  const std::string out = folder.path("part.json");
  const std::string list = R"([{"name": "f", "specificSkuProperties": {}, "timeWindow": {}}])";
  const Answer answer =
      stockout_says({"reservations", "import", folder.file("held.json", list), "--out", out});
  CHECK(answer.code == ExitCode::bad_input);
  CHECK_THAT(answer.err, Contains("nothing is written"));
  CHECK_FALSE(std::filesystem::exists(out));
}
