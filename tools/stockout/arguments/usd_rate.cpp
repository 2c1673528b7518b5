#include "tools/stockout/arguments/usd_rate.h"

namespace stockout {
namespace {

constexpr double kLeastRate = 1e-4;
constexpr double kMostRate = 1e6;  // of any currency that Google bills in

}  // namespace

void add_usd_rate(CLI::App& command, std::optional<double>& rate) {
  command
      .add_option("--usd-rate", rate,
                  "Of the bill's currency for one USD, such as 0.92 for EUR; if it does not say rates itself")
      ->check(CLI::Range(kLeastRate, kMostRate))
      ->type_name("NUMBER");
}

}  // namespace stockout
