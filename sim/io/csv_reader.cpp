#include "sim/io/csv_reader.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "sim/core/unknown_name.h"

namespace stockout {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

bool CsvReader::next() {
  std::string_view line;
  do {
    if (!lines_.next(line)) return false;
  } while (line.empty() || (is_blank(line.front()) && trim(line).empty()));
  record_line_ = lines_.line_number();
  if (!split_plain(line)) split_quoted(line);
  return true;
}

void CsvReader::fail_width(std::size_t width) const {
  fail(fmt::format("must have as many fields as the header, {}, but has {}", width, fields_.size()));
}

void CsvReader::fail_record(std::string_view problem) const {
  constexpr auto kMostLine = static_cast<std::uint64_t>(std::numeric_limits<int>::max());
  throw BrokenRecord{{.file = path(), .line = static_cast<int>(std::min(record_line_, kMostLine))}, problem};
}

bool CsvReader::split_plain(std::string_view line) {
  fields_.clear();
  const char* begin = line.data();
  const char* const end = begin + line.size();
  for (const char* at = begin; at != end; ++at) {
    if (*at == '"') return false;
    if (*at != ',') continue;
    fields_.push_back(trim({begin, static_cast<std::size_t>(at - begin)}));
    begin = at + 1;
  }
  fields_.push_back(trim({begin, static_cast<std::size_t>(end - begin)}));
  return true;
}

void CsvReader::split_quoted(std::string_view rest) {
  unquoted_.clear();
  pieces_.clear();
  bool more = true;
  while (more) {
    rest = trim(rest);
    const std::size_t begin = unquoted_.size();
    rest.starts_with('"') ? take_quoted(rest) : take_bare(rest);
    pieces_.push_back({begin, unquoted_.size()});
    more = !rest.empty();
    if (more && rest.front() != ',') fail_record("a field goes on behind its closing quote");
    if (more) rest.remove_prefix(1);
  }
  fields_.clear();
  for (const Piece& piece : pieces_) {
    fields_.push_back(std::string_view{unquoted_}.substr(piece.begin, piece.end - piece.begin));
  }
}

void CsvReader::take_bare(std::string_view& rest) {
  const std::string_view field = trim(rest.substr(0, rest.find(',')));
  if (field.find('"') != std::string_view::npos) {
    fail_record("a quote in the middle of a field: put the whole field in quotes and double the inner ones");
  }
  unquoted_ += field;
  rest.remove_prefix(std::min(rest.find(','), rest.size()));
}

void CsvReader::take_quoted(std::string_view& rest) {
  rest.remove_prefix(1);
  while (true) {
    const std::size_t quote = rest.find('"');
    unquoted_ += rest.substr(0, quote);
    if (unquoted_.size() > LineReader::kLongestLine) {
      fail(fmt::format("a record of more than {} bytes: is a quote not closed?", LineReader::kLongestLine));
    }
    if (quote == std::string_view::npos) {
      unquoted_ += '\n';
      if (!lines_.next(rest)) fail("a quote is not closed");
      continue;
    }
    rest.remove_prefix(quote + 1);
    if (!rest.starts_with('"')) break;
    unquoted_ += '"';
    rest.remove_prefix(1);
  }
  rest = trim(rest);
}

std::vector<std::size_t> find_columns(const CsvReader& csv, std::span<const std::string> known,
                                      std::string_view form, std::vector<std::string>* others) {
  std::vector<std::size_t> places(known.size(), kNoColumn);
  for (std::size_t i = 0; i < csv.fields().size(); ++i) {
    const std::string_view name = csv.fields()[i];
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      const std::string known_names = suggest(name, known);
      if (others == nullptr || known_names.starts_with(", did")) {
        csv.fail(fmt::format("{} column {}{}", form.empty() ? "there is no" : fmt::format("{} has no", form),
                             in_quotes(name), known_names));
      }
      others->emplace_back(name);
      continue;
    }
    std::size_t& place = places[static_cast<std::size_t>(found - known.begin())];
    if (place != kNoColumn) csv.fail(fmt::format("column \"{}\" comes twice", *found));
    place = i;
  }
  return places;
}

}  // namespace stockout
