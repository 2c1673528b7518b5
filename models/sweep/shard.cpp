#include "models/sweep/shard.h"

#include <fmt/format.h>

#include "sim/core/error.h"
#include "sim/io/number.h"

namespace stockout {
namespace {

std::size_t whole_number(const std::string& who, const std::string& text) {
  std::int64_t value = 0;
  if (parse_integer(text, value) == std::errc{} && value >= 0) return static_cast<std::size_t>(value);
  throw InputError{{.file = who}, fmt::format("must be a whole number, but is \"{}\"", text.substr(0, 60))};
}

Shard checked(const std::string& who, const Shard& shard) {
  if (shard.of == 0 || shard.of > kMostShards)
    throw InputError{{.file = who},
                     fmt::format("must be of 1 to {} shards, but is of {}", kMostShards, shard.of)};
  if (shard.index >= shard.of) {
    throw InputError{{.file = who},
                     fmt::format("there is no shard {} of {}: they are numbered from 0 to {}", shard.index,
                                 shard.of, shard.of - 1)};
  }
  return shard;
}

Shard parse_shard(const std::string& text) {
  const std::string who = "command line: --shard";
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos)
    throw InputError{{.file = who}, fmt::format("must be i/n, as in 0/4, but is \"{}\"", text.substr(0, 60))};
  return checked(who, {.index = whole_number(who, text.substr(0, slash)),
                       .of = whole_number(who, text.substr(slash + 1))});
}

}  // namespace

ShardChoice choose_shard(const std::string& option, std::optional<std::size_t> shards,
                         const std::function<const char*(const char*)>& environment) {
  const auto number = [&](const char* name) -> std::optional<std::size_t> {
    const char* text = environment(name);
    if (text == nullptr || *text == '\0') return std::nullopt;
    return whole_number(name, text);
  };
  if (!option.empty()) {
    const Shard shard = parse_shard(option);
    if (shards.value_or(shard.of) != shard.of)
      throw InputError{{.file = "command line"},
                       fmt::format("--shard {} and --shards {} contradict each other", option, *shards)};
    return {.shard = shard, .said_by = "--shard"};
  }
  if (const auto task = number("SLURM_ARRAY_TASK_ID")) {
    const std::size_t first = number("SLURM_ARRAY_TASK_MIN").value_or(0);
    const std::size_t step = std::max<std::size_t>(number("SLURM_ARRAY_TASK_STEP").value_or(1), 1);
    const auto tasks = number("SLURM_ARRAY_TASK_COUNT");
    const auto count = shards ? shards : tasks;
    if (!count)
      throw InputError{{.file = "SLURM_ARRAY_TASK_ID"}, "is there, but not of how many: say --shards"};
    if (tasks && *tasks != *count)
      throw InputError{
          {.file = "command line: --shards"},
          fmt::format("is {}, but the Slurm array has {} tasks: submit an array of as many tasks as shards, "
                      "or say which shard a task does with --shard i/n",
                      *count, *tasks)};
    if (*task < first)
      throw InputError{{.file = "SLURM_ARRAY_TASK_ID"}, fmt::format("is {}, below the array's first", *task)};
    return {.shard = checked("SLURM_ARRAY_TASK_ID", {.index = (*task - first) / step, .of = *count}),
            .said_by = "SLURM_ARRAY_TASK_ID"};
  }
  if (const auto index = number("JOB_COMPLETION_INDEX")) {
    if (!shards)
      throw InputError{{.file = "JOB_COMPLETION_INDEX"},
                       "is there, but not of how many: say --shards, as many as the Job has completions"};
    return {.shard = checked("JOB_COMPLETION_INDEX", {.index = *index, .of = *shards}),
            .said_by = "JOB_COMPLETION_INDEX"};
  }
  if (shards)
    throw InputError{
        {.file = "command line: --shards"},
        "but not which of them: say --shard i/n (SLURM_ARRAY_TASK_ID and JOB_COMPLETION_INDEX are "
        "not there either)"};
  return {};
}

std::string shard_path(const std::string& store, const Shard& shard) {
  const std::size_t name = store.rfind('/') + 1;  // 0 if there is no folder
  std::size_t dot = store.rfind('.');
  if (dot == std::string::npos || dot <= name) dot = store.size();
  return fmt::format("{}.shard-{}-of-{}{}", store.substr(0, dot), shard.index, shard.of, store.substr(dot));
}

}  // namespace stockout
