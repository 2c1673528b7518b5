#pragma once

#include <functional>

#include "models/experiment/run_observer.h"

namespace stockout::test {

/// Hands each run to a function when it ends.
class EachRun : public RunObserver {
 public:
  using Take = std::function<void(const RunPlace&, const RunRecord&, const Measures&)>;
  explicit EachRun(Take take) : take_{std::move(take)} {}

  void end(const RunPlace& run, const RunRecord& record, const Measures& measures) override {
    take_(run, record, measures);
  }

 private:
  Take take_;
};

}  // namespace stockout::test
