#include "tools/table/table_blocks.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "tools/table/wrap_text.h"

namespace stockout {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kLeastWords = 12;  // columns that a column of words is not made narrower than

std::size_t header_width(const TextTable::Column& column) {
  std::size_t width = 0;
  for (const std::string& line : column.header) width = std::max(width, text_width(line));
  return width;
}

std::vector<std::size_t> natural_widths(const TextTable& table) {
  std::vector<std::size_t> widths;
  for (const TextTable::Column& column : table.columns) {
    std::size_t width = header_width(column);
    for (const auto& row : table.rows) width = std::max(width, text_width(row[widths.size()].text));
    widths.push_back(width);
  }
  return widths;
}

std::size_t width_of(const std::vector<std::size_t>& block, const std::vector<std::size_t>& widths) {
  std::size_t width = 0;
  for (const std::size_t column : block) width += widths[column] + (width == 0 ? 0 : kGap);
  return width;
}

bool is_words(const TextTable& table, std::size_t column) {
  return table.columns[column].align == TextTable::Align::left;
}

// How many columns name the rows: words before the first number, at least one, if there are any.
std::size_t lead_count(const TextTable& table) {
  std::size_t count = 0;
  while (count < table.columns.size() && is_words(table, count)) ++count;
  return count == table.columns.size() ? 1 : std::max<std::size_t>(count, 1);
}

// Narrows the widest of these columns of words until together they take no more than `most`.
void narrow(const TextTable& table, const std::vector<std::size_t>& columns, std::size_t most,
            std::vector<std::size_t>& widths) {
  const auto least = [&](std::size_t c) { return std::max(header_width(table.columns[c]), kLeastWords); };
  const auto room = [&](std::size_t c) {
    return is_words(table, c) && widths[c] > least(c) ? widths[c] : std::size_t{0};
  };
  while (width_of(columns, widths) > most) {
    const std::size_t widest = *std::ranges::max_element(columns, {}, room);
    if (room(widest) == 0) return;
    const std::size_t over = width_of(columns, widths) - most;
    widths[widest] -= std::min(over, widths[widest] - least(widest));
  }
}

}  // namespace

TableBlocks fit_blocks(const TextTable& table, std::size_t width) {
  TableBlocks fitted{.widths = natural_widths(table), .blocks = {}};
  const std::size_t count = fitted.widths.size();
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (count == 0 || width_of(all, fitted.widths) <= width) {
    fitted.blocks.push_back(std::move(all));
    return fitted;
  }
  const auto leads = static_cast<std::ptrdiff_t>(lead_count(table));
  const std::vector<std::size_t> lead{all.begin(), all.begin() + leads};
  narrow(table, lead, width * 2 / 5, fitted.widths);
  const std::size_t left = width - std::min(width, width_of(lead, fitted.widths) + kGap);
  std::vector<std::size_t> block = lead;
  for (auto next = all.begin() + leads; next != all.end();) {
    narrow(table, {*next}, left, fitted.widths);
    auto end = next + 1;
    while (end != all.end() && table.columns[*end].belongs_to_last &&
           width_of({next, end + 1}, fitted.widths) <= left)
      ++end;
    std::vector<std::size_t> longer = block;
    longer.insert(longer.end(), next, end);
    if (block.size() > lead.size() && width_of(longer, fitted.widths) > width) {
      fitted.blocks.push_back(std::exchange(block, lead));
      continue;
    }
    block = std::move(longer);
    next = end;
  }
  fitted.blocks.push_back(std::move(block));
  return fitted;
}

}  // namespace stockout
