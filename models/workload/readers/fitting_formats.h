#pragma once

#include <string>
#include <vector>

#include "models/workload/trace.h"

namespace stockout {

/// The formats that the beginning of a file fits; none if it is none of ours. Two for GAIA, whose header does
/// not tell seconds from hours. Throws InputError if the file cannot be read, or if it is a file of one of
/// these sources that holds no jobs.
[[nodiscard]] std::vector<TraceFormat> fitting_formats(const std::string& path);

/// Of a file that fits none: what its beginning looks like, and what to do about it; empty if like none of
/// the formats. Throws as fitting_formats() does.
[[nodiscard]] std::string like_which_format(const std::string& path);

}  // namespace stockout
