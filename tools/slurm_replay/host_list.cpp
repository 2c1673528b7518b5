#include "tools/slurm_replay/host_list.h"

#include <fmt/format.h>

#include <cstdint>

#include "sim/io/line_reader.h"
#include "sim/io/number.h"

namespace stockout::slurm {
namespace {

constexpr std::size_t kMostDigits = 9;  // of a number in a range

class HostListReader {
 public:
  HostListReader(std::string_view text, std::size_t most, const SourceRef& where)
      : text_{text}, most_{most}, where_{where} {}

  std::vector<std::string> read() {
    std::size_t begin = 0;
    while (begin <= text_.size()) {
      const std::size_t end = end_of_item(begin);
      read_item(text_.substr(begin, end - begin));
      begin = end + 1;
    }
    return std::move(names_);
  }

 private:
  [[noreturn]] void fail(std::string_view problem) const {
    throw InputError{where_, fmt::format("is {}, {}", in_quotes(text_), problem)};
  }

  // A comma in brackets does not end it.
  [[nodiscard]] std::size_t end_of_item(std::size_t begin) const {
    bool inside = false;
    for (std::size_t i = begin; i < text_.size(); ++i) {
      if (text_[i] == '[') inside = true;
      if (text_[i] == ']') inside = false;
      if (text_[i] == ',' && !inside) return i;
    }
    return text_.size();
  }

  void read_item(std::string_view item) {
    const std::size_t open = item.find('[');
    if (open == std::string_view::npos) {
      if (item.empty() || item.find(']') != std::string_view::npos) fail("but a list of names is needed");
      return add(std::string{item});
    }
    const std::size_t close = item.find(']', open);
    if (close == std::string_view::npos) fail("but a bracket is not closed");
    const std::string_view after = item.substr(close + 1);
    if (after.find_first_of("[]") != std::string_view::npos)
      fail("but more than one bracket is not supported");
    std::string_view ranges = item.substr(open + 1, close - open - 1);
    for (bool more = true; more;) {
      const std::size_t comma = ranges.find(',');
      read_range(item.substr(0, open), ranges.substr(0, comma), after);
      more = comma != std::string_view::npos;
      if (more) ranges.remove_prefix(comma + 1);
    }
  }

  [[nodiscard]] std::int64_t number(std::string_view digits) const {
    std::int64_t value = 0;
    if (digits.size() > kMostDigits || parse_integer(digits, value) != std::errc{} || value < 0) {
      fail("but a range such as [1-16] is needed");
    }
    return value;
  }

  void read_range(std::string_view before, std::string_view range, std::string_view after) {
    const std::size_t dash = range.find('-');
    const std::string_view from = range.substr(0, dash);
    const std::int64_t first = number(from);
    const std::int64_t last = dash == std::string_view::npos ? first : number(range.substr(dash + 1));
    if (last < first) fail("but a range must not go backwards");
    for (std::int64_t i = first; i <= last; ++i) {
      add(fmt::format("{}{:0{}}{}", before, i, from.size(), after));
    }
  }

  void add(std::string name) {
    if (names_.size() == most_) fail(fmt::format("but at most {} names are supported", most_));
    names_.push_back(std::move(name));
  }

  std::string_view text_;
  std::size_t most_;
  const SourceRef& where_;
  std::vector<std::string> names_;
};

}  // namespace

std::vector<std::string> read_host_list(std::string_view text, std::size_t most, const SourceRef& where) {
  return HostListReader{text, most, where}.read();
}

}  // namespace stockout::slurm
