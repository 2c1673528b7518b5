// `speed` and `gpu_memory` of a source: read, turned into rates, told.

#include "models/scenario/workload/speeds.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/scenario/format/keys.h"
#include "models/scenario/format/known_names.h"
#include "models/scenario/workload/job_speed.h"
#include "models/scenario/workload/workload.h"
#include "sim/core/counted.h"
#include "sim/core/duration_text.h"

namespace stockout {
namespace {

constexpr std::size_t kMostSpeeds = 65'536;
constexpr std::size_t kMostLines = 10;  // of a source, among the assumptions
constexpr double kSlowest = static_cast<double>(kLeastRate) / kReferenceRate;
constexpr double kFastest = static_cast<double>(kMostRate) / kReferenceRate;

double milliseconds(SimDuration length) { return static_cast<double>(length.count()); }

std::string reference_of(const Draft& draft, const Node& speed, const std::string& gpu) {
  if (!speed.has("reference")) {
    if (gpu.empty()) speed.fail("\"reference\" is missing: the GPU type on which \"work\" was measured");
    return gpu;
  }
  check_gpu(draft, speed.at("reference"), speed.text("reference"));
  return speed.text("reference");
}

std::vector<GpuSpeed> given_speeds(const Draft& draft, const Node& gpus, const std::string& reference) {
  std::vector<GpuSpeed> speeds;
  for (const auto& [gpu, node] : gpus.entries()) {
    check_gpu(draft, node, gpu);
    if (gpu == reference && node.as_number() != 1)
      node.fail(fmt::format("must be 1: speeds are those against {}, the reference", reference));
    speeds.push_back({.gpu = gpu, .speed = node.as_number()});
  }
  return speeds;
}

std::vector<GpuSpeed> speeds_of_steps(const Draft& draft, const Node& steps, const std::string& reference) {
  const auto entries = steps.entries();
  const auto known = std::ranges::find(entries, reference, &std::pair<std::string, Node>::first);
  if (known == entries.end()) steps.fail(fmt::format("has no step time for {}, the reference", reference));
  const double step = milliseconds(known->second.as_duration());
  std::vector<GpuSpeed> speeds;
  for (const auto& [gpu, node] : entries) {
    check_gpu(draft, node, gpu);
    const double speed = step / milliseconds(node.as_duration());
    if (speed < kSlowest || speed > kFastest)
      node.fail(fmt::format("makes {} {:.4g} times as fast as {}; {} to {} can be simulated", gpu, speed,
                            reference, kSlowest, kFastest));
    speeds.push_back({.gpu = gpu, .speed = speed});
  }
  return speeds;
}

std::string measured_on(const Draft& draft, const Node& scaling, const std::string& reference,
                        const std::string& family) {
  if (!scaling.has("measured_on")) return reference_family(draft, scaling, reference, family);
  const auto families = draft.catalog.families_of_gpu(*draft.catalog.find_gpu(reference));
  const Node node = scaling.at("measured_on");
  if (std::ranges::find(families, node.as_text()) != families.end()) return node.as_text();
  node.fail(fmt::format("no machine family \"{}\" has the reference, {}; \"{}\" has",
                        node.as_text().substr(0, 60), reference, fmt::join(families, "\", \"")));
}

Exchange read_exchange(const Draft& draft, const Node& speed, const std::string& reference,
                       const std::string& family) {
  const Node scaling = speed.at("scaling");
  Exchange exchange{.message_gb = scaling.number("message"),
                    .overlap = scaling.number("overlap"),
                    .busbw_times = scaling.number("busbw_times"),
                    .busbw = {},
                    .reference_family = measured_on(draft, scaling, reference, family),
                    .batch_grows = scaling.text("batch") == "grows"};
  if (scaling.has("measured_nodes"))
    exchange.measured_nodes = static_cast<std::int32_t>(scaling.integer("measured_nodes"));
  if (scaling.has("step")) {
    exchange.step_ms = milliseconds(scaling.duration("step"));
  } else {
    for (const auto& [gpu, node] : speed.at("step_times").entries()) {
      if (gpu == reference) exchange.step_ms = milliseconds(node.as_duration());
    }
  }
  if (!scaling.has("busbw")) return exchange;
  for (const auto& [name, node] : scaling.at("busbw").entries()) {
    const auto known = draft.catalog.families();
    static_cast<void>(find_name(node, "machine family", name, known, known.size()));
    exchange.busbw.emplace(name, node.as_number());
  }
  return exchange;
}

std::string text_of(const Bandwidth& bandwidth) {
  switch (bandwidth.from) {
    case Bandwidth::From::measured:
      return fmt::format("{:.4g} measured on two nodes", bandwidth.gb_s);
    case Bandwidth::From::given:
      return fmt::format("{:.4g} of the planner's own", bandwidth.gb_s);
    case Bandwidth::From::bound:
      break;
  }
  return fmt::format("{:.4g} at most, all of the machine's network", bandwidth.gb_s);
}

std::string text_of(const SpeedProfile& profile, const SpeedUse& use) {
  std::vector<std::string> parts;
  if (!profile.gpus.empty()) {
    std::vector<std::string> speeds;
    for (const GpuSpeed& gpu : profile.gpus) {
      if (gpu.gpu != profile.reference) speeds.push_back(fmt::format("{} {:.4g}", gpu.gpu, gpu.speed));
    }
    parts.push_back(fmt::format("work is measured on {}; speeds against it, as given: {}", profile.reference,
                                speeds.empty() ? "none" : fmt::format("{}", fmt::join(speeds, ", "))));
  }
  if (profile.exchange) {
    const Exchange& exchange = *profile.exchange;
    std::vector<std::string> families;
    for (const auto& [family, bandwidth] : use.bandwidths)
      families.push_back(fmt::format("{} {}", family, text_of(bandwidth)));
    parts.push_back(fmt::format(
        "nodes all-reduce {:.4g} GB a step of {:.4g} ms on {}, {:.4g} % of it hidden; GB/s per GPU: {}",
        exchange.message_gb, exchange.step_ms, exchange.reference_family, exchange.overlap * 100,
        families.empty() ? "no job has several nodes" : fmt::format("{}", fmt::join(families, ", "))));
    if (exchange.measured_nodes > 0)
      parts.push_back(fmt::format("work is measured on {} nodes; on more of them {}", exchange.measured_nodes,
                                  exchange.batch_grows ? "the batch grows, and steps are fewer"
                                                       : "the batch is the same, and each step shorter"));
  }
  if (profile.gpu_memory_gb > 0)
    parts.push_back(fmt::format("each GPU needs {:.4g} GB of memory", profile.gpu_memory_gb));
  return fmt::format("{}: {}", profile.source, fmt::join(parts, "; "));
}

}  // namespace

std::string reference_family(const Draft& draft, const Node& node, const std::string& gpu,
                             const std::string& family) {
  const auto families = draft.catalog.families_of_gpu(*draft.catalog.find_gpu(gpu));
  if (std::ranges::find(families, family) != families.end()) return family;
  if (families.size() == 1) return families.front();
  node.fail(
      fmt::format("\"measured_on\" is missing: on which of \"{}\", which all have {}, \"work\" was measured",
                  fmt::join(families, "\", \""), gpu));
}

SpeedId add_speed(Draft& draft, const Node& source, SpeedProfile profile) {
  auto& speeds = draft.world().speeds;
  if (speeds.size() == kMostSpeeds)
    source.fail(fmt::format("more than {} different combinations of gpu, machine, speed and gpu_memory",
                            kMostSpeeds - 1));
  speeds.push_back(std::move(profile));
  draft.speed_uses.push_back({.node = source});
  return SpeedId{static_cast<std::uint32_t>(speeds.size() - 1)};
}

SpeedId read_speed(Draft& draft, const Node& source, const std::string& gpu, const std::string& family) {
  if (!source.has("speed") && !source.has("gpu_memory")) return {};
  SpeedProfile profile;
  profile.source = source.text("name");
  if (source.has("gpu_memory")) profile.gpu_memory_gb = source.number("gpu_memory");
  if (source.has("speed")) {
    const Node speed = source.at("speed");
    profile.reference = reference_of(draft, speed, gpu);
    profile.gpus = speed.has("gpus") ? given_speeds(draft, speed.at("gpus"), profile.reference)
                                     : speeds_of_steps(draft, speed.at("step_times"), profile.reference);
    if (profile.gpus.empty()) speed.fail("names no GPU type on which the jobs run");
    if (speed.has("scaling")) profile.exchange = read_exchange(draft, speed, profile.reference, family);
  }
  return add_speed(draft, source, std::move(profile));
}

Rate rate_on(Draft& draft, const Shape& shape, std::span<const MachineId> machines) {
  if (shape.speed == SpeedId{}) return kReferenceRate;
  SpeedUse& use = draft.speed_uses[index(shape.speed) - 1];
  const JobSpeed speed = job_speed(draft.catalog, draft.world().speeds[index(shape.speed)], shape, machines);
  const std::string& family = draft.catalog.machine(machines.front()).family;
  const Node where = use.node.has("speed") ? use.node.at("speed") : use.node;
  if (!speed.why_not.empty()) where.fail(speed.why_not);
  if (speed.times < kSlowest || speed.times > kFastest) {
    where.fail(
        fmt::format("makes a job of {} nodes {:.4g} times as fast on {} as on the reference; {} to {} "
                    "can be simulated",
                    shape.nodes + (shape.tail_gpus > 0 ? 1 : 0), speed.times, family, kSlowest, kFastest));
  }
  if (speed.bandwidth) use.bandwidths.try_emplace(family, *speed.bandwidth);
  return static_cast<Rate>(std::llround(speed.times * kReferenceRate));
}

void tell_speeds(Draft& draft) {
  std::map<std::string, std::size_t> lines;
  for (std::size_t i = 0; i < draft.speed_uses.size(); ++i) {
    const SpeedProfile& profile = draft.world().speeds[i + 1];
    const SpeedUse& use = draft.speed_uses[i];
    if (!use.fits && use.most_memory_gb > 0) {
      (use.node.has("gpu_memory") ? use.node.at("gpu_memory") : use.node)
          .fail(fmt::format("each GPU needs {:.6g} GB, but no place of any leg has more than {:.6g} GB ({})",
                            profile.gpu_memory_gb, use.most_memory_gb, use.roomiest));
    }
    if (++lines[profile.source] <= kMostLines) draft.assume(text_of(profile, use));
  }
  for (const auto& [source, count] : lines) {
    if (count > kMostLines)
      draft.assume(fmt::format("{}: its file has {} of gpu, machine, speed and gpu_memory", source,
                               counted(count - kMostLines, "more combination", "more combinations")));
  }
}

}  // namespace stockout
