#pragma once

#include <string_view>

namespace stockout {

/// The catalogue's name of a GPU type that Vertex AI ("NVIDIA_H100_80GB") or GKE ("nvidia-h100-80gb") names
/// in its own words; another name as it is.
[[nodiscard]] std::string_view gpu_of_cloud_name(std::string_view name);

/// Back again: Compute Engine's and GKE's name of a GPU type of the catalogue, or Vertex AI's. Empty if it
/// has none.
[[nodiscard]] std::string_view compute_engine_name_of_gpu(std::string_view gpu);
[[nodiscard]] std::string_view vertex_name_of_gpu(std::string_view gpu);

}  // namespace stockout
