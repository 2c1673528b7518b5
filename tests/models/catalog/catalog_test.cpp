#include <algorithm>

#include <catch2/catch.hpp>

#include "models/catalog/catalog.h"
#include "models/catalog/explain.h"

using namespace stockout;

namespace {

const Catalog& catalog() {
  static const Catalog embedded = Catalog::embedded();
  return embedded;
}

MachineId machine(std::string_view name) {
  const auto id = catalog().find_machine(name);
  REQUIRE(id);
  return *id;
}

GpuTypeId gpu(std::string_view name) {
  const auto id = catalog().find_gpu(name);
  REQUIRE(id);
  return *id;
}

Date day(std::string_view text) {
  const auto date = parse_date(text);
  REQUIRE(date);
  return *date;
}

const Place& place(std::string_view name) {
  const Place* found = catalog().find_place(name);
  REQUIRE(found != nullptr);
  return *found;
}

}  // namespace

TEST_CASE("A date is ten characters that name a day, and comes back as it went in", "[catalog]") {
  CHECK(to_text(day("2026-07-30")) == "2026-07-30");
  CHECK(day("2026-03-01") - day("2026-02-28") == std::chrono::days{1});
  CHECK(day("2024-03-01") - day("2024-02-28") == std::chrono::days{2});
  for (const char* wrong :
       {"", "2026", "2026-7-30", "2026-02-30", "2026-13-01", "2026-00-01", "30-07-2026", "2026/07/30",
        "1989-12-31", "2200-01-01", "2026-07-30 ", "-026-07-30", "2026-07-3o"}) {
    CAPTURE(wrong);
    CHECK_FALSE(parse_date(wrong));
  }
}

TEST_CASE("Machines and GPU types are found by name, and identifiers count into their tables", "[catalog]") {
  const MachineType& h100 = catalog().machine(machine("a3-highgpu-8g"));
  CHECK(h100.family == "a3-highgpu");
  CHECK(h100.gpu == gpu("H100-80GB"));
  CHECK(h100.gpus == GpuCount{8});
  CHECK(h100.host_gpus == GpuCount{8});
  CHECK(h100.vcpus == 208);
  CHECK(catalog().machine(machine("a2-megagpu-16g")).host_gpus == GpuCount{16});
  CHECK_FALSE(catalog().find_machine("a3-highgpu-16g"));
  CHECK_FALSE(catalog().find_gpu("H100"));
  for (std::size_t i = 0; i < catalog().machines().size(); ++i) {
    CHECK(index(machine(catalog().machines()[i].name)) == i);
  }
  CHECK(catalog().machine_names().size() == catalog().machines().size());
}

TEST_CASE("The GPU types planners ask for are all there", "[catalog]") {
  for (const char* name :
       {"H100-80GB", "H100-MEGA-80GB", "H200", "B200", "A100-40GB", "A100-80GB", "L4", "T4"}) {
    CAPTURE(name);
    CHECK_FALSE(catalog().families_of_gpu(gpu(name)).empty());
  }
  CHECK(catalog().families_of_gpu(gpu("A100-40GB")) == std::vector<std::string>{"a2-highgpu", "a2-megagpu"});
}

TEST_CASE("A leg gets the smallest machine that its offer has and that holds the GPUs", "[catalog]") {
  const auto smallest = [](std::string_view family, Offer offer, std::int64_t gpus) -> std::string {
    const auto id = catalog().smallest_machine(family, offer, GpuCount{gpus});
    return id ? catalog().machine(*id).name : "none";
  };
  CHECK(smallest("a3-highgpu", Offer::spot, 1) == "a3-highgpu-1g");
  CHECK(smallest("a3-highgpu", Offer::spot, 3) == "a3-highgpu-4g");
  CHECK(smallest("a3-highgpu", Offer::on_demand, 1) == "a3-highgpu-8g");
  CHECK(smallest("a3-highgpu", Offer::spot, 9) == "none");
  CHECK(smallest("a2-megagpu", Offer::on_demand, 9) == "a2-megagpu-16g");
  CHECK(smallest("a4x-highgpu", Offer::spot, 1) == "none");
  CHECK(smallest("g2-standard", Offer::on_demand, 1) == "g2-standard-4");
  CHECK(smallest("g2-standard", Offer::on_demand, 2) == "g2-standard-24");
  CHECK(smallest("n1-t4", Offer::spot, 2) == "n1-standard-16+t4x2");
  CHECK(smallest("no-such-family", Offer::spot, 1) == "none");
}

TEST_CASE("The generic machine is sold in every way, everywhere, and has no price", "[catalog]") {
  const MachineId generic = machine("generic");
  CHECK(index(generic) + 1 == catalog().machines().size());
  CHECK(catalog().gpu_name(catalog().machine(generic).gpu) == "generic");
  for (std::size_t offer = 0; offer < kOfferNames.size(); ++offer) {
    CHECK(why_not(catalog(), generic, static_cast<Offer>(offer)).empty());
  }
  for (const Place& anywhere : catalog().places()) CHECK(Catalog::offers(anywhere, "generic"));
  CHECK(place("generic").region == "generic");
  CHECK_FALSE(catalog().price(generic, "us-central1", PriceModel::on_demand, catalog().latest()));
}

TEST_CASE("Zones belong to regions, and a region has what its zones have", "[catalog]") {
  CHECK(place("us-central1-a").region == "us-central1");
  const auto zones = catalog().zones_of("us-east4");
  REQUIRE(zones.size() == 3);
  CHECK(zones[0]->name == "us-east4-a");
  CHECK(Catalog::offers(place("us-east4-b"), "a3-highgpu"));
  CHECK_FALSE(Catalog::offers(place("us-central1-f"), "a3-highgpu"));
  CHECK(catalog().find_place("us-central1-z") == nullptr);
  CHECK(std::ranges::is_sorted(catalog().places(), {}, &Place::name));
}

TEST_CASE("The price of a day is that of the latest row not after it", "[catalog]") {
  const MachineId h100 = machine("a3-highgpu-8g");
  const auto spot = [&](std::string_view date) {
    return catalog().price(h100, "us-central1", PriceModel::spot, day(date));
  };
  REQUIRE(spot("2026-07-30"));
  CHECK(spot("2026-07-30").row->price == MachineHourPrice{50'609'540'000});
  CHECK(spot("2026-07-31").row->price == MachineHourPrice{50'609'540'000});
  CHECK(spot("2026-08-01").row->price ==
        MachineHourPrice{52'962'300'000});  // "2026H2" counts from 2026-08-01
  CHECK(spot("2099-01-01").row->as_of == day("2026-08-01"));
  CHECK_FALSE(spot("2024-01-01"));
  CHECK(spot("2024-01-01").first == day("2024-05-17"));
}

TEST_CASE("No price is made up from another region or another model", "[catalog]") {
  const PriceLookup on_demand =
      catalog().price(machine("a3-highgpu-2g"), "us-central1", PriceModel::on_demand, catalog().latest());
  CHECK_FALSE(on_demand);
  CHECK_FALSE(on_demand.first);
  CHECK_FALSE(
      catalog().price(machine("a2-highgpu-8g"), "us-west1", PriceModel::flex_start, catalog().latest()));
  CHECK_FALSE(
      catalog().price(machine("a3-highgpu-8g"), "us-central1-a", PriceModel::spot, catalog().latest()));
  CHECK_FALSE(
      catalog().price(machine("n1-standard-8+v100"), "us-central1", PriceModel::spot, catalog().latest()));
}

TEST_CASE("The history of a Spot price comes oldest first", "[catalog]") {
  const auto history = catalog().price_history(machine("a3-highgpu-8g"), "us-central1", PriceModel::spot);
  REQUIRE(history.size() > 15);
  CHECK(history.front().as_of == day("2024-05-17"));
  CHECK(std::ranges::is_sorted(history, {}, &PriceRow::as_of));
  CHECK(catalog().price_history(machine("generic"), "us-central1", PriceModel::spot).empty());
}

TEST_CASE("Flex start cost the list price at first and the DWS price from the day it was seen", "[catalog]") {
  const auto flex = [](std::string_view date) {
    return catalog().price(machine("a3-highgpu-8g"), "us-central1", PriceModel::flex_start, day(date));
  };
  CHECK(flex("2025-01-17").row->price == MachineHourPrice{88'490'000'000});
  CHECK(flex("2025-08-16").row->price == MachineHourPrice{38'320'000'000});
  CHECK(flex("2025-08-16").row->confidence == "documented");
}

TEST_CASE("Every row names a source, and what is inferred says so", "[catalog]") {
  for (const PriceRow& row : catalog().prices()) {
    CAPTURE(catalog().machine(row.machine).name, row.region, to_text(row.as_of));
    CHECK(catalog().sources().contains(row.source));
    if (row.confidence == "inferred" || row.confidence == "computed" || row.confidence == "low") {
      CHECK_FALSE(row.note.empty());
    }
  }
  const PriceLookup tokyo =
      catalog().price(machine("a3-highgpu-8g"), "asia-northeast1", PriceModel::flex_start, day("2026-07-30"));
  REQUIRE(tokyo);
  CHECK(tokyo.row->confidence == "inferred");
}

TEST_CASE("Every machine that has a price under a model is also sold in that way", "[catalog]") {
  for (const PriceRow& row : catalog().prices()) {
    if (row.model == PriceModel::on_demand || row.model > PriceModel::calendar)
      continue;  // also what reservations pay
    CAPTURE(catalog().machine(row.machine).name, row.region);
    CHECK(catalog().machine(row.machine).accepts[static_cast<std::size_t>(row.model)]);
  }
}

TEST_CASE("What is not sold is said with what to do instead", "[catalog]") {
  CHECK(why_not(catalog(), machine("a3-highgpu-2g"), Offer::on_demand) ==
        "a3-highgpu-2g is not sold on_demand (only spot, flex_start); of its family a3-highgpu-8g is");
  CHECK(why_not(catalog(), machine("a4x-highgpu-4g"), Offer::spot) ==
        "a4x-highgpu-4g is not sold spot (only reservation)");
  CHECK_FALSE(why_not(catalog(), machine("a3-ultragpu-8g"), Offer::on_demand).empty());
  CHECK_FALSE(why_not(catalog(), machine("a4-highgpu-8g"), Offer::on_demand).empty());
  CHECK(why_not(catalog(), machine("a3-highgpu-8g"), Offer::calendar).empty());
}

TEST_CASE("What no source says is unknown, and refused as such", "[catalog]") {
  CHECK(why_not(catalog(), machine("a2-highgpu-8g"), Offer::calendar) ==
        "a2-highgpu-8g is not known to be sold calendar (only on_demand, spot, flex_start, reservation)");
  CHECK(why_not(catalog(), machine("n1-standard-8+p100"), Offer::calendar) ==
        "n1-standard-8+p100 is not sold calendar (only on_demand, spot, reservation)");
}

TEST_CASE("GPUs on N1 are at most as many as the provider attaches", "[catalog]") {
  const auto most = [](std::string_view gpu) {
    std::int64_t gpus = 0;
    for (const MachineType& one : catalog().machines()) {
      if (one.gpu == *catalog().find_gpu(gpu)) gpus = std::max(gpus, one.gpus.count());
    }
    return gpus;
  };
  CHECK(most("T4") == 4);
  CHECK(most("P100") == 4);
  CHECK(most("P4") == 4);
  CHECK(most("V100") == 8);
  for (const std::string_view family : {"n1-p100", "n1-p4"}) CHECK(catalog().places_with(family).size() == 7);
}

TEST_CASE("A zone without the GPU is told apart, with the zones that have it", "[catalog]") {
  CHECK(why_not(catalog(), place("us-central1-f"), "a3-highgpu") ==
        "us-central1-f is not known to have a3-highgpu; in its region, use us-central1, us-central1-a, "
        "us-central1-b, us-central1-c");
  CHECK_THAT(why_not(catalog(), place("me-west1"), "a3-highgpu"),
             Catch::Contains("places that have it: asia-east1"));
  CHECK(why_not(catalog(), place("us-central1-a"), "a3-highgpu").empty());
}

TEST_CASE("A price that is not known is explained by the rows there are", "[catalog]") {
  CHECK(why_no_price(catalog(), machine("a2-highgpu-8g"), "us-west1", PriceModel::flex_start,
                     day("2026-07-30")) ==
        "no flex_start price of a2-highgpu-8g in us-west1 as of 2026-07-30: the catalogue has none of any "
        "day; it has one for us-central1; here it has on_demand, spot, cud_1y, cud_3y; give your own price");
  CHECK_THAT(
      why_no_price(catalog(), machine("a3-highgpu-8g"), "us-central1", PriceModel::spot, day("2020-01-01")),
      Catch::Contains("the earliest is of 2024-05-17"));
  CHECK(why_no_price(catalog(), machine("a3-highgpu-8g"), "us-central1", PriceModel::spot, day("2026-07-30"))
            .empty());
}
