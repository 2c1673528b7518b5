#include "models/workload/readers/cloud_names.h"

#include <algorithm>
#include <array>

namespace stockout {
namespace {

struct CloudName {
  std::string_view cloud;
  std::string_view catalogue;
};

// Sources: AcceleratorType of google.cloud.aiplatform.v1; the label cloud.google.com/gke-accelerator in
// "About GPUs in GKE".
constexpr std::array kCloudNames{
    CloudName{"NVIDIA_A100_80GB", "A100-80GB"},
    CloudName{"NVIDIA_B200", "B200"},
    CloudName{"NVIDIA_GB200", "GB200"},
    CloudName{"NVIDIA_H100_80GB", "H100-80GB"},
    CloudName{"NVIDIA_H100_MEGA_80GB", "H100-MEGA-80GB"},
    CloudName{"NVIDIA_H200_141GB", "H200"},
    CloudName{"NVIDIA_L4", "L4"},
    CloudName{"NVIDIA_RTX_PRO_6000", "RTXPRO6000"},
    CloudName{"NVIDIA_TESLA_A100", "A100-40GB"},
    CloudName{"NVIDIA_TESLA_P100", "P100"},
    CloudName{"NVIDIA_TESLA_P4", "P4"},
    CloudName{"NVIDIA_TESLA_T4", "T4"},
    CloudName{"NVIDIA_TESLA_V100", "V100"},
    CloudName{"nvidia-a100-80gb", "A100-80GB"},
    CloudName{"nvidia-b200", "B200"},
    CloudName{"nvidia-gb200", "GB200"},
    CloudName{"nvidia-h100-80gb", "H100-80GB"},
    CloudName{"nvidia-h100-mega-80gb", "H100-MEGA-80GB"},
    CloudName{"nvidia-h200-141gb", "H200"},
    CloudName{"nvidia-l4", "L4"},
    CloudName{"nvidia-rtx-pro-6000", "RTXPRO6000"},
    CloudName{"nvidia-tesla-a100", "A100-40GB"},
    CloudName{"nvidia-tesla-p100", "P100"},
    CloudName{"nvidia-tesla-p4", "P4"},
    CloudName{"nvidia-tesla-t4", "T4"},
    CloudName{"nvidia-tesla-v100", "V100"},
};

std::string_view cloud_name_of(std::string_view gpu, std::string_view beginning) {
  const auto found = std::ranges::find_if(kCloudNames, [&](const CloudName& one) {
    return one.catalogue == gpu && one.cloud.starts_with(beginning);
  });
  return found == kCloudNames.end() ? std::string_view{} : found->cloud;
}

}  // namespace

std::string_view compute_engine_name_of_gpu(std::string_view gpu) { return cloud_name_of(gpu, "nvidia-"); }
std::string_view vertex_name_of_gpu(std::string_view gpu) { return cloud_name_of(gpu, "NVIDIA_"); }

std::string_view gpu_of_cloud_name(std::string_view name) {
  const auto found = std::ranges::find(kCloudNames, name, &CloudName::cloud);
  return found == kCloudNames.end() ? name : found->catalogue;
}

}  // namespace stockout
