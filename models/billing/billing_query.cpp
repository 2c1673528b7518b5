#include "models/billing/billing_query.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/core/check.h"

namespace stockout {

bool is_table_name(std::string_view table) {
  constexpr std::string_view kKnown = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.:";
  return !table.empty() && table.find_first_not_of(kKnown) == std::string_view::npos &&
         std::ranges::count(table, '.') == 2;
}

// Rows first, sums then: the machine type and the credits are lists within a row. The export's own columns
// are those of "Structure of Standard data export" in Cloud Billing's documentation.
std::string billing_query(std::string_view table, Date from, Date until) {
  STOCKOUT_CHECK(is_table_name(table) && from < until);
  return fmt::format(R"(WITH line AS (
  SELECT
    (SELECT value FROM UNNEST(system_labels) WHERE key = 'compute.googleapis.com/machine_spec') AS machine_spec,
    location.region AS region,
    sku.description AS sku,
    usage.amount_in_pricing_units AS amount,
    usage.pricing_unit AS unit,
    cost,
    (SELECT SUM(credit.amount) FROM UNNEST(credits) AS credit
     WHERE credit.type NOT LIKE 'COMMITTED_USAGE%') AS credits,
    DATE(usage_start_time) AS day,
    currency,
    currency_conversion_rate
  FROM `{}`
  WHERE service.description = 'Compute Engine'
    AND usage_start_time >= TIMESTAMP('{}')
    AND usage_start_time < TIMESTAMP('{}')
)
SELECT machine_spec, region, sku, SUM(amount) AS amount, unit, SUM(cost) AS cost, SUM(credits) AS credits,
  day AS usage_start_time, currency, currency_conversion_rate
FROM line
GROUP BY machine_spec, region, sku, unit, day, currency, currency_conversion_rate
ORDER BY day, machine_spec, region, sku
)",
                     table, to_text(from), to_text(until));
}

}  // namespace stockout
