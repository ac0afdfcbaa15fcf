// The body of a function.
#include "common/simulator/ptx/function_body.h"

#include <algorithm>
#include <iterator>

#include "common/simulator/ptx/constant_expression.h"
#include "common/simulator/ptx/modifiers.h"
#include "common/simulator/ptx/operands.h"
#include "common/simulator/ptx/parser.h"
#include "common/simulator/ptx/scopes.h"
#include "common/simulator/ptx/variables.h"

namespace warpbook::simulator::ptx {
namespace {

constexpr std::uint32_t kMostRegisters = 1u << 24;
constexpr std::uint32_t kMostVectorRegisters = 1u << 16;
constexpr std::size_t kDeepestScope = 200;

class BodyParser {
 public:
  BodyParser(TokenStream& tokens, Function& function, Inlining& inlining)
      : tokens_(tokens), function_(function), inlining_(inlining), scopes_(function) {
    inlining_.start();
  }

  void parse() {
    tokens_.expect('{', "before the body of a function");
    scopes_.open();
    for (const auto* list : {&function_.returns, &function_.parameters}) {
      for (const Variable& parameter : *list) {
        if (parameter.space == Space::reg)
          scopes_.declare_register(parameter.name, static_cast<unsigned>(parameter.elements));
        else
          scopes_.declare(parameter.name);
      }
    }
    while (scopes_.depth() > 0) statement();
  }

 private:
  void statement() {
    const Token& token = tokens_.current();
    switch (token.kind) {
      case Token::Kind::dotted:
        return directive();
      case Token::Kind::word:
        return tokens_.following().is(':') ? label() : instruction();
      case Token::Kind::symbol:
        if (token.symbol == '@') return instruction();
        if (tokens_.accept(';')) return;
        if (token.symbol == '{') {
          if (scopes_.depth() == kDeepestScope) {
            tokens_.reject("scopes nested more than " + std::to_string(kDeepestScope) + " deep");
          }
          tokens_.take();
          return scopes_.open();
        }
        if (tokens_.accept('}')) return scopes_.close();
        break;
      default:
        break;
    }
    tokens_.fail("an instruction, a directive, a label or '}'");
  }

  void directive() {
    const Token word = tokens_.take();
    if (word.text == "loc") return location();
    if (word.text == "reg") return registers();
    if (word.text == "pragma") return skip_pragma(tokens_);
    const auto space = parse_space(word.text);
    if (space == Space::local || space == Space::shared || space == Space::param) return variables(*space);
    if (space == Space::global || space == Space::constant) {
      throw_at(word, "a ." + std::string(word.text) + " variable inside a function: declare it at module scope");
    }
    throw_at(word, "expected a directive that may stand in a function, found '." + std::string(word.text) + "'");
  }

  /// ".loc 1 12 3, function_name $L__info_string0, inlined_at 1 20 3": the first three numbers are the innermost
  /// position.
  void location() {
    SourcePosition position;
    position.file = line_number();
    position.line = line_number();
    position.column = line_number();
    SourcePosition caller;
    if (tokens_.accept(',')) caller = inlined_at();
    if (position.line != 0) source_ = inlining_.note(position, caller);
    if (function_.source.file == 0) function_.source = source_;
  }

  SourcePosition inlined_at() {
    if (!tokens_.current().is_word("function_name")) tokens_.fail("'function_name'");
    tokens_.take();
    tokens_.expect_word("the label of a function's name");
    if (tokens_.accept('+')) line_number();
    tokens_.expect(',', "after the function's name");
    if (!tokens_.current().is_word("inlined_at")) tokens_.fail("'inlined_at'");
    tokens_.take();
    SourcePosition caller;
    caller.file = line_number();
    caller.line = line_number();
    caller.column = line_number();
    return caller;
  }

  /// A plain literal: a .loc has no ';', so an expression could run on into the next statement.
  std::uint32_t line_number() {
    if (tokens_.current().kind != Token::Kind::integer || tokens_.current().bits > 0xffffffffu) {
      tokens_.fail("a 32-bit number");
    }
    return static_cast<std::uint32_t>(tokens_.take().bits);
  }

  void registers() {
    const unsigned width = tokens_.accept_dotted("v2") ? 2 : tokens_.accept_dotted("v4") ? 4 : 1;
    if (tokens_.current().kind != Token::Kind::dotted) tokens_.fail("the type of the registers");
    const Type type = parse_type(tokens_.current().text);
    if (type == Type::none) tokens_.fail("the type of the registers");
    tokens_.take();
    const bool pairs = type == Type::b128 && width == 1;  // Two halves each.
    do {
      const Token place = tokens_.current();
      const std::string_view name = tokens_.expect_word("the name of a register");
      const bool counted = tokens_.accept('<');
      refuse_second(place, counted ? tokens_.current() : Token());
      if (width > 1 || pairs) {
        vector_registers(name, pairs ? Type::b64 : type, pairs ? kHalves : width, counted);
        continue;
      }
      if (!counted) {
        function_.registers.push_back({scopes_.declare_register(name), type, 0});
        continue;
      }
      // Not an expression, which would take '>' as an operator.
      const std::uint32_t count = line_number();
      if (count > kMostRegisters) tokens_.reject("more than 2^24 registers in one declaration");
      tokens_.expect('>', "after the number of registers");
      // "%r<0>" declares nothing; a count of 0 in the tree would mean a single register.
      if (count > 0) function_.registers.push_back({scopes_.declare_registers(name, count), type, count});
    } while (tokens_.accept(','));
    tokens_.expect(';', "after the declaration of registers");
  }

  /// @param count an integer for numbered registers
  void refuse_second(const Token& name, const Token& count = {}) const {
    const bool twice = count.kind == Token::Kind::integer
                           ? scopes_.is_range_taken(name.text, static_cast<std::uint32_t>(count.bits))
                           : scopes_.is_taken(name.text);
    if (twice) throw_at(name, "'" + std::string(name.text) + "' is declared twice");
  }

  /// "%v", or "%v<4>" for %v0 to %v3: as many registers each as the vector has elements.
  void vector_registers(std::string_view name, Type type, unsigned width, bool counted) {
    const std::uint32_t count = counted ? line_number() : 1;
    if (count > kMostVectorRegisters) tokens_.reject("more than 2^16 vectors of registers in one declaration");
    if (counted) tokens_.expect('>', "after the number of registers");
    for (std::uint32_t k = 0; k < count; ++k) {
      const std::string own = std::string(name) + (counted ? std::to_string(k) : "");
      const std::string flat = scopes_.declare_register(own, width);
      const unsigned elements = width == kHalves ? 2 : width;
      for (unsigned i = 0; i < elements; ++i) function_.registers.push_back({flat + kVectorElements[i], type, 0});
    }
  }

  void variables(Space space) {
    Variable linkage;
    linkage.space = space;
    linkage.source = source_;
    const Token place = tokens_.current();
    for (Variable& variable : parse_variables(tokens_, linkage)) {
      if (scopes_.is_taken(variable.name)) throw_at(place, "'" + variable.name + "' is declared twice");
      variable.name = scopes_.declare(variable.name);
      function_.variables.push_back(std::move(variable));
    }
  }

  void label() {
    const Token name = tokens_.take();
    tokens_.take();
    refuse_second(name);
    const std::string flat = scopes_.declare(name.text);
    if (tokens_.accept_dotted("callprototype")) {
      prototype(flat);
    } else if (tokens_.current().is_dotted("branchtargets") || tokens_.current().is_dotted("calltargets")) {
      tokens_.take();
      targets(flat);
    } else {
      function_.body.push_back({Label{flat}, std::nullopt});
    }
  }

  /// "(.param .b32 _) _ (.param .b64 _);"
  void prototype(const std::string& name) {
    Prototype prototype;
    prototype.name = name;
    if (tokens_.current().is('(')) prototype.returns = parse_parameters(tokens_);
    tokens_.expect_word("'_'");
    if (tokens_.current().is('(')) prototype.parameters = parse_parameters(tokens_);
    while (tokens_.current().kind == Token::Kind::dotted) {
      const Token directive = tokens_.take();
      if (directive.text == "noreturn") continue;
      if (directive.text != "abi_preserve" && directive.text != "abi_preserve_control") {
        throw_at(directive, "expected ';' after the prototype, found '." + std::string(directive.text) + "'");
      }
      line_number();
    }
    tokens_.expect(';', "after the prototype");
    function_.prototypes.push_back(std::move(prototype));
  }

  void targets(const std::string& name) {
    TargetList list;
    list.name = name;
    do {
      list.targets.emplace_back(tokens_.expect_word("a target"));
    } while (tokens_.accept(','));
    tokens_.expect(';', "after the targets");
    function_.target_lists.push_back(std::move(list));
  }

  void instruction() {
    Statement& statement = function_.body.emplace_back();
    Instruction& instruction = statement.node.emplace<Instruction>();
    instruction.source = source_;
    instruction.ptx_line = tokens_.current().line;
    if (tokens_.accept('@')) {
      Operand guard;
      guard.kind = Operand::Kind::reg;
      guard.negated = tokens_.accept('!');
      guard.name = tokens_.expect_word("the predicate of a guard");
      instruction.guard = std::move(guard);
    }
    instruction.opcode = tokens_.expect_word("an instruction");
    while (tokens_.current().kind == Token::Kind::dotted) instruction.modifiers.emplace_back(tokens_.take().text);
    if (instruction.opcode == "call") {
      statement.call = call();
    } else if (!tokens_.current().is(';')) {
      instruction.operands.reserve(4);
      do {
        instruction.operands.push_back(parse_operand(tokens_, scopes_));
        // Of an address at which any memory may be, as here.
        const Token& behind = tokens_.current();
        if (instruction.opcode == "ld" && behind.kind == Token::Kind::dotted && behind.text == "unified")
          tokens_.take();
      } while (tokens_.accept(','));
    }
    if (!tokens_.accept(';')) tokens_.fail("';' after the operands of '" + instruction.spelling() + "'");
    split_halves(instruction);
    if (const auto extension = narrow_halves(instruction)) {
      function_.body.push_back({*extension, std::nullopt});
      return;
    }
    const bool vector = !instruction.modifiers.empty() && instruction.modifiers[0][0] == 'v';
    if (vector && instruction.opcode == "mov") split_move();
  }

  /// 128 bits at once are two halves: "ld.global.b128 %q1, [a]" is "ld.global.v2.b64 {%q1.x, %q1.y}, [a]". An atomic
  /// remains one.
  static void split_halves(Instruction& instruction) {
    std::vector<std::string>& words = instruction.modifiers;
    if (words.empty() || words.back() != "b128") return;
    for (Operand& operand : instruction.operands) {
      if (operand.kind == Operand::Kind::vector) operand.name.clear();  // It is the vector that belongs there.
      split_value(operand);
    }
    const bool moves = instruction.opcode == "ld" || instruction.opcode == "ldu" || instruction.opcode == "st" ||
                       instruction.opcode == "mov";
    if (!moves) return;
    if (words.size() > 1 && words[words.size() - 2][0] == 'v' && words[words.size() - 2].size() == 2) return;  // .v2
    words.back() = "v2";
    words.emplace_back("b64");
  }

  static bool is_of_128_bits(const Operand& operand) {
    return operand.kind == Operand::Kind::vector && !operand.name.empty();
  }

  /// Conversions, loads and stores of less than a register of 128 bits use its lower half: "cvt.s64.s32 %q1, %r1" is
  /// "cvt.s64.s32 %q1.x, %r1". @returns what extends a result to the upper half: "shr.s64 %q1.y, %q1.x, 63"
  static std::optional<Instruction> narrow_halves(Instruction& instruction) {
    auto& operands = instruction.operands;
    const std::vector<std::string>& words = instruction.modifiers;
    const bool loads = instruction.opcode == "ld" || instruction.opcode == "ldu";
    const bool converts = instruction.opcode == "cvt", stores = instruction.opcode == "st";
    if ((!loads && !stores && !converts) || operands.size() < 2 || words.empty()) return std::nullopt;
    // Vectors, asynchronous and bulk stores, and 128 bits at once have other operands.
    for (const std::string& word : words)
      if (word == "b128" || word == "async" || word == "bulk" || (word.size() == 2 && word[0] == 'v'))
        return std::nullopt;
    std::optional<Instruction> extension;
    if (!stores && is_of_128_bits(operands[0])) {
      const auto type_of_result = std::find_if(words.begin(), words.end(),
                                               [](const std::string& word) { return parse_type(word) != Type::none; });
      const bool has_sign = words[0] != "pack" && type_of_result != words.end() && (*type_of_result)[0] == 's';
      Operand literal;
      literal.kind = Operand::Kind::integer;
      literal.integer = has_sign ? 63 : 0;
      extension = instruction;
      extension->opcode = has_sign ? "shr" : "mov";
      extension->modifiers = {has_sign ? "s64" : "b64"};
      extension->operands = {operands[0].elements[1]};
      if (has_sign) extension->operands.push_back(operands[0].elements[0]);
      extension->operands.push_back(literal);
    }
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const bool is_value = converts || i == (stores ? 1 : 0);
      if (is_value && is_of_128_bits(operands[i])) operands[i] = Operand(operands[i].elements[0]);
    }
    return extension;
  }

  /// A literal of 128 bits, or a result that is not kept.
  static void split_value(Operand& operand) {
    if (operand.kind != Operand::Kind::integer && operand.kind != Operand::Kind::sink) return;
    Operand whole;
    whole.kind = Operand::Kind::vector;
    whole.elements = {operand, operand};
    if (operand.kind == Operand::Kind::integer)
      whole.elements[1].integer = static_cast<std::int64_t>(operand.integer) < 0 ? ~std::uint64_t{0} : 0;
    operand = std::move(whole);
  }

  /// "mov.v2.b64 {%q.x, %q.y}, {%r1, %r2, %r3, %r4}" becomes a mov for each half, with two of the four words; and the
  /// other way round.
  static std::vector<Operand> halves_of(const std::vector<Operand>& words) {
    std::vector<Operand> halves(2);
    for (std::size_t i = 0; i < 2; ++i) {
      halves[i].kind = Operand::Kind::vector;
      halves[i].elements = {words[2 * i], words[2 * i + 1]};
    }
    return halves;
  }

  /// "%tid" for "{%tid.x, %tid.y, %tid.z, %tid.w}".
  static void expand_special(Operand& operand) {
    static constexpr std::string_view kVectors[] = {"%tid", "%ntid", "%ctaid", "%nctaid", "%clusterid", "%nclusterid"};
    if (operand.kind != Operand::Kind::reg ||
        std::find(std::begin(kVectors), std::end(kVectors), operand.name) == std::end(kVectors))
      return;
    Operand vector;
    vector.kind = Operand::Kind::vector;
    for (const char* const element : kVectorElements) {
      vector.elements.push_back(operand);
      vector.elements.back().name += element;
    }
    operand = std::move(vector);
  }

  /// "mov.v2.u32 %r1, {0, %r2}" becomes a mov for each element.
  void split_move() {
    Instruction whole = std::move(std::get<Instruction>(function_.body.back().node));
    function_.body.pop_back();
    if (whole.operands.size() == 2) expand_special(whole.operands[1]);
    for (std::size_t i = 0; i < 2 && whole.operands.size() == 2 && whole.modifiers.back() == "b64"; ++i)
      if (whole.operands[i].elements.size() == 4 && whole.operands[1 - i].elements.size() == 2)
        whole.operands[i].elements = halves_of(whole.operands[i].elements);
    const bool fits = whole.operands.size() == 2 && whole.operands[0].kind == Operand::Kind::vector &&
                      whole.operands[1].kind == Operand::Kind::vector &&
                      whole.operands[0].elements.size() == whole.operands[1].elements.size();
    const auto refuse = [&](const std::string& why) { throw ParseError(whole.ptx_line, why); };
    if (!fits) refuse("expected two vectors of the same width after '" + whole.spelling() + "'");
    const auto& to = whole.operands[0].elements;
    const auto& from = whole.operands[1].elements;
    const auto move = [&](const Operand& target, const Operand& source) {
      if (target.kind == Operand::Kind::sink) return;
      Instruction element = whole;
      element.modifiers.erase(element.modifiers.begin());
      element.operands = {target, source};
      function_.body.push_back({std::move(element), std::nullopt});
    };
    // A register that a later element reads must not be written before: it is saved first.
    std::vector<Operand> sources = from;
    for (std::size_t i = 0; i < to.size(); ++i) {
      for (std::size_t j = i + 1; j < from.size(); ++j) {
        if (to[i].name.empty() || to[i].name != sources[j].name) continue;
        Operand aside;
        aside.kind = Operand::Kind::reg;
        aside.name = "aside@" + std::to_string(asides_++);
        function_.registers.push_back({aside.name, parse_type(whole.modifiers.back()), 0});
        move(aside, sources[j]);
        sources[j] = aside;
      }
    }
    for (std::size_t i = 0; i < to.size(); ++i) move(to[i], sources[i]);
  }

  /// "(returns), callee, (arguments), prototype": all but the callee are optional.
  Call call() {
    Call call;
    if (tokens_.current().is('(')) {
      call.returns = operand_list();
      tokens_.expect(',', "after the returned values of a call");
    }
    call.callee = parse_operand(tokens_, scopes_);
    if (call.callee.kind != Operand::Kind::symbol && call.callee.kind != Operand::Kind::reg) {
      tokens_.reject("expected a function or a register as the target of a call");
    }
    if (!tokens_.accept(',')) return call;
    if (tokens_.current().is('(')) {
      call.arguments = operand_list();
      if (!tokens_.accept(',')) return call;
    }
    call.prototype = tokens_.expect_word("the label of a prototype");
    return call;
  }

  std::vector<Operand> operand_list() {
    std::vector<Operand> operands;
    tokens_.take();
    if (tokens_.accept(')')) return operands;
    do {
      operands.push_back(parse_operand(tokens_, scopes_));
    } while (tokens_.accept(','));
    tokens_.expect(')', "to close the list");
    return operands;
  }

  [[noreturn]] static void throw_at(const Token& token, const std::string& message) {
    throw ParseError(token.line, message);
  }

  TokenStream& tokens_;
  Function& function_;
  Inlining& inlining_;
  Scopes scopes_;
  SourcePosition source_;
  unsigned asides_ = 0;  ///< Temporary registers for split moves.
};

}  // namespace

void parse_body(TokenStream& tokens, Function& function, Inlining& inlining) {
  BodyParser(tokens, function, inlining).parse();
}

void skip_pragma(TokenStream& tokens) {
  do {
    tokens.expect_string("a pragma in quotes");
  } while (tokens.accept(','));
  tokens.expect(';', "after a pragma");
}

}  // namespace warpbook::simulator::ptx
