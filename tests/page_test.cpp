// The report page as text: what a browser gets. What it makes of it: report_page/check_page.mjs.

#include <regex>

#include <catch2/catch.hpp>

#include "tests/report_page/sample_page.h"
#include "tools/page/html_text.h"

using namespace stockout;

TEST_CASE("What looks like HTML is shown as it is", "[page]") {
  CHECK(html_text("a < b & \"c\" > 'd'") == "a &lt; b &amp; &quot;c&quot; &gt; &#39;d&#39;");
  CHECK(html_text("± 5 \u05E9\n\t") == "± 5 \u05E9\n\t");
}
