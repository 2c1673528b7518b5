#pragma once

#include <string>
#include <vector>

#include "tools/page/page.h"

namespace stockout {

/// Writes the blocks of one page; tables and lists are numbered as they come.
class PageBlocks {
 public:
  /// `strategies`: as in Page; rows of tables that name one of them are marked.
  explicit PageBlocks(const std::vector<std::string>& strategies) : strategies_{strategies} {}

  [[nodiscard]] std::string section(const PageSection& section);

 private:
  [[nodiscard]] std::string block(const PageBlock& block);
  [[nodiscard]] std::string table(const Relation& table);
  [[nodiscard]] std::string chart(const Chart& chart);
  [[nodiscard]] std::string ranked_list(const RankedList& list);
  [[nodiscard]] std::string keys(const Chart& chart) const;
  [[nodiscard]] std::string details(const Details& details);

  const std::vector<std::string>& strategies_;
  std::size_t tables_ = 0;
  std::size_t lists_ = 0;
};

}  // namespace stockout
