#include "tools/stockout/files/import_output.h"

#include <fmt/format.h>

#include "sim/io/whole_file.h"
#include "tools/stockout/terminal/printable.h"

namespace stockout {

std::string list_under(const std::string& heading, const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  std::string page = heading + ":\n";
  for (const std::string& line : lines) page += fmt::format("  {}\n", printable(line));
  return page;
}

std::string list_left_out(const std::vector<std::string>& lines) {
  return list_under("A scenario has not", lines);
}

void write_scenario_part(const std::string& json, const std::string& path) {
  WholeFile file{path};
  file.write(json);
  file.commit();
}

}  // namespace stockout
