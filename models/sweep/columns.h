#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "models/experiment/summary.h"
#include "models/measures/measure_table.h"
#include "sim/io/field.h"

namespace stockout {

/// A measure over the replications of a point, as the store has it.
struct StoredSummary {
  std::optional<double> mean;
  std::optional<double> plus_minus;  // half-width of its 95 % interval
  std::size_t replications = 0;      // in which there is a value
  std::optional<bool> is_lower_bound;
};

[[nodiscard]] StoredSummary stored_summary(const Summary& summary);

/// Its columns in the table of results, by what stands behind the measure's name: as in the CSV of `compare`.
inline constexpr std::tuple kSummaryFields{
    field<&StoredSummary::mean>("", Number{}, "of the replications"),
    field<&StoredSummary::plus_minus>("_plus_minus", Number{}, "half-width of its 95 % interval"),
    field<&StoredSummary::replications>("_replications", Whole{},
                                        "in which there is a value; over worlds rounds"),
    field<&StoredSummary::is_lower_bound>("_is_lower_bound", Flag{}, "it is more than the mean says")};

/// Whether the measure has the column with that behind its name.
[[nodiscard]] bool has_column(const MeasureInfo& measure, std::string_view behind);

/// Calls `visit` with each of kSummaryFields that the measure has a column for.
template <typename Visit>
void for_each_column(const MeasureInfo& measure, const Visit& visit) {
  for_each_field(kSummaryFields, [&](const auto& field) {
    if (has_column(measure, field.name)) visit(field);
  });
}

/// A column of the store's table of results.
struct ResultColumn {
  std::string name;  // "wait_mean_h", "wait_mean_h_plus_minus"
  std::string_view type;
};

/// Of every measure, in the order of the measures.
[[nodiscard]] const std::vector<ResultColumn>& result_columns();

/// "CREATE TABLE results ...", with the columns of the measures.
[[nodiscard]] std::string create_results_sql();

/// Names of the fields of kResultsTable behind its key: "strategy", "rank".
[[nodiscard]] std::vector<std::string> result_fields();

/// Names that no parameter's column can have.
[[nodiscard]] std::vector<std::string> reserved_columns();

}  // namespace stockout
