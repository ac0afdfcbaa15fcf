// CommandLine, by CLI11.
#include "common/command_line/command_line.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <stdexcept>

namespace warpbook {

struct CommandLine::Parser {
  CLI::App app;
  std::vector<std::string>* rest = nullptr;
  std::string rest_name;
};

namespace {

CLI::Option& option_of(void* option) { return *static_cast<CLI::Option*>(option); }

}  // namespace

CommandLine::CommandLine(const std::string& description) : parser_(std::make_unique<Parser>()) {
  parser_->app.description(description);
  parser_->app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

CommandLine::~CommandLine() = default;

CommandLine::Added CommandLine::add(const std::string& names, std::string& value, const std::string& help) {
  return Added(parser_->app.add_option(names, value, help));
}

CommandLine::Added CommandLine::add(const std::string& names, std::uint64_t& value, const std::string& help) {
  return Added(parser_->app.add_option(names, value, help));
}

CommandLine::Added CommandLine::add(const std::string& names, int& value, const std::string& help) {
  return Added(parser_->app.add_option(names, value, help));
}

CommandLine::Added CommandLine::add(const std::string& names, std::vector<std::string>& values,
                                    const std::string& help) {
  return Added(parser_->app.add_option(names, values, help)->multi_option_policy(CLI::MultiOptionPolicy::Throw));
}

CommandLine::Added CommandLine::flag(const std::string& names, bool& value, const std::string& help) {
  return Added(parser_->app.add_flag(names, value, help));
}

CommandLine::Added CommandLine::add(const std::string& names, const std::function<void(const std::string&)>& read,
                                    const std::string& help) {
  return Added(parser_->app.add_option_function<std::string>(
      names,
      [read, names](const std::string& text) {
        try {
          read(text);
        } catch (const std::invalid_argument& error) {
          throw CLI::ValidationError(names, error.what());
        }
      },
      help));
}

void CommandLine::rest(std::vector<std::string>& words, const std::string& name) {
  parser_->rest = &words;
  parser_->rest_name = name;
  parser_->app.prefix_command();
  parser_->app.footer(name + ": what is run, with its own options");
}

std::optional<int> CommandLine::parse(int argc, const char* const* argv, int usage) {
  try {
    parser_->app.parse(argc, argv);
    if (parser_->rest != nullptr) {
      *parser_->rest = parser_->app.remaining();
      if (parser_->rest->empty()) throw CLI::RequiredError(parser_->rest_name);
    }
  } catch (const CLI::ParseError& error) {
    return parser_->app.exit(error) == 0 ? 0 : usage;
  }
  return std::nullopt;
}

CommandLine::Added& CommandLine::Added::required() {
  option_of(option_).required();
  return *this;
}

CommandLine::Added& CommandLine::Added::group(const std::string& name) {
  option_of(option_).group(name);
  return *this;
}

CommandLine::Added& CommandLine::Added::variable(const std::string& name) {
  option_of(option_).envname(name);
  return *this;
}

CommandLine::Added& CommandLine::Added::show_default() {
  option_of(option_).capture_default_str();
  return *this;
}

CommandLine::Added& CommandLine::Added::one_of(const std::vector<std::string>& words) {
  option_of(option_).check(CLI::IsMember(words));
  return *this;
}

}  // namespace warpbook
