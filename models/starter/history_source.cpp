#include "models/starter/history_source.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/counted.h"

namespace stockout {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::size_t kMostNamed = 8;

std::string hours_text(double gpu_hours) {
  return counted(static_cast<std::uint64_t>(std::llround(gpu_hours)), "GPU-hour");
}

void say_parts(CommentedJson& source, std::string_view what, const std::vector<FoundPart>& parts) {
  if (parts.empty()) return;
  std::vector<std::string> texts;
  for (const FoundPart& part : std::span{parts}.first(std::min(parts.size(), kMostNamed)))
    texts.push_back(
        fmt::format("{} ({}, {})", part.name, counted(part.jobs, "job"), hours_text(part.gpu_hours)));
  const std::string more =
      parts.size() > kMostNamed ? fmt::format(" and {} more", parts.size() - kMostNamed) : std::string{};
  source.say(fmt::format("{}: {}{}.", what, fmt::join(texts, ", "), more));
}

void say_types(CommentedJson& trace, const FoundHistory& history) {
  OrderedJson names = OrderedJson::object();
  std::vector<std::string> texts;
  for (const TypeGuess& type : history.types) {
    if (type.likeness == Likeness::same && type.name == type.gpu) continue;
    names[type.name] = type.gpu;
    if (type.likeness != Likeness::same) texts.push_back(text_of(type));
  }
  if (names.empty()) return;
  CommentedJson member = CommentedJson::member("names", std::move(names));
  if (!texts.empty())
    member.say(fmt::format("ASK: which GPUs of the catalogue are these? {}.", fmt::join(texts, "; ")));
  trace.add(std::move(member));
}

CommentedJson trace_of(const FoundHistory& history, const std::string& file, bool keeps_dates) {
  CommentedJson trace = CommentedJson::object("trace");
  trace.add(CommentedJson::member("file", file));
  trace.add(CommentedJson::member("format", kTraceFormatNames[static_cast<std::size_t>(history.format)]));
  if (history.absolute && history.zone != "UTC") trace.add(CommentedJson::member("time_zone", history.zone));
  CommentedJson shift = CommentedJson::member("shift", keeps_dates ? "none" : "to_start");
  if (!keeps_dates)
    shift.say("The first job moves to the start of the window, since prices of those days are not known.");
  trace.add(std::move(shift));
  say_types(trace, history);
  if (history.classes.empty()) {
    trace.add(CommentedJson::member("class_by_length", {{{"name", "up to 1 h"}, {"up_to", "1h"}},
                                                        {{"name", "up to 1 day"}, {"up_to", "1d"}},
                                                        {{"name", "longer"}}})
                  .say("The file tells no classes apart, so jobs are told apart by how long they run."));
  }
  return trace;
}

}  // namespace

CommentedJson history_source(const FoundHistory& history, const std::string& name, const std::string& file,
                             const std::string& gpu, bool keeps_dates) {
  CommentedJson source = CommentedJson::object("");
  source.say(fmt::format("{}, {}, {}.", counted(history.jobs, "job"), hours_text(history.gpu_hours),
                         counted(history.users, "user")));
  say_parts(source, "Classes", history.classes);
  say_parts(source, "Teams", history.teams);
  for (const std::string& remark : history.remarks) source.say(remark);
  if (history.counts_processors)
    source.say("ASK: what is a GPU here? The file counts processors, and each is taken for a GPU.");
  if (history.assumes_one_gpu)
    source.say("ASK: how many GPUs has a job? No column of the file says so, and one each is assumed.");
  source.add(CommentedJson::member("name", name));
  source.add(trace_of(history, file, keeps_dates));
  CommentedJson member = CommentedJson::member("gpu", gpu);
  if (history.has_unnamed) {
    member.say(fmt::format("ASK: which GPU do {} use? The file does not say, and {} is assumed.",
                           history.types.empty() ? "the jobs" : "jobs without a known GPU", gpu));
  } else {
    member.say("Of jobs whose row names no GPU that is known.");
  }
  source.add(std::move(member));
  source.add(
      CommentedJson::member("checkpoint", {{"every", "1h"}, {"cost", "2min"}})
          .say("ASK: do the jobs write checkpoints, and how often? Without, a preempted job begins anew.")
          .off());
  return source;
}

}  // namespace stockout
