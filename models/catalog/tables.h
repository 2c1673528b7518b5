#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stockout {

/// The files of a catalogue, each with its columns in the order in which CatalogTable holds them.
struct CatalogFile {
  std::string_view name;
  std::span<const std::string_view> columns;
};

inline constexpr std::array<std::string_view, 2> kSourceColumns{"source", "text"};
inline constexpr std::array<std::string_view, 16> kMachineColumns{
    "machine_type", "family",    "gpu",  "gpus",       "host_gpus", "gpu_memory_gb", "vcpus",  "memory_gb",
    "network_gbps", "on_demand", "spot", "flex_start", "calendar",  "reservation",   "source", "note"};
inline constexpr std::array<std::string_view, 4> kPlaceColumns{"place", "region", "families", "sources"};
inline constexpr std::array<std::string_view, 8> kPriceColumns{
    "machine_type", "region", "model", "usd_per_hour", "as_of", "confidence", "source", "note"};

inline constexpr std::array<std::string_view, 6> kCollectiveColumns{"family", "message_gb", "busbw_gb_s",
                                                                    "as_of",  "source",     "note"};

inline constexpr std::array<std::string_view, 9> kOrchestratorColumns{
    "orchestrator", "model", "with", "within", "from", "until", "confidence", "source", "note"};

/// A folder may do without those after the first kNeededFiles.
inline constexpr std::array<CatalogFile, 6> kCatalogFiles{{{"sources.csv", kSourceColumns},
                                                           {"machines.csv", kMachineColumns},
                                                           {"places.csv", kPlaceColumns},
                                                           {"prices.csv", kPriceColumns},
                                                           {"collectives.csv", kCollectiveColumns},
                                                           {"orchestrators.csv", kOrchestratorColumns}}};
inline constexpr std::size_t kNeededFiles = 4;

/// One file of a catalogue as text: every record has the columns of its file, in their order.
struct CatalogTable {
  struct Record {
    int line = 0;  // 1-based
    std::vector<std::string> fields;
  };
  std::string file;  // for messages
  std::vector<Record> records;
};

/// The tables, in the order of kCatalogFiles.
using CatalogTables = std::array<CatalogTable, kCatalogFiles.size()>;

/// Reads the files of a folder. Throws InputError for what cannot be read, a column that is missing or
/// unknown, and a record with too few or too many fields. A table is empty if its file may be missing and is.
[[nodiscard]] CatalogTables read_catalog_tables(const std::string& folder);

}  // namespace stockout
