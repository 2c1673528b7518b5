#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "models/billing/bill.h"
#include "models/billing/billing_charges.h"
#include "models/billing/terms.h"
#include "models/world/world.h"

namespace stockout {

// The bill that a strategy was predicted to run up after a split, beside the one that came. Both sides count
// what is paid for machines and for Vertex AI's fee on them, and neither counts commitments: an export has
// their fees apart, and what they cover costs nothing in it.

/// Hours from kStart, the last not in it, and what people call them.
struct BillSpan {
  std::string name;  // "2026-05"
  std::int64_t from = 0;
  std::int64_t to = 0;  // more than `from`
};

/// Products in which the machines that a strategy may buy are charged.
[[nodiscard]] std::set<BilledProduct> products_of(const World& world, std::size_t strategy);

/// "a3-highgpu-8g as spot in us-central1".
[[nodiscard]] std::string product_text(const BilledProduct& product);

/// Cost of a use in each of the spans, in USD, less what commitments cover.
[[nodiscard]] std::vector<double> bill_of_spans(const BilledUse& use, const World& world,
                                                const BillTerms& terms, std::span<const BillSpan> spans);

/// A recorded charge, in simulated time.
struct RecordedCharge {
  BilledProduct product;
  SimTime from{};
  SimTime to{};  // after `from`
  double usd = 0;
};

/// The bills of the spans in one of the worlds, in USD.
struct PredictedBill {
  std::vector<double> usd;  // by span
  double weight = 1;        // against the other worlds
};

inline constexpr std::array kBillLevels{0.5, 0.8, 0.9, 0.95};

/// Bounds between which worlds of so much of the weight lie.
struct BillInterval {
  double low = 0;
  double high = 0;
};

struct BillRow {
  std::string name;  // "in all", or of the span
  double recorded_usd = 0;
  double predicted_usd = 0;  // the mean of the worlds, by weight
  std::array<BillInterval, kBillLevels.size()> intervals{};

  /// Of the prediction, over the recorded bill; nothing unless that is above 0.
  [[nodiscard]] std::optional<double> error() const;
};

/// Charges of a product that the strategy does not buy.
struct OtherCharges {
  std::string product;
  double usd = 0;
};

struct BillBacktest {
  std::vector<BillRow> rows;         // in all, then by span if there are several
  std::vector<OtherCharges> others;  // within the spans, the largest first
  std::vector<SkippedCharges> skipped;
  std::vector<UsedRate> rates = {};  // at which charges became USD; empty: all were
  std::size_t worlds = 0;

  [[nodiscard]] double others_usd() const;
  /// Whether the bill in all is predicted within this share of it.
  [[nodiscard]] bool is_within(double share) const;
};

/// Throws InputError, which names `files`, if no charge is of a product, or none of these lies in the spans,
/// which follow one another.
void check_charges(std::span<const BillSpan> spans, const std::set<BilledProduct>& products,
                   const std::vector<RecordedCharge>& charges, const std::string& files);

/// Recorded charges of the spans, which follow one another, beside predictions of at least one world. A
/// charge that reaches beyond a span counts in it by the share of its time.
[[nodiscard]] BillBacktest backtest_bill(std::span<const BillSpan> spans,
                                         const std::set<BilledProduct>& products,
                                         const std::vector<RecordedCharge>& charges,
                                         const std::vector<PredictedBill>& predicted);

}  // namespace stockout
