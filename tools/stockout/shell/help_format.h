#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace stockout {

/// How `--help` says what an option takes: "--replications NUMBER (1 to 10000), not with --precision".
class HelpFormat : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override;
};

}  // namespace stockout
