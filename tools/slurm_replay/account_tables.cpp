#include "tools/slurm_replay/account_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sim/io/line_reader.h"
#include "sim/io/number.h"
#include "tools/slurm_replay/sacctmgr_table.h"
#include "tools/slurm_replay/scheduler_keys.h"

namespace stockout::slurm {
namespace {

constexpr const char* kShowAccounts = "\"sacctmgr -P show assoc format=account,parentname,user,share\"";
constexpr const char* kShowQos = "\"sacctmgr -P show qos\"";
constexpr std::string_view kRoot = "root";  // the account above all others
constexpr int kMostLevels = 1'000;          // of accounts below one another
constexpr std::int64_t kMostNumber = std::numeric_limits<std::int32_t>::max();

class AccountReader {
 public:
  AccountReader(const std::string& file, ClusterFile& cluster)
      : table_{file, {"Account", "ParentName", "User", "Share"}, kShowAccounts},
        associations_{cluster.configuration.associations} {}

  void read() {
    while (table_.next()) {
      check_cluster();
      if (table_.field("User").value.empty()) {
        read_account();
      } else {
        read_user();
      }
    }
  }

 private:
  // An account, by its place among the associations: the root has none.
  struct Above {
    std::optional<std::uint32_t> place = std::nullopt;
    int level = 0;
  };

  void check_cluster() {
    const ConfField cluster = table_.field("Cluster");
    if (cluster_ && cluster.value != *cluster_)
      cluster.fail(fmt::format("of one cluster, {}", in_quotes(*cluster_)));
    cluster_ = cluster.value;
    const ConfField partition = table_.field("Partition");
    if (!partition.value.empty()) partition.fail("empty: shares of partitions are not modelled");
  }

  void read_account() {
    const ConfField name = table_.field("Account");
    const ConfField parent = table_.field("ParentName");
    if (accounts_.contains(name.value)) name.fail("an account that is not yet above");
    if (name.value == kRoot && parent.value.empty()) {
      accounts_.emplace(name.value, Above{});
      return;
    }
    const Above above = account(parent);
    if (above.level == kMostLevels)
      parent.fail(fmt::format("an account fewer than {} levels below the root", kMostLevels));
    accounts_.emplace(name.value, Above{.place = static_cast<std::uint32_t>(associations_.size()),
                                        .level = above.level + 1});
    associations_.push_back({.name = name.value, .parent = above.place, .shares = shares()});
  }

  void read_user() {
    const Above above = account(table_.field("Account"));
    associations_.push_back(
        {.name = table_.field("User").value, .parent = above.place, .shares = shares(), .is_user = true});
  }

  [[nodiscard]] Above account(const ConfField& name) const {
    const auto found = accounts_.find(name.value);
    if (found == accounts_.end()) name.fail("an account of a row above");
    return found->second;
  }

  [[nodiscard]] std::uint32_t shares() const {
    const ConfField share = table_.field("Share");
    if (is_same_word(share.value, "parent")) share.fail("a number: shares of the parent are not modelled");
    return static_cast<std::uint32_t>(share.whole_number(0, kMostNumber));
  }

  SacctmgrTable table_;
  std::vector<Association>& associations_;
  std::optional<std::string> cluster_;
  std::map<std::string, Above> accounts_;
};

class QosReader {
 public:
  QosReader(const std::string& file, ClusterFile& cluster)
      : table_{file, {"Name", "Priority", "Preempt", "PreemptMode", "UsageFactor"}, kShowQos},
        cluster_{cluster} {}

  void read() {
    while (table_.next()) read_row();
    for (const auto& [qos, field] : preempting_) {
      for (const std::string& name : split_words(field.value, ','))
        cluster_.configuration.qos[qos].preempts.push_back(index_of(name, field));
    }
  }

 private:
  void read_row() {
    auto& all = cluster_.configuration.qos;
    const ConfField name = table_.field("Name");
    if (std::ranges::find(all, name.value, &Qos::name) != all.end()) name.fail("a QOS that is not yet above");
    preempting_.emplace_back(static_cast<QosIndex>(all.size()), table_.field("Preempt"));
    all.push_back(
        {.name = name.value,
         .priority = static_cast<std::uint32_t>(table_.field("Priority").whole_number(0, kMostNumber)),
         .preempt_mode = mode(table_.field("PreemptMode")),
         .usage_factor = usage_factor(table_.field("UsageFactor"))});
    list_others(name.value);
  }

  // "cluster" is that of slurm.conf.
  static std::optional<PreemptMode> mode(const ConfField& field) {
    if (field.value.empty() || is_same_word(field.value, "cluster")) return std::nullopt;
    return read_preempt_mode(field);
  }

  static double usage_factor(const ConfField& field) {
    std::int64_t millionths = 1'000'000;
    const bool is_number =
        field.value.empty() || parse_scaled(field.value, 1'000'000, 1, millionths) == std::errc{};
    if (!is_number || millionths < 0) field.fail("a number from 0");
    return static_cast<double>(millionths) / 1'000'000;
  }

  void list_others(const std::string& name) {
    constexpr std::array<std::string_view, 6> kRead{"Name",        "Priority",    "Preempt",
                                                    "PreemptMode", "UsageFactor", "ID"};
    for (std::size_t i = 0; i < table_.columns().size(); ++i) {
      const ConfField field = table_.field(i);
      if (std::ranges::any_of(kRead, [&](std::string_view read) { return field.is(read); })) continue;
      if (field.value.empty() || field.value == "00:00:00") continue;
      cluster_.not_modelled.push_back(at_line(field.where, fmt::format("{} of QOS {}", field.key, name)));
    }
  }

  [[nodiscard]] QosIndex index_of(const std::string& name, const ConfField& field) const {
    const auto& all = cluster_.configuration.qos;
    const auto found = std::ranges::find(all, name, &Qos::name);
    if (found == all.end()) field.fail("names of QOS");
    return static_cast<QosIndex>(found - all.begin());
  }

  SacctmgrTable table_;
  ClusterFile& cluster_;
  std::vector<std::pair<QosIndex, ConfField>> preempting_;
};

}  // namespace

void read_accounts(const std::string& file, ClusterFile& cluster) { AccountReader{file, cluster}.read(); }

void read_qos(const std::string& file, ClusterFile& cluster) { QosReader{file, cluster}.read(); }

}  // namespace stockout::slurm
