// An orchestrator hears of everything, and its own books and words are checked.

#include <map>
#include <memory>
#include <string>

#include <catch2/catch.hpp>

#include "sim/core/check.h"
#include "tests/models/orchestrators/run_with.h"

using namespace stockout;
using namespace stockout::test;
using namespace std::chrono_literals;

TEST_CASE("Requests that are opened are closed, and leases that are granted end, the run's end included",
          "[rules]") {
  /// Counts what it hears of.
  class Listener final : public Orchestrator {
   public:
    explicit Listener(std::map<News::Kind, int>& heard) : heard_{heard} {}
    [[nodiscard]] bool concerns(const JobView& job) const override { return !job.is_tenant; }
    void heard(const News& news, Clerk& /*clerk*/) override {
      ++heard_[news.kind];
      CHECK((news.asked != nullptr) == (news.kind != News::Kind::final));
      if (news.kind == News::Kind::final) CHECK(news.state == FinalState::completed);
    }

   private:
    std::map<News::Kind, int>& heard_;
  };
  WorldBuilder make;
  const PoolId one = make.pool(1);
  make.leg({.policy = flex(), .places = {one, make.pool(1)}});
  make.world.end = RunEnd::time;
  for (int i = 0; i < 4; ++i) make.job({.at = 0s, .work = 40min});
  make.tenant_leg({.policy = on_demand(), .places = {one}});
  make.tenant({.at = 0s, .work = 1s});
  std::map<News::Kind, int> heard;
  (void)run_with(make.build(), [&] { return std::make_unique<Listener>(heard); });
  CHECK(heard == std::map<News::Kind, int>{{News::Kind::opened, 8},
                                           {News::Kind::closed, 8},
                                           {News::Kind::granted, 4},
                                           {News::Kind::starts, 4},
                                           {News::Kind::ended, 4},
                                           {News::Kind::final, 2}});
}

TEST_CASE("An orchestrator whose books do not balance ends the run", "[rules]") {
  enum class Mistake { books, turn, admits_twice, wakes_early };
  /// Makes one mistake.
  class Wrong final : public Orchestrator {
   public:
    explicit Wrong(Mistake mistake) : mistake_{mistake} {}
    [[nodiscard]] bool concerns(const JobView& /*job*/) const override { return true; }
    [[nodiscard]] bool may_begin(const JobView& job, Clerk& clerk) override {
      waits_ = job.ticket;
      if (mistake_ == Mistake::admits_twice) clerk.wake(clerk.now(), Token{});
      if (mistake_ == Mistake::wakes_early) clerk.wake(clerk.now() - 1s, Token{});
      return mistake_ != Mistake::admits_twice;
    }
    void timer(Token /*token*/, Clerk& clerk) override {
      clerk.admit(waits_);
      clerk.admit(waits_);
    }
    void heard(const News& news, Clerk& /*clerk*/) override {
      open_ += news.kind == News::Kind::opened ? 1 : 0;
    }
    [[nodiscard]] bool is_due() const override { return mistake_ == Mistake::turn; }
    void check() const override { STOCKOUT_CHECK(mistake_ != Mistake::books || open_ == 0, "of its own"); }

   private:
    Mistake mistake_;
    Ticket waits_;
    int open_ = 0;
  };
  WorldBuilder make = pools_of_eight({on_demand()});
  make.job({.at = 0s, .work = 10s});
  const auto [mistake, says] = GENERATE(table<Mistake, std::string>({
      {Mistake::books, "of its own"},
      {Mistake::turn, "makes nothing of its turn"},
      {Mistake::admits_twice, "does not wait for it"},
      {Mistake::wakes_early, "in the past"},
  }));
  const Mistake made = mistake;
  CHECK_THROWS_WITH(run_with(make.build(), [&] { return std::make_unique<Wrong>(made); }),
                    Catch::Contains(says));
}
