#include "models/starter/templates.h"

#include <algorithm>

namespace stockout {

const std::vector<StarterTemplate>& starter_templates() {
  static const std::vector<StarterTemplate> kTemplates{
      {.name = "quickstart",
       .question = "How should a team with interactive work, trainings and a nightly batch buy its GPUs?",
       .workload = R"([
{"name": "tuning", "poisson": {"per_day": 6, "days": "weekdays", "hours": "09:00-18:00"}, "gpus": 8,
 "gpu": "H100-80GB", "work": {"lognormal": {"median": "3h", "sigma": 0.9}, "most": "20h"}, "users": 40,
 "checkpoint": {"every": "30min"}},
{"name": "training", "schedule": {"days": ["mon", "thu"], "at": "18:00"}, "nodes": 4, "gpus": 8,
 "gpu": "H100-80GB", "work": "36h", "deadline": "96h", "users": 4, "checkpoint": {"every": "30min"}},
{"name": "nightly", "schedule": {"at": "22:00", "count": 10}, "gpus": 8, "gpu": "H100-80GB", "work": "1h",
 "deadline": "9h", "users": 6}])",
       .gpu = "H100-80GB",
       .peak_gpus = 120,
       .mean_gpus = 35,
       .smallest = 8,
       .largest = 32},
      {.name = "spot",
       .question = "Do jobs with checkpoints get done on Spot, what is lost, and when must they be paid for?",
       .workload = R"([
{"name": "batch", "poisson": {"per_day": 24}, "gpus": 1, "gpu": "L4",
 "work": {"lognormal": {"median": "4h", "sigma": 0.8}, "most": "24h"}, "deadline": {"work_plus": "24h"},
 "checkpoint": {"every": "30min", "cost": "1min"}, "users": 10},
{"name": "no checkpoints", "poisson": {"per_day": 6}, "gpus": 1, "gpu": "L4",
 "work": {"lognormal": {"median": "4h", "sigma": 0.8}, "most": "24h"}, "deadline": {"work_plus": "24h"},
 "users": 5}])",
       .gpu = "L4",
       .peak_gpus = 16,
       .mean_gpus = 7,
       .smallest = 1,
       .largest = 1},
      {.name = "reserve",
       .question = "How many machines should be reserved for a year under a load that rises and falls?",
       .workload = R"([
{"name": "steady", "poisson": {"per_day": 12}, "gpus": 8, "gpu": "H100-80GB",
 "work": {"lognormal": {"median": "6h", "sigma": 0.7}, "most": "48h"}, "checkpoint": {"every": "1h"}, "users": 20},
{"name": "working hours", "poisson": {"per_day": 12, "days": "weekdays", "hours": "08:00-18:00"}, "gpus": 8,
 "gpu": "H100-80GB", "work": {"lognormal": {"median": "2h", "sigma": 0.7}, "most": "12h"},
 "checkpoint": {"every": "1h"}, "users": 20}])",
       .gpu = "H100-80GB",
       .peak_gpus = 96,
       .mean_gpus = 40,
       .smallest = 8,
       .largest = 8},
      {.name = "deadline",
       .question = "Which way of buying has the nightly batch done by the morning?",
       .workload = R"([
{"name": "nightly", "schedule": {"at": "22:00", "count": 40}, "gpus": 1, "gpu": "L4", "work": "2h",
 "deadline": {"at": "07:00"}, "checkpoint": {"every": "30min"}, "users": 6}])",
       .gpu = "L4",
       .peak_gpus = 40,
       .mean_gpus = 4,
       .smallest = 1,
       .largest = 1},
  };
  return kTemplates;
}

const StarterTemplate* find_template(std::string_view name) {
  const auto& all = starter_templates();
  const auto found = std::ranges::find(all, name, &StarterTemplate::name);
  return found == all.end() ? nullptr : &*found;
}

std::vector<CommentedJson> template_sources(const StarterTemplate& chosen) {
  std::vector<CommentedJson> sources;
  for (const auto& source : nlohmann::ordered_json::parse(chosen.workload)) {
    CommentedJson one = CommentedJson::object("");
    for (const auto& [key, value] : source.items()) one.add(CommentedJson::member(key, value));
    if (sources.empty())
      one.say("ASK: how many jobs come, when, how large and how long? All of this is made up.");
    sources.push_back(std::move(one));
  }
  return sources;
}

}  // namespace stockout
