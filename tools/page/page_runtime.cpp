#include "tools/page/page_runtime.h"

// The bundle of the build directory as it is: compilers are slow with arrays of a million numbers.
#define STOCKOUT_BUILT_IN(name, path)                     \
  asm(".pushsection .rodata\n"                            \
      ".global stockout_" #name "_begin, stockout_" #name \
      "_end\n"                                            \
      ".hidden stockout_" #name "_begin, stockout_" #name \
      "_end\n"                                            \
      "stockout_" #name                                   \
      "_begin:\n"                                         \
      ".incbin \"" path                                   \
      "\"\n"                                              \
      "stockout_" #name                                   \
      "_end:\n"                                           \
      ".popsection\n");                                   \
  extern "C" {                                            \
  extern const char stockout_##name##_begin[];            \
  extern const char stockout_##name##_end[];              \
  }

STOCKOUT_BUILT_IN(page_style, STOCKOUT_PAGE_BUNDLE "/page.css")
STOCKOUT_BUILT_IN(page_script, STOCKOUT_PAGE_BUNDLE "/page.js")
STOCKOUT_BUILT_IN(page_charts, STOCKOUT_PAGE_BUNDLE "/charts.json")
STOCKOUT_BUILT_IN(page_policy, STOCKOUT_PAGE_BUNDLE "/content_policy.txt")

namespace stockout {

PageRuntime page_runtime() {
  return {.style = {stockout_page_style_begin, stockout_page_style_end},
          .script = {stockout_page_script_begin, stockout_page_script_end},
          .charts = {stockout_page_charts_begin, stockout_page_charts_end},
          .content_policy = {stockout_page_policy_begin, stockout_page_policy_end}};
}

}  // namespace stockout
