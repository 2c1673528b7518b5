#include "models/experiment/noise_text.h"

#include <fmt/format.h>

#include "models/measures/number_text.h"

namespace stockout {
namespace {

std::string with_noise(const std::string& text, const std::optional<double>& half_width,
                       const std::string& noise) {
  return half_width && *half_width > 0 ? fmt::format("{} ± {}", text, noise) : text;
}

}  // namespace

std::string dollars_with_noise(double usd, const std::optional<double>& half_width) {
  return with_noise(dollar_text(usd), half_width, number_text(half_width.value_or(0)));
}

std::string share_with_noise(const std::optional<Estimate>& share) {
  if (!share) return "none";
  return with_noise(share_text(share->mean), share->half_width,
                    number_text(100 * share->half_width.value_or(0), 1));
}

}  // namespace stockout
