#pragma once

#include <functional>

#include "models/workload/json_row.h"
#include "models/workload/recorded_row.h"
#include "models/workload/trace_builder.h"
#include "models/workload/trace_fields.h"

namespace stockout {

/// Gives the builder a row of each object in a list of a Kubernetes cluster: what `row_of` makes of it. Texts
/// of the row may be those of the object. Throws InputError with file, line and path.
void add_cluster_objects(
    TraceBuilder& builder, TraceFields& fields,
    const std::function<RecordedRow(const JsonRow& object, const JsonValue& item)>& row_of);

}  // namespace stockout
