// Text to tree: the directives of a module and the headers of its functions.
#include "common/simulator/ptx/parser.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <utility>

#include "common/simulator/ptx/constant_expression.h"
#include "common/simulator/ptx/function_body.h"
#include "common/simulator/ptx/modifiers.h"
#include "common/simulator/ptx/token_stream.h"
#include "common/simulator/ptx/variables.h"

namespace warpbook::simulator::ptx {
namespace {

struct Linkage {
  bool external = false, visible = false, weak = false;
};

class ModuleParser {
 public:
  ModuleParser(std::string_view text, const WantsBody& wants) : tokens_(text), wants_(wants) {}

  Module parse() {
    while (tokens_.current().kind != Token::Kind::end) {
      if (tokens_.accept(';')) continue;
      if (tokens_.current().kind != Token::Kind::dotted) tokens_.fail("a directive");
      directive();
    }
    resolve_aliases();
    inlining_.resolve(module_);
    return std::move(module_);
  }

 private:
  struct Alias {
    std::string name, aliasee;
    std::uint32_t line;
  };

  void directive() {
    const std::string_view word = tokens_.current().text;
    if (word == "version") {
      version();
    } else if (word == "target") {
      target();
    } else if (word == "address_size") {
      address_size();
    } else if (word == "file") {
      file();
    } else if (word == "section") {
      section();
    } else if (word == "pragma") {
      tokens_.take();
      skip_pragma(tokens_);
    } else if (word == "alias") {
      alias();
    } else {
      declaration();
    }
  }

  void version() {
    tokens_.take();
    const Token number = tokens_.current();
    if (number.kind != Token::Kind::float64) tokens_.fail("a version such as 9.0");
    tokens_.take();
    const char* const end = number.text.data() + number.text.size();
    const auto major = std::from_chars(number.text.data(), end, module_.version_major);
    const bool dot = major.ec == std::errc() && major.ptr != end && *major.ptr == '.';
    const auto minor = dot ? std::from_chars(major.ptr + 1, end, module_.version_minor) : major;
    if (!dot || minor.ec != std::errc() || minor.ptr != end) {
      throw ParseError(number.line, "expected a version such as 9.0, found '" + std::string(number.text) + "'");
    }
  }

  void target() {
    tokens_.take();
    module_.target = tokens_.expect_word("a target such as sm_90");
    while (tokens_.accept(',')) tokens_.expect_word("an option of '.target'");
  }

  void address_size() {
    tokens_.take();
    const std::uint32_t size = parse_small_integer(tokens_, "the size of an address");
    if (size != 64) tokens_.reject("expected 64-bit addresses, found '.address_size " + std::to_string(size) + "'");
  }

  /// ".file 1 "path", timestamp, size"
  void file() {
    tokens_.take();
    const std::uint32_t number = parse_small_integer(tokens_, "the number of a file");
    module_.files[number] = tokens_.expect_string("the path of a file in quotes");
    while (tokens_.accept(',')) parse_integer(tokens_, "the time or size of a file");
  }

  /// ".section .debug_str { ... }": debug information, which is ignored here.
  void section() {
    tokens_.take();
    if (tokens_.current().kind != Token::Kind::dotted) tokens_.fail("the name of a section");
    tokens_.take();
    tokens_.expect('{', "before the contents of a section");
    for (unsigned depth = 1; depth > 0;) {
      if (tokens_.current().kind == Token::Kind::end) tokens_.fail("'}' to close the section");
      const Token token = tokens_.take();
      depth += token.is('{');
      depth -= token.is('}');
    }
  }

  void alias() {
    const std::uint32_t line = tokens_.take().line;
    const std::string_view name = tokens_.expect_word("the name of an alias");
    tokens_.expect(',', "after the name of an alias");
    const std::string_view aliasee = tokens_.expect_word("the name of the aliased function");
    tokens_.expect(';', "after an alias");
    aliases_.push_back({std::string(name), std::string(aliasee), line});
    check(aliases_.back());
  }

  /// Both functions are declared before the alias, alike, and only the second one is defined.
  void check(const Alias& alias) const {
    const std::string what = "alias '" + alias.name + "' of '" + alias.aliasee + "': ";
    const auto declared = [&](const std::string& name) -> const Function& {
      const auto found = function_index_.find(name);
      if (found == function_index_.end())
        throw ParseError(alias.line, what + "'" + name + "' is not declared before it");
      const Function& function = module_.functions[found->second];
      if (function.entry) throw ParseError(alias.line, what + "'" + name + "' is a kernel");
      return function;
    };
    const Function& named = declared(alias.name);
    const Function& aliased = declared(alias.aliasee);
    if (named.defined) throw ParseError(alias.line, what + "'" + alias.name + "' is a function that is defined");
    if (named.parameters.size() != aliased.parameters.size() || named.returns.size() != aliased.returns.size())
      throw ParseError(alias.line, what + "their parameters differ");
    const auto same = [&](const Alias& other) { return other.name == alias.name || other.name == alias.aliasee; };
    if (std::count_if(aliases_.begin(), aliases_.end(), same) != 1)
      throw ParseError(alias.line, what + "one of them is an alias already");
  }

  Linkage linkage() {
    Linkage linkage;
    for (;;) {
      if (tokens_.accept_dotted("visible")) {
        linkage.visible = true;
      } else if (tokens_.accept_dotted("extern")) {
        linkage.external = true;
      } else if (tokens_.accept_dotted("weak") || tokens_.accept_dotted("common")) {
        linkage.weak = true;
      } else {
        return linkage;
      }
    }
  }

  void declaration() {
    const Linkage linkage = this->linkage();
    const Token word = tokens_.current();
    if (word.is_dotted("entry") || word.is_dotted("func")) return function(linkage);
    const auto space = word.kind == Token::Kind::dotted ? parse_space(word.text) : std::nullopt;
    if (!space || space == Space::param || word.text.find("::") != std::string_view::npos) {
      tokens_.fail("a directive that may stand in a module");
    }
    tokens_.take();
    Variable variable;
    variable.space = *space;
    variable.external = linkage.external;
    variable.visible = linkage.visible;
    variable.weak = linkage.weak;
    for (Variable& parsed : parse_variables(tokens_, variable)) module_.variables.push_back(std::move(parsed));
  }

  void function(const Linkage& linkage) {
    Function function;
    function.entry = tokens_.take().text == "entry";
    function.external = linkage.external;
    function.visible = linkage.visible;
    function.weak = linkage.weak;
    if (tokens_.accept_dotted("attribute")) parse_attributes(tokens_);
    if (!function.entry && tokens_.current().is('(')) function.returns = parse_parameters(tokens_);
    const Token name = tokens_.current();
    function.name = tokens_.expect_word("the name of a function");
    if (tokens_.current().is('(')) function.parameters = parse_parameters(tokens_);
    while (tokens_.current().kind == Token::Kind::dotted) attribute(function);
    if (!tokens_.accept(';')) {
      if (!tokens_.current().is('{')) tokens_.fail("'{' or ';' after the head of function '" + function.name + "'");
      const auto wants = [&](std::string_view body) { return wants_(function.name, body); };
      if (!wants_ || !tokens_.skip_block_unless(wants)) parse_body(tokens_, function, inlining_);
      function.defined = true;
    }
    add(std::move(function), name.line);
  }

  void attribute(Function& function) {
    const Token word = tokens_.current();
    tokens_.take();
    if (word.text == "maxntid") {
      extents(function.max_threads);
    } else if (word.text == "reqntid") {
      extents(function.required_threads);
    } else if (word.text == "reqnctapercluster") {
      extents(function.required_cluster);
    } else if (word.text == "minnctapersm") {
      function.min_blocks = parse_small_integer(tokens_, "a number of blocks");
    } else if (word.text == "maxnreg") {
      function.max_registers = parse_small_integer(tokens_, "a number of registers");
    } else if (word.text == "noreturn") {
      function.noreturn = true;
    } else if (word.text == "pragma") {
      skip_pragma(tokens_);
    } else if (word.text == "maxnctapersm" || word.text == "maxclusterrank" || word.text == "abi_preserve" ||
               word.text == "abi_preserve_control") {
      parse_small_integer(tokens_, "a number after '." + std::string(word.text) + "'");
    } else if (word.text != "explicitcluster" && word.text != "blocksareclusters") {
      throw ParseError(word.line, "expected a directive of function '" + function.name + "', found " + describe(word));
    }
  }

  /// "256, 1, 1": missing values are 1.
  void extents(std::optional<std::uint32_t> (&values)[3]) {
    for (int i = 0; i < 3; ++i) {
      const bool written = i == 0 || tokens_.accept(',');
      values[i] = written ? parse_small_integer(tokens_, "a number of threads or blocks") : 1;
    }
  }

  /// A definition replaces earlier declarations of the same name.
  void add(Function function, std::uint32_t line) {
    const auto [place, is_new] = function_index_.try_emplace(function.name, module_.functions.size());
    if (is_new) {
      module_.functions.push_back(std::move(function));
      return;
    }
    Function& earlier = module_.functions[place->second];
    if (!function.defined) return;
    if (earlier.defined) throw ParseError(line, "function '" + function.name + "' is defined twice");
    function.weak = function.weak || earlier.weak;
    function.visible = function.visible || earlier.visible;
    earlier = std::move(function);
  }

  /// An alias becomes a second copy of the function under its own name.
  void resolve_aliases() {
    for (const Alias& alias : aliases_) {
      const auto found = function_index_.find(alias.aliasee);
      if (found == function_index_.end() || !module_.functions[found->second].defined) {
        throw ParseError(alias.line, "alias '" + alias.name + "' of '" + alias.aliasee + "', which is not defined");
      }
      Function copy = module_.functions[found->second];
      copy.name = alias.name;
      add(std::move(copy), alias.line);
    }
  }

  TokenStream tokens_;
  const WantsBody& wants_;
  Module module_;
  Inlining inlining_;
  std::unordered_map<std::string, std::size_t> function_index_;
  std::vector<Alias> aliases_;
};

}  // namespace

ParseError::ParseError(std::uint32_t line, const std::string& what)
    : std::runtime_error("ptx line " + std::to_string(line) + ": " + what), line_(line) {}

Module parse(std::string_view text, const WantsBody& wants) {
  // Text taken from a fat binary may be padded with zeros.
  while (!text.empty() && text.back() == '\0') text.remove_suffix(1);
  return ModuleParser(text, wants).parse();
}

}  // namespace warpbook::simulator::ptx
