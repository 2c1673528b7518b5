#include "models/scenario/workload/row_speeds.h"

// Speeds of single rows of a trace.

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "models/scenario/workload/job_speed.h"
#include "models/scenario/workload/speeds.h"
#include "models/scenario/workload/workload.h"
#include "models/workload/readers/speed_text.h"

namespace stockout {
namespace {

class RowProfile {
 public:
  RowProfile(Draft& draft, const Node& source, const SpeedProfile& given, const RowSpeed& row,
             const std::string& measured_on)
      : draft_{draft}, source_{source}, given_{given}, measured_on_{measured_on} {
    if (!row.gpu.empty()) types_ = *parse_gpu_types(row.gpu);
    if (!row.speed.empty()) own_ = *parse_speeds(row.speed);
    for (const GpuSpeed& speed : own_) check_gpu(draft, source, speed.gpu);
  }

  void fill(SpeedProfile& profile, const std::string& family) {
    const std::vector<std::string> types = runs_on();
    if (types.empty()) return;
    if (measured_on_.empty())
      source_.fail("a row of the file has a \"speed\", but no GPU type on which its work was measured");
    profile.reference = measured_on_;
    profile.gpus.clear();
    for (const std::string& type : types) profile.gpus.push_back({.gpu = type, .speed = speed_of(type)});
    if (!profile.exchange || (measured_on_ == given_.reference && family.empty())) return;
    profile.exchange->step_ms /= given_speed(measured_on_);
    profile.exchange->reference_family =
        reference_family(draft_, source_.at("speed").at("scaling"), measured_on_, family);
  }

 private:
  // What the row lists, else what it has speeds for, else what the source has.
  [[nodiscard]] std::vector<std::string> runs_on() const {
    if (types_.size() > 1) return types_;
    std::vector<std::string> types;
    if (!own_.empty()) types.push_back(measured_on_);
    for (const GpuSpeed& speed : own_.empty() ? given_.gpus : own_) {
      if (std::ranges::find(types, speed.gpu) == types.end()) types.push_back(speed.gpu);
    }
    return types;
  }

  [[nodiscard]] double speed_of(const std::string& type) const {
    if (type == measured_on_) return 1;
    const auto own = std::ranges::find(own_, type, &GpuSpeed::gpu);
    if (own != own_.end()) return own->speed;
    const bool is_given = std::ranges::find(given_.gpus, type, &GpuSpeed::gpu) != given_.gpus.end();
    return is_given ? given_speed(type) / given_speed(measured_on_) : 1;
  }

  // Against the source's reference.
  [[nodiscard]] double given_speed(const std::string& type) const {
    const auto given = std::ranges::find(given_.gpus, type, &GpuSpeed::gpu);
    if (given != given_.gpus.end()) return given->speed;
    if (type == given_.reference) return 1;
    source_.at("speed").fail(
        fmt::format("a job of the file was measured on {}, which has no speed here", type));
  }

  Draft& draft_;
  const Node& source_;
  const SpeedProfile& given_;
  const std::string& measured_on_;
  std::vector<std::string> types_;
  std::vector<GpuSpeed> own_;
};

}  // namespace

SpeedId row_speed(Draft& draft, const Node& source, SpeedId speed, const RowSpeed& row,
                  const std::string& measured_on) {
  const SpeedProfile given = draft.world().speeds[index(speed)];
  const std::string family =
      row.machine.empty() ? "" : draft.catalog.machine(*draft.catalog.find_machine(row.machine)).family;
  const bool adds_nothing =
      row.speed.empty() && row.gpu_memory.empty() && row.gpu.find('|') == std::string::npos;
  const bool is_same_family = family.empty() || !given.exchange || given.exchange->reference_family == family;
  if (adds_nothing && (given.gpus.empty() || (measured_on == given.reference && is_same_family)))
    return speed;
  const auto [known, is_new] = draft.row_speeds.try_emplace(
      {speed, measured_on, family, row.gpu.find('|') == std::string::npos ? "" : row.gpu, row.speed,
       row.gpu_memory});
  if (!is_new) return known->second;
  SpeedProfile profile = given;
  profile.source = source.text("name");
  if (!row.gpu_memory.empty()) profile.gpu_memory_gb = *parse_gpu_memory(row.gpu_memory);
  RowProfile{draft, source, given, row, measured_on}.fill(profile, family);
  known->second = add_speed(draft, source, std::move(profile));
  return known->second;
}

}  // namespace stockout
