#pragma once

#include <string>
#include <vector>

#include "models/catalog/catalog.h"
#include "models/starter/findings.h"
#include "models/starter/templates.h"

namespace stockout {

/// Parts that a first scenario is made of.
struct StarterQuestion {
  std::string name = {};
  Findings findings = {};                    // histories, or none with a template
  const StarterTemplate* made_up = nullptr;  // jobs, where there is no history
  std::vector<std::string> files = {};       // of the histories, as the scenario names them
  std::string made_by = {};                  // the command, for the head of the file
};

/// The text of a scenario file with comments: what was found, and a question (`ASK:`) for whatever was not.
/// It validates and runs as it is.
[[nodiscard]] std::string starter_text(const StarterQuestion& question, const Catalog& catalog);

}  // namespace stockout
