// Writes the sample report page, for the tests in a browser: write_sample_page FILE [hostile]

#include <fstream>

#include "tests/tools/page/report_page/sample_page.h"

int main(int argument_count, char** arguments) {
  if (argument_count < 2) return 2;
  const auto names = argument_count > 2 ? stockout::test::hostile_names() : stockout::test::plain_names();
  std::ofstream file{arguments[1], std::ios::binary};
  file << stockout::write_page(stockout::test::sample_page(names));
  return file.flush() ? 0 : 1;
}
