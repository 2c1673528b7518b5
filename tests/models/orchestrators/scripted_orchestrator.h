#pragma once

#include <memory>
#include <vector>

#include "models/orchestrators/orchestrator.h"

namespace stockout::test {

/// Answers of a made-up orchestrator, and the news it was told. Outlives it.
struct Script {
  bool concerns = true;
  bool lets_begin = true;
  Reply answer = Reply::go;
  bool is_due = false;
  SimTime next_try = kNever;  // in any leg
  std::vector<Ticket> asked;  // of all questions
  std::vector<News::Kind> heard;
  std::vector<Token> timers;
  Clerk* clerk = nullptr;  // that it last saw
};

/// Says what stands in its script. In a turn it admits the job about which it was asked last.
class ScriptedOrchestrator final : public Orchestrator {
 public:
  explicit ScriptedOrchestrator(Script& script) : script_{script} {}

  [[nodiscard]] bool concerns(const JobView& /*job*/) const override { return script_.concerns; }
  [[nodiscard]] bool may_begin(const JobView& job, Clerk& clerk) override {
    note(job, clerk);
    return script_.lets_begin;
  }
  [[nodiscard]] Reply may_ask(const JobView& job, const LegView& /*leg*/, Clerk& clerk) override {
    note(job, clerk);
    return script_.answer;
  }
  [[nodiscard]] SimTime next_try(const LegView& /*leg*/, const Clerk& /*clerk*/) const override {
    return script_.next_try;
  }
  void heard(const News& news, Clerk& /*clerk*/) override { script_.heard.push_back(news.kind); }
  void timer(Token token, Clerk& /*clerk*/) override { script_.timers.push_back(token); }
  [[nodiscard]] bool is_due() const override { return script_.is_due; }
  void turn(Clerk& clerk) override {
    script_.is_due = false;
    clerk.admit(script_.asked.back());
  }

 private:
  void note(const JobView& job, Clerk& clerk) {
    script_.asked.push_back(job.ticket);
    script_.clerk = &clerk;
  }

  Script& script_;
};

/// One orchestrator a script, in this order.
inline Orchestrators play_by(std::vector<Script*> scripts) {
  Orchestrators all;
  for (Script* script : scripts) all.push_back(std::make_unique<ScriptedOrchestrator>(*script));
  return all;
}

}  // namespace stockout::test
