// The commands that would order a recommended purchase, and its resources for Terraform.

#include <fstream>
#include <sstream>

#include <catch2/catch.hpp>

#include "tests/support/answer.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;
using namespace stockout::test;
using Catch::Contains;

namespace {

// One job, one strategy, and what it holds.
std::string holding(const std::string& machine, const std::string& family, const std::string& place,
                    const std::string& held) {
  return R"({
 "name": "orders", "start": "2026-08-03", "window": "2d", "prices_as_of": "2026-07-30", "seed": 1,
 "billing": {"management_fee": 0}, "most_obligation": "3y",
 "prices": [{"machine": ")" +
         machine + R"(", "usd_per_hour": 10}],
 "workload": [{"name": "jobs", "machine": ")" +
         machine + R"(", "schedule": {"at": "12:00"}, "work": "1h"}],
 "pools": [{"family": ")" +
         family + R"(", "place": ")" + place + R"(", "hosts": 20}],
 "goal": {"wait_p": 50, "at_most": "2d"},
 "reservations": [{"name": "Team's \"GPUs\"", "machine": ")" +
         machine + R"(", "place": ")" + place + R"(", )" + held + R"(}],
 "strategies": [{"name": "held", "legs": [{"model": "held", "reservation": "Team's \"GPUs\""}]}]
})";
}

class Orders {
 public:
  explicit Orders(std::string scenario, const std::string& leg = "reservation") {
    const std::string any = R"("model": "held")";
    scenario.replace(scenario.find(any), any.size(), R"("model": ")" + leg + '"');
    file_ = folder_.file("s.json", scenario);
  }
  [[nodiscard]] Answer write(const std::string& to) const {
    return stockout_says({"recommend", file_, "--write-orders", folder_.path(to)});
  }
  [[nodiscard]] std::string written(const std::string& to) const {
    const Answer answer = write(to);
    CAPTURE(answer.out, answer.err);
    REQUIRE(answer.code == ExitCode::done);
    std::ostringstream text;
    text << std::ifstream{folder_.path(to)}.rdbuf();
    return text.str();
  }
  [[nodiscard]] const std::string& file() const { return file_; }

 private:
  ScratchFolder folder_;
  std::string file_;
};

const std::string kH100 = "a3-highgpu-8g";

Orders h100(const std::string& held, const std::string& leg = "reservation") {
  return Orders{holding(kH100, "a3-highgpu", "us-central1-a", held), leg};
}

}  // namespace

TEST_CASE("Of what is held it is said where, from when and until when", "[recommend][orders]") {
  const auto [held, said] = GENERATE(table<std::string, std::string>({
      {R"("count": 2)",
       "team-s-gpus: 2 a3-highgpu-8g in us-central1-a, from 2026-08-03 00:00 UTC on, as long as it is held."},
      {R"("count": 2, "from": "2026-08-04", "until": "2026-08-05")",
       "team-s-gpus: 2 a3-highgpu-8g in us-central1-a, from 2026-08-04 00:00 UTC until 2026-08-05 00:00 UTC."},
  }));
  const Orders orders = h100(held);
  CHECK_THAT(orders.written("o.sh"), Contains("# " + said + "\n"));
  CHECK_THAT(orders.written("o.tf"), Contains("# " + said + "\n"));
  const std::vector<std::string> with_warm_up{"recommend",   orders.file(), "--set",
                                              "/warm_up=3d", "--format",    "json"};
  CHECK_THAT(stockout_says(with_warm_up).out, Contains(said));
}

TEST_CASE("A reservation with a commitment is two commands", "[recommend][orders]") {
  const Orders orders = h100(R"("count": 2, "commitment": "1y")");
  const std::string text = orders.written("o.sh");
  // 2 machines of 208 vCPUs, 1,872 GB and 8 GPUs.
  CHECK_THAT(text, Contains("gcloud compute reservations create team-s-gpus --machine-type=a3-highgpu-8g "
                            "--vm-count=2 \\\n    --zone=us-central1-a --require-specific-reservation\n"
                            "gcloud compute commitments create team-s-gpus-1y --region=us-central1 "
                            "--plan=12-month \\\n    --type=accelerator-optimized-a3 "
                            "--resources=vcpu=416,memory=3833856MB \\\n"
                            "    --resources-accelerator=count=16,type=nvidia-h100-80gb \\\n"
                            "    --existing-reservation=name=team-s-gpus,zone=us-central1-a\n"));
  CHECK_THAT(text, Catch::StartsWith("#!/bin/sh\n# held, for "));
  CHECK_THAT(stockout_says({"recommend", orders.file()}).out,
             Contains("  gcloud compute reservations create team-s-gpus ") && Contains(" \\\n      --"));
}

TEST_CASE("The same for Terraform", "[recommend][orders]") {
  const std::string text = h100(R"("count": 2, "commitment": "3y")").written("o.tf");
  CHECK_THAT(text, Contains(R"(resource "google_compute_reservation" "team-s-gpus" {
  name = "team-s-gpus"
  zone = "us-central1-a"
  specific_reservation_required = true
  specific_reservation {
    count = 2
    instance_properties {
      machine_type = "a3-highgpu-8g"
    }
  }
}
resource "google_compute_region_commitment" "team-s-gpus-3y" {
  name = "team-s-gpus-3y"
  region = "us-central1"
  plan = "THIRTY_SIX_MONTH"
  type = "ACCELERATOR_OPTIMIZED_A3"
  category = "MACHINE"
  existing_reservations = google_compute_reservation.team-s-gpus.self_link
  resources {
    type = "VCPU"
    amount = "416"
  })"));
  CHECK_THAT(text, Contains("    type = \"ACCELERATOR\"\n    amount = \"16\"\n"
                            "    accelerator_type = \"nvidia-h100-80gb\"\n"));
  CHECK(text.find("gcloud") == std::string::npos);
}

TEST_CASE("Commitments that only an account team sells are said in words", "[recommend][orders]") {
  const Orders orders{
      holding("a3-ultragpu-8g", "a3-ultragpu", "us-east4-b", R"("count": 1, "commitment": "1y")")};
  const std::string words =
      "# A 1-year commitment for 1 a3-ultragpu-8g in us-east4, with team-s-gpus attached: through your account "
      "team.\n";
  CHECK_THAT(orders.written("o.sh"), Contains(words) && !Contains("commitments create"));
  CHECK_THAT(orders.written("o.tf"), Contains(words) && !Contains("google_compute_region_commitment"));
}

TEST_CASE("A booking is ordered with its times", "[recommend][orders]") {
  const Orders calendar =
      h100(R"("model": "calendar", "count": 3, "from": "2026-08-03", "until": "2026-08-05")", "calendar");
  CHECK_THAT(calendar.written("o.sh"),
             Contains("gcloud compute future-reservations create team-s-gpus ") &&
                 Contains("--total-count=3") && Contains("--start-time=2026-08-03T00:00:00Z") &&
                 Contains("--end-time=2026-08-05T00:00:00Z") && Contains("--reservation-mode=CALENDAR") &&
                 Contains("--planning-status=SUBMITTED"));
  CHECK_THAT(calendar.written("o.tf"), Contains("reservation_mode = \"CALENDAR\"") &&
                                           Contains("start_time = \"2026-08-03T00:00:00Z\"") &&
                                           Contains("total_count = \"3\""));
  const Orders future =
      h100(R"("model": "future_reservation", "count": 3, "commitment": "1y")", "future_reservation");
  CHECK_THAT(future.written("o.sh"), Contains("--end-time=2027-08-03T00:00:00Z") &&
                                         Contains("--commitment-plan=12-month") &&
                                         !Contains("--reservation-mode"));
  CHECK_THAT(future.written("o.tf"), Contains("commitment_plan = \"TWELVE_MONTH\""));
  const Orders longer =
      h100(R"("model": "future_reservation", "count": 3, "commitment": "3y")", "future_reservation");
  CHECK_THAT(longer.written("o.sh"),
             Contains("--end-time=2029-08-02T00:00:00Z") && Contains("--commitment-plan=36-month"));
}

TEST_CASE("Capacity that grows and shrinks is ordered with its limits", "[recommend][orders]") {
  const Orders persistent = h100(R"("model": "persistent_resource", "count": 3, "least": 1,
              "raised": [{"least": 2, "from": "2026-08-04"}])",
                                 "persistent_resource");
  const std::string text = persistent.written("o.sh");
  CHECK_THAT(text,
             Contains("gcloud ai persistent-resources create --persistent-resource-id=team-s-gpus") &&
                 Contains("--resource-pool-spec=replica-count=1,min-replica-count=1,max-replica-count=3,"
                          "machine-type=a3-highgpu-8g,accelerator-type=NVIDIA_H100_80GB,"
                          "accelerator-count=8") &&
                 Contains("# The minimum of team-s-gpus is raised"));
  CHECK_THAT(persistent.written("o.tf"), Contains("# gcloud ai persistent-resources create"));
  const Orders pool = h100(R"("model": "node_pool", "count": 4)", "node_pool");
  CHECK_THAT(pool.written("o.sh"),
             Contains("gcloud container node-pools create team-s-gpus --cluster=CLUSTER") &&
                 Contains("--min-nodes=0") && Contains("--max-nodes=4") &&
                 Contains("--accelerator=type=nvidia-h100-80gb,count=8"));
  CHECK_THAT(pool.written("o.tf"), Contains("resource \"google_container_node_pool\" \"team-s-gpus\" {") &&
                                       Contains("max_node_count = 4"));
}

TEST_CASE(
    "GPUs that are attached to a machine are named beside it, and a zone that is not known is asked for",
    "[recommend][orders]") {
  const Orders orders{holding("n1-standard-8+t4", "n1-t4", "us-central1", R"("count": 1)")};
  CHECK_THAT(orders.written("o.sh"), Contains("--machine-type=n1-standard-8 ") &&
                                         Contains("--accelerator=count=1,type=nvidia-tesla-t4"));
  CHECK_THAT(orders.written("o.tf"), Contains("machine_type = \"n1-standard-8\"") &&
                                         Contains("accelerator_type = \"nvidia-tesla-t4\""));
}

TEST_CASE("Orders end in .sh or .tf, and are written only of what is recommended",
          "[recommend][orders][bad]") {
  const Orders orders = h100(R"("count": 1)");
  const Answer other = orders.write("o.txt");
  CHECK(other.code == ExitCode::bad_input);
  CHECK_THAT(other.err, Contains("--write-orders: must end in .sh (commands of gcloud) or .tf (Terraform)"));
  const ScratchFolder folder;
  const std::string path = folder.path("o.sh");
  const Answer none = stockout_says(
      {"recommend", orders.file(), "--set", "/goals=[{\"budget_usd\": 1}]", "--write-orders", path});
  CHECK(none.code == ExitCode::not_as_asked);
  CHECK_FALSE(std::ifstream{path}.good());
}
