#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/billing/billing_export.h"
#include "models/catalog/catalog.h"
#include "sim/io/csv_reader.h"

namespace stockout {

/// The parts that a machine's charge is made of.
enum class BilledPiece : std::uint8_t { gpu, part, whole };

/// A row of a billing export that is charged for machines.
struct BillingRow {
  MachineId machine{};
  std::string_view region;
  PriceModel model = PriceModel::on_demand;
  BilledPiece piece = BilledPiece::whole;
  double hours = 0;        // of the piece; 0 of a part
  double usd = 0;          // after discounts and credits; a credit's is below 0
  std::string_view start;  // of what is charged, as written; empty: the file does not say
  std::string_view end;    // the same
};

/// Reads the rows of a billing export one after another. The one place that says which rows count, and as
/// what: prices and charges are made of the same.
class BillingRows {
 public:
  /// `per_usd`: of the file's currency for one USD, for rows in another currency that name no rate. Throws
  /// InputError for a missing column.
  BillingRows(const std::string& path, BillingFormat format, const Catalog& catalog,
              std::optional<double> per_usd = std::nullopt);

  /// The next row that is charged for machines, valid until the next call; nullptr: there is none. Throws
  /// InputError for a number that is none, and for another currency than USD without a rate.
  [[nodiscard]] const BillingRow* next();

  /// Notes charges that do not count.
  void skip(std::string_view reason, double usd);
  /// Charges that did not count so far, by reason.
  [[nodiscard]] std::vector<SkippedCharges>& skipped() { return skipped_; }
  /// At which rates charges so far became USD.
  [[nodiscard]] std::vector<UsedRate>& rates() { return rates_; }
  [[nodiscard]] const std::string& path() const { return csv_.path(); }
  /// The column that says when a charge begins.
  [[nodiscard]] std::string_view start_column() const;
  /// The column that says when it ends, where the format has one.
  [[nodiscard]] std::string_view end_column() const;
  /// Throws InputError at the row that was read last.
  [[noreturn]] void fail(const std::string& problem) const { csv_.fail(problem); }

  static constexpr std::size_t kColumns = 13;

 private:
  void read_header();
  [[nodiscard]] bool read_row();
  [[nodiscard]] std::string_view text(std::size_t column) const;
  [[nodiscard]] double number(std::size_t column) const;
  [[nodiscard]] std::string machine_name() const;
  [[nodiscard]] double per_usd();
  [[noreturn]] void fail_without_rate(std::string_view currency) const;

  CsvReader csv_;
  BillingFormat format_;
  const Catalog& catalog_;
  std::optional<double> told_per_usd_;
  std::size_t width_ = 0;
  std::array<std::size_t, kColumns> at_{};
  BillingRow row_;
  std::vector<SkippedCharges> skipped_;
  std::vector<UsedRate> rates_;
};

/// The layout of a billing export, by its header. Throws InputError if it is none of ours.
[[nodiscard]] BillingFormat billing_format_of(const std::string& path);

/// Whether the file's columns are those of a bill, of whichever layout: then it is no history of jobs.
[[nodiscard]] bool is_billing_export(const std::string& path);

}  // namespace stockout
