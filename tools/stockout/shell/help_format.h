#pragma once

#include <cstddef>
#include <string>

#include <CLI/CLI.hpp>

#include "tools/table/text_layout.h"

namespace stockout {

/// How `--help` says what an option takes: "--replications NUMBER (1 to 10000), not with --precision". What
/// options and commands are for is wrapped to `width` columns.
class HelpFormat : public CLI::Formatter {
 public:
  explicit HelpFormat(std::size_t width = kPageWidth) : width_{width} {}
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
  std::string make_subcommand(const CLI::App* command) const override;

 private:
  [[nodiscard]] std::string wrapped(const std::string& description) const;

  std::size_t width_;
};

}  // namespace stockout
