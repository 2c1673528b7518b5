#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "sim/io/whole_file.h"

namespace stockout {

/// A gzip file that appears whole or not at all (WholeFile). The same text gives the same bytes: no name and
/// no time in its header.
class GzipFile {
 public:
  explicit GzipFile(const std::string& path);
  ~GzipFile();
  GzipFile(const GzipFile&) = delete;
  GzipFile& operator=(const GzipFile&) = delete;

  void write(std::string_view text);
  void commit();

 private:
  struct Packer;
  void pack(std::string_view text, bool is_last);

  WholeFile file_;
  std::unique_ptr<Packer> packer_;
};

}  // namespace stockout
