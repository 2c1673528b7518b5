#include "tools/stockout/shell/manual_page.h"

#include <string_view>

#include <fmt/format.h>

#include "tools/table/wrap_text.h"

namespace stockout {
namespace {

// When the frame of the page was changed last; all else in it is the program's own.
constexpr std::string_view kManualDate = "2026-11-22";
constexpr std::size_t kSourceWidth = 78;

constexpr std::string_view kManualTail = R"(.SH ENVIRONMENT
.TP
.B NO_COLOR
Set and not empty: no colours, unless
.B \-\-color always
asks for them.
.TP
.B CLICOLOR_FORCE
Set, and neither empty nor 0: colours also where the output is no terminal.
.TP
.B CLICOLOR
0: no colours.
.TP
.B TERM
Empty or dumb: no colours, and no line of progress.
.TP
.B COLUMNS
How wide text may be, on a terminal and in a pipe. Without it a terminal says so itself.
.SH EXIT STATUS
.TP
.B 0
Done.
.TP
.B 1
A result is not as asked: a check failed, a point of a sweep failed.
.TP
.B 2
Bad input: the command line, a file, or a place to write to.
.TP
.B 3
An internal error, which is a mistake of the program.
.TP
.B 130
Interrupted by Ctrl\-C.
Files that were not finished are removed; a sweep goes on with
.BR \-\-resume .
)";

// Text of a paragraph or of an example: nothing in it is a request or an escape of roff.
std::string roff(std::string_view text) {
  std::string escaped;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) escaped += "\\&";
    line_begins = c == '\n';
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

// A paragraph in lines of the source that are not too long.
std::string paragraph(std::string_view text) {
  std::string lines;
  for (const char c : wrap_text(text, kSourceWidth, ""))
    if (c != ' ' || (!lines.empty() && lines.back() != '\n')) lines += c;  // no line begins with a blank
  return roff(lines);
}

std::string option_entry(const OptionShape& option) {
  std::string text = ".TP\n";
  for (const std::string& name : option.names)
    text += fmt::format("{}\\fB{}\\fR", &name == &option.names.front() ? "" : ", ", roff(name));
  if (!option.value.empty()) text += fmt::format(" \\fI{}\\fR", roff(option.value));
  std::string help = option.help;
  if (!option.range.empty()) help += fmt::format(" ({})", option.range);
  if (!option.default_value.empty()) help += fmt::format(" (default: {})", option.default_value);
  return text + '\n' + paragraph(help + (option.is_required ? " (required)" : ""));
}

std::string argument_entry(const OptionShape& argument) {
  return fmt::format(".TP\n\\fI{}\\fR{}\n{}", roff(argument.names.front()), argument.is_list ? " ..." : "",
                     paragraph(argument.help));
}

std::string example_block(const std::string& text) {
  return text.empty() ? "" : ".PP\n.nf\n" + roff(text) + "\n.fi\n";
}

std::string synopsis_of(const CommandShape& command) {
  std::string text = fmt::format("\\fB{}\\fR", roff(command.full_name()));
  if (command.arguments.empty() && !command.commands.empty()) text += " \\fICOMMAND\\fR";
  for (const OptionShape& argument : command.arguments)
    text += fmt::format(" \\fI{}\\fR{}", roff(argument.names.front()), argument.is_list ? "..." : "");
  for (const OptionShape& option : command.options) {
    if (option.is_required)
      text += fmt::format(" \\fB{}\\fR \\fI{}\\fR", roff(option.names.front()), roff(option.value));
  }
  return text + " [\\fIoptions\\fR]\n";
}

std::string command_part(const CommandShape& command) {
  std::string text = fmt::format(".SS {}\n{}.PP\n{}", roff(command.full_name()),
                                 paragraph(command.about + '.'), synopsis_of(command));
  for (const OptionShape& argument : command.arguments) text += argument_entry(argument);
  for (const OptionShape& option : command.options) text += option_entry(option);
  return text + example_block(command.footer);
}

}  // namespace

std::string manual_page(const CommandShape& program, const std::string& version) {
  std::string text =
      fmt::format(".TH STOCKOUT 1 {} \"stockout {}\" \"User Commands\"\n", kManualDate, version) +
      ".SH NAME\nstockout \\- simulates ways of buying cloud GPUs for a workload\n"
      ".SH SYNOPSIS\n" +
      synopsis_of(program) + ".SH DESCRIPTION\n" + roff(program.about);
  if (!text.ends_with('\n')) text += '\n';
  text += ".SH OPTIONS\n";
  for (const OptionShape& option : program.options) text += option_entry(option);
  text += ".SH COMMANDS\n";
  for (const CommandShape* command : all_commands(program)) {
    if (!command->path.empty()) text += command_part(*command);
  }
  return text + std::string{kManualTail} + ".SH EXAMPLES\n" + example_block(program.footer).substr(4);
}

}  // namespace stockout
