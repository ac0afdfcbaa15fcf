// What NVIDIA's assembler answered about snippets of PTX, and what the decoder answers where it judges.
#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "common/simulator/kernel/no_handlers.h"
#include "common/simulator/kernel/program.h"
#include "common/simulator/ptx/parser.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;

namespace {

struct Snippet {
  std::string verdict, name, target = "sm_90", text;
};

std::vector<Snippet> snippets() {
  std::ifstream file(WB_JUDGED_FORMS);
  REQUIRE(file);
  std::vector<Snippet> all;
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    const std::string word = line.substr(0, colon);
    if (colon != std::string::npos && (word == "refused" || word == "taken" || word == "elsewhere")) {
      Snippet& made = all.emplace_back();
      made.verdict = word;
      const std::size_t at = line.find(" @");
      made.name = line.substr(colon + 2, at == std::string::npos ? at : at - colon - 2);
      if (at != std::string::npos) made.target = line.substr(at + 2);
    } else if (!all.empty() && !line.empty()) {
      all.back().text += line + "\n";
    }
  }
  return all;
}

constexpr std::string_view kRegisters =
    ".global .align 16 .b8 gm[1024];\n.visible .entry k(.param .u64 p0)\n{\n.reg .b8 %y<10>; .reg .b16 %h<10>; .reg "
    ".b32 "
    "%r<10>; .reg .b64 %l<10>; .reg .f32 %f<10>; .reg .f64 %d<10>; .reg .pred %p<10>; .reg .u32 %ru<10>; .reg .s32 "
    "%rs<10>; .shared .align 128 .b8 sm[1024];\n";

bool is_module(const Snippet& snippet) { return snippet.text.find(".entry") != std::string::npos; }

std::string head_of(const Snippet& snippet) {
  return ".version 9.0\n.target " + snippet.target + "\n.address_size 64\n" +
         std::string(is_module(snippet) ? "" : kRegisters);
}

std::string whole(const Snippet& snippet) {
  return head_of(snippet) + snippet.text + (is_module(snippet) ? "" : "ret;\n}\n");
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// Empty if @p text is taken.
std::string refusal_of(const std::string& text, bool judges = true) {
  static const HandlerSet handlers = no_handlers();
  DecodeOptions options;
  options.judges = judges;
  const auto address_of = [](const std::string& name) -> std::optional<std::uint64_t> {
    if (name == "gm") return 0x1000;
    return std::nullopt;
  };
  try {
    (void)decode(ptx::parse(text), address_of, handlers, options);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("what ptxas refuses is refused, with its line") {
  unsigned asked = 0;
  for (const Snippet& snippet : snippets()) {
    if (snippet.verdict != "refused") continue;
    INFO(snippet.name << "\n" << snippet.text);
    const std::string refusal = refusal_of(whole(snippet));
    INFO(refusal);
    CHECK_FALSE(refusal.empty());
    const std::size_t line = lines_of(head_of(snippet)) + lines_of(snippet.text);
    if (!is_module(snippet)) CHECK(refusal.find("ptx line " + std::to_string(line) + ": ") == 0);
    ++asked;
  }
  CHECK(asked > 200);
}

TEST_CASE("what ptxas takes is taken") {
  unsigned asked = 0;
  for (const Snippet& snippet : snippets()) {
    if (snippet.verdict != "taken") continue;
    INFO(snippet.name << "\n" << snippet.text);
    CHECK(refusal_of(whole(snippet)).empty());
    ++asked;
  }
  CHECK(asked > 140);
}

TEST_CASE("forms of PTX that are not here are told as such, not as errors of the program") {
  unsigned asked = 0;
  for (const Snippet& snippet : snippets()) {
    if (snippet.verdict != "elsewhere") continue;
    INFO(snippet.name << "\n" << snippet.text);
    // Where not all threads come to it, the module loads.
    CHECK(refusal_of(head_of(snippet) + "@%p1 bra past;\n" + snippet.text + "past: ret;\n}\n").empty());
    CHECK(refusal_of(whole(snippet)).find("is not supported by the virtual GPU: ") != std::string::npos);
    ++asked;
  }
  CHECK(asked > 8);
}

TEST_CASE("the target is an architecture that ptxas knows") {
  const auto answer = [](const std::string& target) {
    return refusal_of(".version 9.0\n.target " + target + "\n.address_size 64\n.entry k() { ret; }\n");
  };
  for (const char* known : {"sm_10", "sm_37", "sm_90", "sm_90a", "sm_100f", "sm_121"}) CHECK(answer(known).empty());
  for (const char* unknown : {"sm_0", "sm_99", "sm_", "sm_900"}) {
    CAPTURE(unknown);
    CHECK(answer(unknown).find("is not an architecture that PTX knows") != std::string::npos);
  }
}

TEST_CASE("a wrong instruction is refused wherever it stands, unless an assembler has seen the module") {
  const std::string head = ".version 9.0\n.target sm_90\n.address_size 64\n.entry right() { ret; }\n.entry wrong() {\n";
  const std::string text =
      head + ".reg .pred p; .reg .b32 r; .reg .b64 l;\n@p bra past;\nadd.u32 r, r, l;\npast: ret;\n}\n";
  CHECK(refusal_of(text) == "ptx line 8: 'add.u32' is no instruction: 'l' is .b64 where .u32 belongs");
  CHECK(refusal_of(text, false).empty());
}
