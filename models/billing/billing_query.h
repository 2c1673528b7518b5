#pragma once

#include <string>
#include <string_view>

#include "models/catalog/date.h"

namespace stockout {

/// The query that makes a file of BillingFormat::bigquery from Google's standard or detailed usage cost
/// export, for BigQuery (GoogleSQL). It has a row for each day (UTC), machine type, region and SKU from
/// `from` to before `until`. `table` is PROJECT.DATASET.TABLE; letters, digits, '-', '_', '.' and ':' only,
/// else InvariantError.
[[nodiscard]] std::string billing_query(std::string_view table, Date from, Date until);

/// Whether billing_query() takes it: it is quoted there.
[[nodiscard]] bool is_table_name(std::string_view table);

}  // namespace stockout
