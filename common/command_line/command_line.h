// The command line of a program with a handful of options, as CLI11 reads it.
//
// CLI11 takes 4 s to compile wherever it is included: here it is compiled once, for programs that need nothing special
// of it. The command `warpbook`, which has subcommands, uses it itself.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warpbook {

/// Options, flags and positional arguments of a program, and where their values go. A name without a dash is that of a
/// positional argument. Of an option that is given twice, the last one counts.
class CommandLine {
 public:
  /// What else may be said of what was added.
  class Added {
   public:
    Added& required();
    /// A heading in the help; "" hides it.
    Added& group(const std::string& name);
    /// An environment variable that is read where the option is not given.
    Added& variable(const std::string& name);
    /// The help shows the value that there is without the option.
    Added& show_default();
    /// Only these words are taken.
    Added& one_of(const std::vector<std::string>& words);

   private:
    friend class CommandLine;
    explicit Added(void* option) : option_(option) {}
    void* option_;
  };

  explicit CommandLine(const std::string& description);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  Added add(const std::string& names, std::string& value, const std::string& help);
  Added add(const std::string& names, std::uint64_t& value, const std::string& help);
  Added add(const std::string& names, int& value, const std::string& help);
  Added add(const std::string& names, std::vector<std::string>& values, const std::string& help);
  Added flag(const std::string& names, bool& value, const std::string& help);
  /// @p read gets the text, and throws std::invalid_argument that says what is wrong with it.
  Added add(const std::string& names, const std::function<void(const std::string&)>& read, const std::string& help);

  /// The first word that is no option, and all that follows whatever it looks like: a program to run and its arguments.
  /// @param name for the help
  void rest(std::vector<std::string>& words, const std::string& name);

  /// Reads the command line, and prints what is wrong with it or the help that it asks for.
  /// @returns the exit status if the program is to end: 0 after the help, else @p usage
  std::optional<int> parse(int argc, const char* const* argv, int usage);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace warpbook
