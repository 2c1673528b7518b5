#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "models/workload/readers/fitting_formats.h"
#include "models/workload/trace.h"
#include "sim/core/error.h"
#include "tests/support/scratch_folder.h"

namespace stockout::test {

/// A history of this content, read as what it is recognised as, which must be one format.
inline Trace read_export(std::string_view content, const TraceOptions& options = {}) {
  const ScratchFolder folder;
  const std::string path = folder.file("t", content);
  const auto formats = fitting_formats(path);
  REQUIRE(formats.size() == 1);
  return read_trace(path, formats.front(), options);
}

/// Its error, in which the file is "t", or "no error".
inline std::string export_error(std::string_view content) {
  try {
    static_cast<void>(read_export(content));
  } catch (const InputError& error) {
    const std::string text = error.what();
    return text.substr(text.find("/t:") + 1);
  }
  return "no error";
}

/// The word of each job.
inline std::vector<std::string> words_of(const WordColumn& column) {
  std::vector<std::string> all;
  for (std::size_t job = 0; job < column.codes.size(); ++job) all.push_back(column.at(job));
  return all;
}

}  // namespace stockout::test
