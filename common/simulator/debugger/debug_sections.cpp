// Parses the sections with the PTX lexer.
#include "common/simulator/debugger/debug_sections.h"

#include <optional>

#include "common/simulator/ptx/ast.h"
#include "common/simulator/ptx/lexer.h"
#include "common/simulator/ptx/parser.h"

namespace warpbook::simulator::debugger {
namespace {

using ptx::Token;

class SectionReader {
 public:
  explicit SectionReader(std::string_view text) : lexer_(text), now_(lexer_.next()) {}

  DebugSections read() {
    while (now_.kind != Token::Kind::end) {
      if (now_.is_dotted("section")) {
        take();
        section();
      } else if (now_.kind == Token::Kind::word) {
        const Token word = take();
        // Labels in the code come before the sections that refer to them.
        if (now_.is(':')) labels_[std::string(word.text)] = word.line;
      } else {
        take();
      }
    }
    for (const Place& place : places_) settle(place);
    return std::move(sections_);
  }

 private:
  /// The address that a name stands for.
  struct Place {
    std::vector<std::uint8_t>* in;
    std::size_t at;
    unsigned bytes;
    std::string name;
    std::int64_t sign;
  };

  Token take() {
    const Token token = now_;
    now_ = lexer_.next();
    return token;
  }
  [[noreturn]] void fail(const std::string& wanted) const {
    throw ptx::ParseError(now_.line, "expected " + wanted + " in debug information, found " + ptx::describe(now_));
  }
  bool accept(char symbol) {
    if (!now_.is(symbol)) return false;
    take();
    return true;
  }

  void section() {
    if (now_.kind != Token::Kind::dotted) fail("the name of a section");
    const std::string name = "." + std::string(take().text);
    if (!accept('{')) fail("'{'");
    std::vector<std::uint8_t>& to = sections_.bytes[name];
    while (!accept('}')) {
      if (now_.kind == Token::Kind::word) {
        own_labels_[std::string(take().text)] = {name, to.size()};
        if (!accept(':')) fail("':' after a label");
        continue;
      }
      const unsigned bytes = width();
      do number(to, bytes);
      while (accept(','));
    }
  }

  unsigned width() {
    for (const auto& [name, bytes] : {std::pair{"b8", 1u}, {"b16", 2u}, {"b32", 4u}, {"b64", 8u}}) {
      if (!now_.is_dotted(name)) continue;
      take();
      return bytes;
    }
    fail("'.b8', '.b16', '.b32' or '.b64'");
  }

  void number(std::vector<std::uint8_t>& to, unsigned bytes) {
    const std::size_t at = to.size();
    to.resize(at + bytes);
    std::uint64_t sum = 0;
    std::int64_t sign = accept('-') ? -1 : 1;
    for (;;) {
      if (now_.kind == Token::Kind::integer) {
        sum += static_cast<std::uint64_t>(sign) * take().bits;
      } else if (now_.kind == Token::Kind::word || now_.kind == Token::Kind::dotted) {
        const bool dotted = now_.kind == Token::Kind::dotted;
        places_.push_back({&to, at, bytes, (dotted ? "." : "") + std::string(take().text), sign});
      } else {
        fail("a number or a name");
      }
      if (accept('+'))
        sign = 1;
      else if (accept('-'))
        sign = -1;
      else
        break;
    }
    add(to, at, bytes, sum);
  }

  static void add(std::vector<std::uint8_t>& to, std::size_t at, unsigned bytes, std::uint64_t value) {
    std::uint64_t sum = value;
    for (unsigned i = 0; i < bytes; ++i) sum += std::uint64_t{to[at + i]} << (8 * i);
    for (unsigned i = 0; i < bytes; ++i) to[at + i] = static_cast<std::uint8_t>(sum >> (8 * i));
  }

  void settle(const Place& place) {
    std::uint64_t value = 0;
    if (const auto label = labels_.find(place.name); label != labels_.end()) {
      value = kLineBase + label->second;
    } else if (const auto own = own_labels_.find(place.name); own != own_labels_.end()) {
      value = own->second.second;
    } else if (place.name[0] != '.') {
      value = symbol(place.name);
    }  // A section's name stands for its start.
    add(*place.in, place.at, place.bytes, static_cast<std::uint64_t>(place.sign) * value);
  }

  std::uint64_t symbol(const std::string& name) {
    const auto [place, fresh] = numbers_.try_emplace(name, sections_.symbols.size());
    if (fresh) sections_.symbols.push_back(name);
    return kSymbolBase + place->second * kSymbolBytes;
  }

  ptx::Lexer lexer_;
  Token now_;
  DebugSections sections_;
  std::map<std::string, std::uint32_t> labels_;
  std::map<std::string, std::pair<std::string, std::size_t>> own_labels_;
  std::map<std::string, std::size_t> numbers_;
  std::vector<Place> places_;
};

}  // namespace

DebugSections read_debug_sections(std::string_view ptx) {
  if (ptx.find(".debug_info") == std::string_view::npos) return {};
  return SectionReader(ptx).read();
}

}  // namespace warpbook::simulator::debugger
