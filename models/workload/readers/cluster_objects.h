#pragma once

#include <functional>
#include <string_view>

#include "models/workload/readers/json_row.h"
#include "models/workload/recorded_row.h"
#include "models/workload/trace_builder.h"

namespace stockout {

/// Gives the builder a row of each object of `kind` in a list of a Kubernetes cluster: what `row_of` makes of
/// it. Objects of other kinds are dropped with their kind; those that name none count. Texts of the row may
/// be those of the object. What cannot be read is dropped with its line, item and path.
void add_cluster_objects(
    TraceBuilder& builder, std::string_view kind,
    const std::function<RecordedRow(const JsonRow& object, const JsonValue& item)>& row_of);

}  // namespace stockout
