#pragma once

#include <string_view>

namespace stockout {

/// Scripts and styles that the page brings along; built into the program from the files of this folder and
/// their npm packages.
struct PageRuntime {
  std::string_view style;   // CSS
  std::string_view script;  // one classic script, the licences of its libraries on top
  std::string_view charts;  // JSON: the specifications of charts/ by name
  std::string_view
      content_policy;  // Content-Security-Policy that lets this script run and nothing be fetched
};

[[nodiscard]] PageRuntime page_runtime();

}  // namespace stockout
