#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/starter/findings.h"
#include "sim/io/commented_json.h"

namespace stockout {

/// A question with made-up jobs, for who has no history yet.
struct StarterTemplate {
  std::string_view name = {};
  std::string_view question = {};
  std::string_view workload = {};  // JSON: a list of sources
  std::string_view gpu = {};
  std::int64_t peak_gpus;  // that its jobs have at once, about
  std::int64_t mean_gpus;  // and on average
  std::int32_t smallest;   // GPUs of the smallest job
  std::int32_t largest;
};

/// In the order of help texts.
[[nodiscard]] const std::vector<StarterTemplate>& starter_templates();

/// nullptr if there is none.
[[nodiscard]] const StarterTemplate* find_template(std::string_view name);

/// Its sources, each with what to ask of whoever fills it in.
[[nodiscard]] std::vector<CommentedJson> template_sources(const StarterTemplate& chosen);

}  // namespace stockout
