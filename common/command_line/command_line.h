// The command line of a program with a handful of options, as CLI11 reads it.
//
// CLI11 takes 4 s to compile in every file that includes it. It is compiled here once, for programs with plain needs.
// The command `warpbook`, which has subcommands, uses CLI11 directly.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warpbook {

/// Options, flags and positional arguments of a program, and the variables they are stored in. A name without a dash is
/// a positional argument. If an option is given twice, the last one wins.
class CommandLine {
 public:
  /// More settings for the option that was just added.
  class Added {
   public:
    Added& required();
    /// A heading in the help; "" hides the option.
    Added& group(const std::string& name);
    /// An environment variable that is read if the option is not given.
    Added& variable(const std::string& name);
    /// The help shows the default value.
    Added& show_default();
    /// Only these words are accepted.
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
  /// @p read gets the text; it throws std::invalid_argument with a message if the text is wrong.
  Added add(const std::string& names, const std::function<void(const std::string&)>& read, const std::string& help);

  /// The first word that is not an option and everything after it, whatever it looks like: a program to run and its
  /// arguments.
  /// @param name as the help shows it
  void rest(std::vector<std::string>& words, const std::string& name);

  /// Parses the command line. Prints the error, or the help if it was asked for.
  /// @returns the exit status if the program has to end: 0 after the help, @p usage after an error
  std::optional<int> parse(int argc, const char* const* argv, int usage);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace warpbook
