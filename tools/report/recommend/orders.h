#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "tools/report/recommend/answer.h"
#include "tools/table/text_layout.h"

namespace stockout {

/// Target of written orders: a shell with `gcloud`, or Terraform.
enum class OrderForm { gcloud, terraform };

/// How a file for each ends.
inline constexpr std::array<std::string_view, 2> kOrderEndings{".sh", ".tf"};

/// Commands that would order what the best purchase holds, each on a line, and what no command says. They are
/// printed, never run. None where nothing is held.
[[nodiscard]] std::vector<std::string> order_lines(const RecommendationReport& report);

/// The same for people: a command goes on in the next line as a shell takes it.
[[nodiscard]] std::string orders_text(const RecommendationReport& report, const TextLayout& layout);

/// The same as a file, with what it is for as a comment.
[[nodiscard]] std::string orders_file(const RecommendationReport& report, OrderForm form);

}  // namespace stockout
