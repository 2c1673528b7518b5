#pragma once

#include "models/kept/input_stamps.h"
#include "sim/io/sql_table.h"

namespace stockout {

/// The table of every store that says which files its work was read from.
inline constexpr auto kInputsTable =
    plain_table("inputs", 1,  //
                field<&InputStamp::name>("name", AnyText{}, "of a file that the work was read from"),
                field<&InputStamp::bytes>("bytes", Whole{}, "that it has"),
                field<&InputStamp::fnv1a>("fnv1a", AnyText{}, "of its bytes"));

}  // namespace stockout
