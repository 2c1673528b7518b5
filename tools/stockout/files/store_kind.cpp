#include "tools/stockout/files/store_kind.h"

#include "models/repricing/record_tables.h"
#include "models/sweep/store_file.h"

namespace stockout {

StoreKind kind_of_store(const std::string& path) {
  const auto kind = sql_file_kind(path);
  if (!kind) return StoreKind::none;
  if (kind->application == kRecordFile.application) return StoreKind::record;
  return kind->application == kStoreFile.application ? StoreKind::sweep : StoreKind::none;
}

}  // namespace stockout
