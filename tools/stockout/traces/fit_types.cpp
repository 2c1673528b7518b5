#include "tools/stockout/traces/fit_types.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "models/workload/readers/speed_text.h"
#include "models/workload/trace_builder.h"
#include "sim/core/error.h"
#include "sim/core/unknown_name.h"

namespace stockout {
namespace {

const std::string& word_at(const WordColumn& column, std::size_t job) {
  static const std::string kNone;
  return column.empty() ? kNone : column.at(job);
}

// What the words of one trace mean.
class TypeReader {
 public:
  TypeReader(std::span<const std::string> names, const Catalog& catalog) : catalog_{catalog} {
    for (const std::string& name : names) add_name(name);
  }

  // A machine or GPU type of the catalogue, or nothing.
  std::string machine_of(const std::string& word) {
    if (word.empty() || catalog_.find_machine(word)) return word;
    if (const auto said = said_.find(word); said != said_.end()) return use(*said);
    unknown_.insert(word);
    return {};
  }

  // The type that work was measured on: the first of several.
  std::string gpu_of(const std::string& words) {
    if (words.empty()) return {};
    const auto types = parse_gpu_types(words).value_or(std::vector<std::string>{words});
    if (types.size() > 1) first_.insert(words);
    return type_of(types.front());
  }

  [[nodiscard]] bool is_machine(const std::string& name) const {
    return catalog_.find_machine(name).has_value();
  }

  NamedTypes result() const {
    check_used();
    NamedTypes types{.taken = {}, .first = {first_.begin(), first_.end()}, .unknown = {}};
    for (const auto& [name, guess] : guesses_) types.taken.push_back(guess);
    types.unknown.assign(unknown_.begin(), unknown_.end());
    return types;
  }

 private:
  void add_name(const std::string& name) {
    const std::size_t sign = name.find('=');
    const SourceRef where{.file = "command line", .pointer = "--names"};
    if (sign == 0 || sign == std::string::npos)
      throw InputError{where, fmt::format("must be NAME=TYPE such as h100=H100-80GB, but is \"{}\"", name)};
    const std::string type = name.substr(sign + 1);
    if (!catalog_.find_gpu(type) && !catalog_.find_machine(type)) {
      std::vector<std::string> known = catalog_.machine_names();
      known.insert(known.end(), catalog_.gpu_types().begin(), catalog_.gpu_types().end());
      throw InputError{where, unknown_name("machine or GPU type", type, known)};
    }
    said_[name.substr(0, sign)] = type;
  }

  const std::string& use(const std::pair<const std::string, std::string>& said) {
    used_.insert(said.first);
    return said.second;
  }

  std::string type_of(const std::string& word) {
    if (const auto said = said_.find(word); said != said_.end()) return use(*said);
    if (catalog_.find_gpu(word)) return word;
    const TypeGuess guess = guess_type(catalog_, word);
    if (guess.likeness == Likeness::unknown) {
      unknown_.insert(word);
      return word;
    }
    guesses_.emplace(word, guess);
    return guess.gpu;
  }

  void check_used() const {
    for (const auto& [name, type] : said_) {
      if (used_.contains(name)) continue;
      throw InputError{{.file = "command line", .pointer = "--names"},
                       fmt::format("no job of the trace has the type \"{}\"", name)};
    }
  }

  const Catalog& catalog_;
  std::map<std::string, std::string> said_;
  std::set<std::string> used_;
  std::map<std::string, TypeGuess> guesses_;
  std::set<std::string> first_;
  std::set<std::string> unknown_;
};

}  // namespace

NamedTypes name_types(Trace& trace, std::span<const std::string> names, const Catalog& catalog) {
  TypeReader reader{names, catalog};
  WordColumn gpus;
  WordColumn machines;
  WordIndex gpu_index;
  WordIndex machine_index;
  std::map<std::pair<std::string, std::string>, std::pair<std::string, std::string>> known;
  for (std::size_t job = 0; job < trace.size(); ++job) {
    const std::pair words{word_at(trace.machine, job), word_at(trace.gpu, job)};
    auto place = known.find(words);
    if (place == known.end()) {
      std::string machine = reader.machine_of(words.first);
      std::string gpu = machine.empty() ? reader.gpu_of(words.second) : std::string{};
      // A name may stand for the other kind of type, too.
      if (reader.is_machine(gpu)) machine = std::exchange(gpu, {});
      if (!machine.empty() && !reader.is_machine(machine)) gpu = std::exchange(machine, {});
      if (machine.empty() && gpu.empty()) machine = words.first;
      place = known.emplace(words, std::pair{std::move(machine), std::move(gpu)}).first;
    }
    machines.codes.push_back(machine_index.code(place->second.first, machines.names));
    gpus.codes.push_back(gpu_index.code(place->second.second, gpus.names));
  }
  if (!trace.gpu.empty() || !trace.machine.empty()) {
    trace.gpu = std::move(gpus);
    trace.machine = std::move(machines);
  }
  return reader.result();
}

}  // namespace stockout
