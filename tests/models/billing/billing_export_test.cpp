#include <catch2/catch.hpp>

#include "models/billing/billing_export.h"
#include "sim/core/error.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;
using Catch::Matchers::Contains;

namespace {

BillingExport read(std::string_view content, BillingFormat format,
                   std::optional<double> per_usd = std::nullopt) {
  const test::ScratchFolder folder;
  return read_billing_export(folder.file("bill.csv", content), format, Catalog::embedded(), per_usd);
}

constexpr std::string_view kHeader =
    "machine_spec,region,sku,amount,unit,cost,credits,usage_start_time,currency\n";

std::string bigquery(std::string_view rows) { return std::string{kHeader} + std::string{rows}; }

}  // namespace

TEST_CASE("A machine's parts are added up over the hours of its GPUs", "[billing]") {
  const BillingExport bill = read(
      bigquery(
          "a3-highgpu-8g,us-central1,Nvidia H100 80GB GPU running in Iowa,16,hour,160,-16,2026-07-02,USD\n"
          "a3-highgpu-8g,us-central1,A3 Instance Core running in Iowa,416,hour,12,0,2026-07-01,USD\n"
          "a3-highgpu-8g,us-central1,A3 Instance Ram running in Iowa,3744,gibibyte hour,8,,2026-07-31,USD\n"),
      BillingFormat::bigquery);
  REQUIRE(bill.prices.size() == 1);
  CHECK(bill.prices[0].model == PriceModel::on_demand);
  CHECK(bill.prices[0].machine_hours == Approx(2));
  CHECK(bill.prices[0].usd_per_hour() == Approx((160 - 16 + 12 + 8) / 2.0));
  CHECK(bill.first == "2026-07-01");
  CHECK(bill.last == "2026-07-31");
  CHECK(bill.skipped.empty());
}

TEST_CASE("The model of a charge is told by the words of its SKU", "[billing]") {
  const BillingExport bill = read(
      bigquery(
          "a3-highgpu-8g,us-central1,Nvidia H100 80GB GPU attached to Spot Preemptible VMs,8,hour,20,,,\n"
          "a3-highgpu-8g,us-central1,Nvidia H100 80GB GPU DWS Calendar Mode,28800,seconds,41,,,\n"
          "a3-highgpu-8g,us-central1,Nvidia H100 80GB GPU DWS Defined Duration,8,h,38,,,\n"
          "a3-highgpu-8g,us-central1,Commitment v1: Nvidia H100 for 1 Year,8,hour,60,,,\n"
          "n2-standard-64,us-central1,N2 Instance Core,64,hour,3,,,\n"
          ",us-central1,Network egress,64,gibibyte,3,,,\n"),
      BillingFormat::bigquery);
  REQUIRE(bill.prices.size() == 3);
  CHECK(bill.prices[0].model == PriceModel::spot);
  CHECK(bill.prices[1].model == PriceModel::flex_start);
  CHECK(bill.prices[1].usd_per_hour() == Approx(38));
  CHECK(bill.prices[2].model == PriceModel::calendar);
  CHECK(bill.prices[2].machine_hours == Approx(1));
  CHECK(bill.skipped.size() == 3);
}

TEST_CASE("FOCUS: the machine is a property of the price, and only usage counts", "[billing]") {
  const BillingExport bill = read(
      "SkuPriceDetails,RegionId,ChargeDescription,ConsumedQuantity,ConsumedUnit,EffectiveCost,ChargeCategory,"
      "PricingCategory,BillingCurrency\n"
      "\"{\"\"InstanceType\"\": \"\"g2-standard-8\"\"}\",us-east4,G2 virtual "
      "machine,10,Hours,4.5,Usage,Dynamic,USD\n"
      "\"{\"\"InstanceType\"\": \"\"g2-standard-8\"\"}\",us-east4,G2 virtual "
      "machine,10,Hours,3,Usage,Committed,USD\n"
      "{},us-east4,Support,1,Hours,99,Purchase,Standard,USD\n",
      BillingFormat::focus);
  REQUIRE(bill.prices.size() == 1);
  CHECK(bill.prices[0].model == PriceModel::spot);
  CHECK(bill.prices[0].usd_per_hour() == Approx(0.45));
  CHECK(bill.skipped.size() == 2);
}

TEST_CASE("FOCUS: a machine charged as a whole is no GPU, though its type says gpu", "[billing]") {
  const BillingExport bill = read(
      "SkuPriceDetails,RegionId,ChargeDescription,ConsumedQuantity,ConsumedUnit,EffectiveCost\n"
      "\"{\"\"InstanceType\"\": \"\"a3-highgpu-8g\"\"}\",us-east4,\"A3-highgpu-8g, on demand\",2,Hours,177\n",
      BillingFormat::focus);
  REQUIRE(bill.prices.size() == 1);
  CHECK(bill.prices[0].machine_hours == Approx(2));
  CHECK(bill.prices[0].usd_per_hour() == Approx(88.5));
}

TEST_CASE("FOCUS: credits on a machine lower its price, and those on nothing are said", "[billing]") {
  const BillingExport bill = read(
      "SkuPriceDetails,RegionId,ChargeDescription,ConsumedQuantity,ConsumedUnit,EffectiveCost,ChargeCategory\n"
      "\"{\"\"InstanceType\"\": \"\"a3-highgpu-8g\"\"}\",us-east4,\"A3, on demand\",100,Hours,7000,Usage\n"
      "\"{\"\"InstanceType\"\": \"\"a3-highgpu-8g\"\"}\",us-east4,promotion,,,-700,Credit\n"
      "{},us-east4,promotion,,,-50,Credit\n",
      BillingFormat::focus);
  REQUIRE(bill.prices.size() == 1);
  CHECK(bill.prices[0].usd_per_hour() == Approx(63));
  REQUIRE(bill.skipped.size() == 1);
  CHECK(bill.skipped[0].reason == "a credit on no machine type");
  CHECK(bill.skipped[0].usd == Approx(-50));
}

TEST_CASE("Charges in another currency become USD at the rates of their rows", "[billing]") {
  const std::string rows =
      "machine_spec,region,sku,amount,unit,cost,usage_start_time,currency,currency_conversion_rate\n"
      "a3-highgpu-8g,us-central1,Nvidia H100 80GB GPU,8,hour,46,2026-07-01,EUR,0.92\n"
      "a3-highgpu-8g,us-central1,Nvidia H100 80GB GPU,8,hour,45,2026-07-31,EUR,0.9\n"
      "a3-highgpu-8g,us-central1,Nvidia H100 80GB GPU,8,hour,50,2026-07-15,USD,1\n";
  const BillingExport bill = read(rows, BillingFormat::bigquery);
  REQUIRE(bill.prices.size() == 1);
  CHECK(bill.prices[0].usd_per_hour() == Approx(50));
  REQUIRE(bill.rates.size() == 1);
  CHECK(
      text_of(bill.rates[0]) ==
      "2 rows in EUR became USD at 0.9 to 0.92 for one, by the export's own rates, 2026-07-01 to 2026-07-31");
  CHECK_THROWS_WITH(read(rows, BillingFormat::bigquery, 0.92), Contains("needs no --usd-rate"));

  const BillingExport focus = read(
      "SkuPriceDetails,RegionId,ChargeDescription,ConsumedQuantity,ConsumedUnit,EffectiveCost,BillingCurrency,"
      "x_CurrencyConversionRate\n"
      "\"{\"\"InstanceType\"\": \"\"g2-standard-8\"\"}\",us-east4,G2 machine,10,Hours,1790,JPY,179\n",
      BillingFormat::focus);
  REQUIRE(focus.prices.size() == 1);
  CHECK(focus.prices[0].usd_per_hour() == Approx(1));
}

TEST_CASE("A rate that the planner says is for one currency without rates", "[billing]") {
  const std::string euros = "a3-highgpu-8g,us-central1,Nvidia H100 80GB GPU,8,hour,46,,2026-07-01,EUR\n";
  const BillingExport bill = read(bigquery(euros), BillingFormat::bigquery, 0.92);
  REQUIRE(bill.prices.size() == 1);
  CHECK(bill.prices[0].usd_per_hour() == Approx(50));
  REQUIRE(bill.rates.size() == 1);
  CHECK_THAT(text_of(bill.rates[0]), Contains("1 row in EUR became USD at 0.92 for one, as you say"));
  CHECK_THROWS_WITH(
      read(bigquery(euros + "a3-highgpu-8g,us-central1,Nvidia H100 80GB GPU,8,hour,4,,2026-07-01,GBP\n"),
           BillingFormat::bigquery, 0.92),
      Contains("several currencies"));
  CHECK_THROWS_WITH(read("machine_spec,region,sku,amount,unit,cost,currency,currency_conversion_rate\n"
                         "a3-highgpu-8g,us-central1,Nvidia H100 80GB GPU,8,hour,46,EUR,0\n",
                         BillingFormat::bigquery),
                    Contains("must be above 0"));
}

TEST_CASE("A bill that gives no price, or is none, is an error that says why", "[billing]") {
  using Format = BillingFormat;
  CHECK_THROWS_WITH(read("", Format::bigquery), Contains("holds no rows"));
  CHECK_THROWS_WITH(read(kHeader, Format::bigquery), Contains("no price of a machine"));
  CHECK_THROWS_WITH(read("region,sku\n", Format::bigquery), Contains("\"machine_spec\" is missing"));
  CHECK_THROWS_WITH(read(bigquery("a,b,GPU,nan,hour,1,,,\n"), Format::bigquery),
                    Contains("\"amount\" must be a number"));
  CHECK_THROWS_WITH(
      read(bigquery("a,b,GPU,1,hour,1,,,EUR\n"), Format::bigquery),
      Contains("charges are in \"EUR\"") && Contains("stockout prices --query") && Contains("--usd-rate"));
  CHECK_THROWS_WITH(read(bigquery("a3-highgpu-8g,x,GPU,-8,hour,1,,,\n"), Format::bigquery),
                    Contains("without GPU hours"));
  CHECK_THROWS_WITH(read(bigquery("a3-highgpu-8g,x,GPU,8,hour,1,-2,,\n"), Format::bigquery),
                    Contains("credits above the cost"));
  CHECK_THROWS_WITH(read(bigquery("a3-highgpu-8g,x,GPU,1e-300,hour,1e300,,,\n"), Format::bigquery),
                    Contains("an hour"));
}
