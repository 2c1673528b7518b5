#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "tools/table/relation.h"

namespace stockout {

/// A column of a few words that come again and again: a number for each row, and what the numbers stand for.
class WordCodes {
 public:
  void add(std::string_view word);

  [[nodiscard]] const std::vector<std::int32_t>& codes() const { return codes_; }
  [[nodiscard]] const std::vector<std::string>& words() const { return words_; }

 private:
  std::vector<std::int32_t> codes_;
  std::vector<std::string> words_;
  std::unordered_map<std::string, std::int32_t> known_;
};

/// Counts, numbers (nothing: not a number), truths, texts, words.
using FrameValues =
    std::variant<std::vector<std::int64_t>, std::vector<double>, std::vector<std::optional<bool>>,
                 std::vector<std::optional<std::string>>, WordCodes>;

/// A column of a data frame, under its name with its unit.
struct FrameColumn {
  std::string name;
  FrameValues values;
};

/// A data frame before Python has it: columns of one length.
using Frame = std::vector<FrameColumn>;

/// A relation as files have it. A column is as narrow as its values allow: truths, counts if there is one in
/// each row, numbers, else texts.
[[nodiscard]] Frame frame_of(const Relation& relation);

/// Texts as they are, or the numbers that they all are; an empty one is nothing.
[[nodiscard]] FrameColumn number_column(std::string name, const std::vector<std::string>& texts);
[[nodiscard]] FrameColumn text_column(std::string name, const std::vector<std::string>& texts);

}  // namespace stockout
