#include "tools/slurm_replay/conf_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <string_view>

#include "sim/io/line_reader.h"

namespace stockout::slurm {
namespace {

constexpr std::size_t kLongestJoined = std::size_t{1} << 20;  // characters of lines that are joined
constexpr std::size_t kLongestPath = 4096;
constexpr int kMostIncluded = 100;  // files, all together

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::size_t skip_blanks(std::string_view line, std::size_t at) {
  while (at < line.size() && is_blank(line[at])) ++at;
  return at;
}

// The end of a value that begins at `begin`; quotes hold blanks together.
std::size_t end_of_value(std::string_view line, std::size_t begin) {
  bool quoted = false;
  for (std::size_t i = begin; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (is_blank(line[i]) && !quoted) return i;
  }
  return line.size();
}

std::size_t end_of_key(std::string_view line, std::size_t begin) {
  std::size_t end = begin;
  while (end < line.size() && line[end] != '=' && !is_blank(line[end])) ++end;
  return end;
}

// Blanks may stand around "=".
ConfLine read_fields(std::string_view line, const SourceRef& where) {
  ConfLine fields;
  std::size_t at = skip_blanks(line, 0);
  while (at < line.size()) {
    const std::size_t key_end = end_of_key(line, at);
    const std::size_t equals = skip_blanks(line, key_end);
    if (key_end == at || equals == line.size() || line[equals] != '=') {
      const std::string_view word = line.substr(at, end_of_value(line, at) - at);
      throw InputError{where, fmt::format("{} is no \"Key=value\"", in_quotes(word))};
    }
    const std::size_t begin = skip_blanks(line, equals + 1);
    const std::size_t end = end_of_value(line, begin);
    ConfField field{.key = std::string{line.substr(at, key_end - at)},
                    .value = std::string{line.substr(begin, end - begin)},
                    .where = where};
    std::erase(field.value, '"');
    field.where.pointer = field.key;
    fields.push_back(std::move(field));
    at = skip_blanks(line, end);
  }
  return fields;
}

// Without its comment: what stands after a "#" that no backslash precedes.
std::string_view without_comment(std::string_view line) {
  bool escaped = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '#' && !escaped) return line.substr(0, i);
    escaped = line[i] == '\\' && !escaped;
  }
  return line;
}

// Where the backslash stands by which a line goes on in the next; blanks may follow it.
std::optional<std::size_t> place_of_continuation(std::string_view line) {
  std::size_t end = line.size();
  while (end > 0 && is_blank(line[end - 1])) --end;
  std::size_t backslashes = 0;
  while (backslashes < end && line[end - 1 - backslashes] == '\\') ++backslashes;
  if (backslashes % 2 == 0) return std::nullopt;
  return end - 1;
}

std::string without_escapes(std::string_view line) {
  std::string plain;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\' && ++i == line.size()) break;
    plain += line[i];
  }
  return plain;
}

// By which a file is known again; a pipe has no other name.
std::filesystem::path known_as(const std::filesystem::path& file) {
  std::error_code none;
  const std::filesystem::path canonical = std::filesystem::weakly_canonical(file, none);
  return none ? file : canonical;
}

// Keys that say one thing of the whole cluster, and so its name.
bool is_of_cluster(const ConfLine& line) {
  const ConfField& first = line.front();
  return !first.is("NodeName") && !first.is("NodeSet") && !first.is("PartitionName");
}

class ConfFileReader {
 public:
  explicit ConfFileReader(std::vector<std::string>& files) : files_{files} {}

  std::vector<ConfLine> read(const std::string& file) {
    read_file(file);
    return std::move(lines_);
  }

 private:
  void read_file(const std::string& file) {
    open_.push_back(known_as(file));
    files_.push_back(file);
    LineReader reader{file};
    std::string joined;
    bool goes_on = false;
    SourceRef where{.file = file};
    std::string_view line;
    while (reader.next(line)) {
      if (!goes_on) where.line = static_cast<int>(reader.line_number());
      const std::string_view text = without_comment(line);
      const auto backslash = place_of_continuation(text);
      joined += text.substr(0, backslash.value_or(text.size()));
      if (joined.size() > kLongestJoined)
        throw InputError{where, "the lines that are joined here are too long"};
      goes_on = backslash.has_value();
      if (goes_on) continue;
      read_line(without_escapes(joined), where);
      joined.clear();
    }
    if (goes_on) throw InputError{where, "the last line ends in a backslash"};
    open_.pop_back();
  }

  void read_line(std::string_view line, const SourceRef& where) {
    const std::size_t begin = skip_blanks(line, 0);
    const std::size_t end = end_of_value(line, begin);
    const std::size_t next = skip_blanks(line, end);
    const bool is_field = next < line.size() && line[next] == '=';
    if (is_same_word(line.substr(begin, end - begin), "include") && !is_field) {
      return include(line.substr(next), where);
    }
    ConfLine fields = read_fields(line, where);
    if (fields.empty()) return;
    if (is_of_cluster(fields)) {
      for (const ConfField& field : fields)
        if (field.is("ClusterName")) cluster_name_ = in_lower_case(field.value);
    }
    lines_.push_back(std::move(fields));
  }

  void include(std::string_view text, SourceRef where) {
    where.pointer = "include";
    const std::size_t end = end_of_value(text, 0);
    if (end == 0 || skip_blanks(text, end) != text.size())
      throw InputError{where, "must be followed by the name of one file"};
    const std::filesystem::path file =
        std::filesystem::path{where.file}.parent_path() / with_cluster_name(text.substr(0, end), where);
    std::error_code problem;
    if (file == "/dev/null") return;
    if (std::filesystem::exists(file, problem) && !std::filesystem::is_regular_file(file, problem))
      throw InputError{where, fmt::format("{} is no plain file", in_quotes(file.string()))};
    if (!std::filesystem::is_regular_file(file, problem))
      throw InputError{where, fmt::format("there is no file {}: put it there, or its text in place "
                                          "of the line",
                                          in_quotes(file.string()))};
    if (std::ranges::find(open_, known_as(file)) != open_.end())
      throw InputError{where, fmt::format("{} includes itself in the end", in_quotes(file.string()))};
    if (++included_ > kMostIncluded)
      throw InputError{where, fmt::format("at most {} files may be included", kMostIncluded)};
    read_file(file.string());
  }

  [[nodiscard]] std::string with_cluster_name(std::string_view text, const SourceRef& where) const {
    std::string name{text};
    std::erase(name, '"');
    for (std::size_t at = name.find("%c"); at != std::string::npos; at = name.find("%c", at)) {
      if (cluster_name_.empty()) throw InputError{where, "\"%c\" needs a ClusterName above"};
      name.replace(at, 2, cluster_name_);
      at += cluster_name_.size();
      if (name.size() > kLongestPath) throw InputError{where, "the name of the file is too long"};
    }
    return name;
  }

  std::vector<std::string>& files_;
  std::vector<ConfLine> lines_ = {};
  std::string cluster_name_ = {};                 // in small letters; empty: none is said so far
  std::vector<std::filesystem::path> open_ = {};  // the file that is read, below those that include it
  int included_ = 0;
};

}  // namespace

std::vector<ConfLine> read_conf_lines(const std::string& file, std::vector<std::string>& files) {
  return ConfFileReader{files}.read(file);
}

}  // namespace stockout::slurm
