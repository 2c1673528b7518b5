#include "models/workload/readers/sacct_text.h"

#include <algorithm>

#include "models/workload/trace.h"
#include "sim/io/number.h"

namespace stockout {
namespace {

// Takes what stands before the next `separator` off `text`, and it too.
std::string_view take_part(std::string_view& text, char separator) {
  const std::size_t at = text.find(separator);
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return part;
}

constexpr std::int64_t kMostDays = 20'000;

// Digits only, and no more days than a run may have.
std::optional<std::int64_t> small_number(std::string_view text) {
  std::int64_t number = 0;
  if (text.starts_with('-') || parse_integer(text, number) != std::errc{}) return std::nullopt;
  return number <= kMostDays * 24 * 60 ? std::optional{number} : std::nullopt;
}

}  // namespace

std::optional<TresGpus> parse_tres_gpus(std::string_view text) {
  constexpr std::string_view kGpu = "gres/gpu";
  TresGpus found;
  std::int64_t all = -1;
  std::int64_t typed = 0;
  std::int64_t most = 0;
  while (!text.empty()) {
    std::string_view entry = take_part(text, ',');
    if (!entry.starts_with(kGpu)) continue;
    entry.remove_prefix(kGpu.size());
    const bool is_typed = entry.starts_with(':');
    if (!is_typed && !entry.starts_with('=')) continue;  // gres/gpumem
    entry.remove_prefix(1);
    const std::string_view type = is_typed ? take_part(entry, '=') : std::string_view{};
    std::int64_t count = 0;
    if (parse_integer(entry, count) != std::errc{} || count < 0 || count > kMostJobGpus) return std::nullopt;
    if (!is_typed) all = count;
    if (is_typed) typed = std::min<std::int64_t>(typed + count, kMostJobGpus);
    if (is_typed && count > most) {
      most = count;
      found.type = type;
    }
  }
  found.count = static_cast<std::int32_t>(all >= 0 ? all : typed);
  return found;
}

std::optional<SimDuration> parse_slurm_length(std::string_view text) {
  constexpr std::int64_t kMsPerSecond = 1000;
  std::int64_t days = 0;
  if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
    const auto read = small_number(take_part(text, '-'));
    if (!read || *read > kMostDays) return std::nullopt;
    days = *read;
  }
  text = text.substr(0, text.find('.'));
  std::int64_t seconds = 0;
  int parts = 0;
  while (!text.empty() && parts < 3) {
    const auto part = small_number(take_part(text, ':'));
    if (!part) return std::nullopt;
    seconds = seconds * 60 + *part;
    ++parts;
  }
  if (parts < 2 || !text.empty()) return std::nullopt;
  const SimDuration length{(days * 86'400 + seconds) * kMsPerSecond};
  return length <= kLongestRun ? std::optional{length} : std::nullopt;
}

bool is_not_set(std::string_view cell) {
  return cell.empty() || cell == "Unknown" || cell == "None" || cell == "N/A";
}

bool is_no_limit(std::string_view cell) {
  return is_not_set(cell) || cell == "UNLIMITED" || cell == "Partition_Limit" || cell == "INVALID";
}

}  // namespace stockout
