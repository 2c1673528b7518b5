// The query for a billing export, and the reader of what it makes.

#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "models/billing/billing_export.h"
#include "models/billing/billing_query.h"
#include "models/billing/billing_rows.h"
#include "sim/core/check.h"
#include "tests/support/scratch_folder.h"

using namespace stockout;
using Catch::Contains;

namespace {

const std::string kTable = "acme-1.billing.gcp_billing_export_v1_0A";

std::string query() { return billing_query(kTable, *parse_date("2026-07-01"), *parse_date("2026-08-01")); }

// Between two words of the query, without line ends.
std::string part(const std::string& first, const std::string& last) {
  const std::string all = query();
  const std::size_t from = all.rfind(first) + first.size();
  std::string text = all.substr(from, all.find(last, from) - from);
  std::erase(text, '\n');
  return text;
}

// The items of a list, each by its last word: the name that it has in the result.
std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  std::string name;
  for (const char c : list + ',') {
    if (c == ',') names.push_back(name);
    if (c == ',' || c == ' ')
      name.clear();
    else
      name += c;
  }
  return names;
}

}  // namespace

TEST_CASE("The query asks for days of one table, and groups by all that it does not add up", "[billing]") {
  CHECK_THAT(query(), Contains("FROM `" + kTable + "`") &&
                          Contains("usage_start_time >= TIMESTAMP('2026-07-01')") &&
                          Contains("usage_start_time < TIMESTAMP('2026-08-01')"));
  const std::string chosen = part("\nSELECT ", "FROM line");
  const std::vector<std::string> grouped = names_in(part("GROUP BY ", "ORDER BY"));
  std::size_t summed = 0;
  for (std::size_t at = chosen.find("SUM("); at != std::string::npos; at = chosen.find("SUM(", at + 1))
    ++summed;
  CHECK(summed == 3);
  CHECK(grouped == std::vector<std::string>{"machine_spec", "region", "sku", "unit", "day", "currency",
                                            "currency_conversion_rate"});
  CHECK(names_in(chosen).size() == grouped.size() + summed);
}

TEST_CASE("The columns of the query are those that the reader of the layout takes", "[billing]") {
  const std::vector<std::string> names = names_in(part("\nSELECT ", "FROM line"));
  const std::vector<std::pair<std::string, std::string>> cells{{"machine_spec", "a3-highgpu-8g"},
                                                               {"region", "us-central1"},
                                                               {"sku", "Nvidia H100 80GB GPU"},
                                                               {"amount", "16"},
                                                               {"unit", "hour"},
                                                               {"cost", "164"},
                                                               {"credits", "-4"},
                                                               {"usage_start_time", "2026-07-31"},
                                                               {"currency", "EUR"},
                                                               {"currency_conversion_rate", "0.8"}};
  std::string header;
  std::string row;
  for (const std::string& name : names) {
    const auto cell = std::ranges::find(cells, name, &std::pair<std::string, std::string>::first);
    REQUIRE(cell != cells.end());
    header += (header.empty() ? "" : ",") + name;
    row += (row.empty() ? "" : ",") + cell->second;
  }
  CHECK(names.size() == cells.size());
  const test::ScratchFolder folder;
  const std::string file = folder.file("july.csv", header + "\n" + row + "\n");
  CHECK(billing_format_of(file) == BillingFormat::bigquery);
  const BillingExport bill = read_billing_export(file, BillingFormat::bigquery, Catalog::embedded());
  REQUIRE(bill.prices.size() == 1);
  CHECK(bill.prices[0].usd_per_hour() == Approx(100));  // 160 EUR for 2 h, credits in it, at 0.8 for a USD
  CHECK(bill.last == "2026-07-31");
}

TEST_CASE("An export of neither layout is told the nearest one and what it lacks", "[billing]") {
  const test::ScratchFolder folder;
  const auto layout = [&](const std::string& header) {
    return billing_format_of(folder.file("july.csv", header + "\n"));
  };
  CHECK_THROWS_WITH(
      layout("region,sku,amount,unit,cost,credits"),
      Contains("bigquery is the nearest, of which it lacks machine_spec. `stockout prices --query`"));
  CHECK_THROWS_WITH(layout("billing_account_id,service.description,sku.description,usage.amount,cost"),
                    Contains("lacks machine_spec, region, sku, amount, unit."));
  CHECK_THROWS_WITH(layout("SkuPriceDetails,RegionId,ChargeDescription,ConsumedQuantity,ConsumedUnit"),
                    Contains("focus is the nearest, of which it lacks EffectiveCost."));
  CHECK_THROWS_WITH(layout("Billing account name,Service description,SKU description,Usage amount,Cost ($)"),
                    Contains("is the cost table of the console, which names no machine types"));
  CHECK_THROWS_WITH(layout(""), Contains("holds no rows"));
}

TEST_CASE("A table's name is quoted as it is, and nothing else is taken for one", "[billing]") {
  CHECK(is_table_name(kTable));
  for (const std::string name : {"", "table", "a.b", "a.b.c.d", "a.b.c` WHERE true", "a.b.c d"})
    CHECK_FALSE(is_table_name(name));
  const Date day = *parse_date("2026-07-01");
  CHECK_THROWS_AS(billing_query("a.b", day, *parse_date("2026-07-02")), InvariantError);
  CHECK_THROWS_AS(billing_query(kTable, day, day), InvariantError);
}
