#include "tools/report/comparison/share_words.h"

namespace stockout {

Relation shares_table(const std::vector<ShareWords>& shares) {
  Relation table{.title = "Meaning of each share"};
  table.add_columns(kText, {"share", "counted", "of"});
  for (const ShareWords& one : shares) table.add({one.name, one.counted, one.of});
  return table;
}

}  // namespace stockout
