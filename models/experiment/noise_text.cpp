#include "models/experiment/noise_text.h"

#include "models/measures/number_text.h"

namespace stockout {

std::string dollars_with_noise(double usd, const std::optional<double>& half_width) {
  const bool has_noise = half_width.value_or(0) > 0;
  return with_noise(dollar_text(usd), has_noise ? number_text(*half_width) : "");
}

std::string share_with_noise(const std::optional<Estimate>& share) {
  if (!share) return "none";
  const bool has_noise = share->half_width.value_or(0) > 0;
  return with_noise(share_text(share->mean), has_noise ? number_text(100 * *share->half_width, 1) : "");
}

}  // namespace stockout
