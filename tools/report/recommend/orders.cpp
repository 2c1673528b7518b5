#include "tools/report/recommend/orders.h"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/report/recommend/gcloud_orders.h"
#include "tools/report/recommend/held_orders.h"
#include "tools/report/recommend/terraform_orders.h"
#include "tools/table/wrap_text.h"

namespace stockout {
namespace {

using Words = std::vector<std::string>;

// A command in lines of at most so many columns, where words allow it.
std::string continued(const Words& words, std::size_t width, std::string_view indent) {
  constexpr std::string_view kGoesOn = " \\\n";
  std::string text{indent};
  std::size_t column = indent.size();
  for (const std::string& word : words) {
    const bool is_first = &word == &words.front();
    if (!is_first && column + 1 + word.size() + kGoesOn.size() > width) {
      text += fmt::format("{}{}    ", kGoesOn, indent);
      column = indent.size() + 4;
    } else if (!is_first) {
      text += ' ';
      ++column;
    }
    text += word;
    column += word.size();
  }
  return text + '\n';
}

// A comment stays one, whatever is in a name.
std::string in_one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return text;
}

std::string heading(const RecommendationReport& report, bool holds_any) {
  const std::string title =
      in_one_line(fmt::format("# {}, for {}. Written by stockout {}.\n", report.name(report.best()),
                              report.written.file, report.version));
  return title.substr(0, title.size() - 1) +
         (holds_any ? "\n# It costs money: read it first, and leave out what you hold already.\n"
                      "# Commitments are without local SSD disks.\n"
                    : "\n# It holds nothing, so there is nothing to order.\n");
}

std::string shell_text(const std::vector<HeldOrder>& orders) {
  constexpr std::size_t kWidth = 100;
  std::string text;
  for (const HeldOrder& order : orders) {
    text += '\n';
    for (const Words& command : gcloud_commands(order)) text += continued(command, kWidth, "");
    for (const std::string& remark : order.remarks) text += fmt::format("# {}\n", remark);
  }
  return text;
}

}  // namespace

std::vector<std::string> order_lines(const RecommendationReport& report) {
  std::vector<std::string> lines;
  for (const HeldOrder& order : held_orders(report)) {
    for (const Words& command : gcloud_commands(order))
      lines.push_back(fmt::format("{}", fmt::join(command, " ")));
    lines.insert(lines.end(), order.remarks.begin(), order.remarks.end());
  }
  return lines;
}

std::string orders_text(const RecommendationReport& report, const TextLayout& layout) {
  const std::vector<HeldOrder> orders = held_orders(report);
  if (orders.empty()) return {};
  std::string commands;
  std::string remarks;
  for (const HeldOrder& order : orders) {
    for (const Words& command : gcloud_commands(order)) {
      commands += layout.markdown ? fmt::format("{}\n", fmt::join(command, " "))
                                  : continued(command, layout.width, "  ");
    }
    for (const std::string& remark : order.remarks) remarks += list_line(remark, layout);
  }
  const std::string title = "\nTo order it (nothing is ordered here)\n";
  if (!layout.markdown) return title + commands + remarks;
  if (!commands.empty()) commands = fmt::format("```sh\n{}```\n", commands);
  return fmt::format("{}\n{}{}{}", title, commands, commands.empty() || remarks.empty() ? "" : "\n", remarks);
}

std::string orders_file(const RecommendationReport& report, OrderForm form) {
  const std::vector<HeldOrder> orders = held_orders(report);
  const std::string head = heading(report, !orders.empty());
  if (form == OrderForm::gcloud) return "#!/bin/sh\n" + head + "set -eu\n" + shell_text(orders);
  std::string text = head;
  for (const HeldOrder& order : orders) text += '\n' + terraform_blocks(order);
  return text;
}

}  // namespace stockout
