// Floating-point rows against an arbitrary-precision library: correct rounding in every mode, with .ftz and .sat.
//
// MPFR computes each result once, with the precision of the format and any exponent; then the result is brought into
// the format's range. The goldens show an H200's results for some numbers; this test covers others, with each
// instruction set: the test program runs once for each.
#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "common/simulator/machine/operations/rows/rows.h"
#include "common/simulator/machine/testing.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;
using namespace warpbook::simulator::rows;

namespace {

/// A binary format: bits of exponent and mantissa. `saturates`: it has no infinity, `largest` is its largest number.
struct Format {
  int exponent = 0, mantissa = 0;
  bool saturates = false;
  std::uint64_t largest = 0;
  int bias() const { return (1 << (exponent - 1)) - 1; }
  int smallest_normal() const { return 1 - bias(); }
  int largest_exponent() const { return saturates ? (1 << exponent) - 1 - bias() : bias(); }
  int bits() const { return 1 + exponent + mantissa; }
};

const std::map<std::string, Format> kFormats = {{"f16", {5, 10}},
                                                {"bf16", {8, 7}},
                                                {"f32", {8, 23}},
                                                {"f64", {11, 52}},
                                                {"e4m3", {4, 3, true, 0x7e}},
                                                {"e5m2", {5, 2, true, 0x7b}},
                                                {"e2m1", {2, 1, true, 0x7}}};

std::optional<Format> format_of(const std::string& name) {
  const auto found = kFormats.find(name);
  return found == kFormats.end() ? std::nullopt : std::optional(found->second);
}

/// A number of any exponent.
class Number {
 public:
  explicit Number(mpfr_prec_t precision) { mpfr_init2(value, precision); }
  ~Number() { mpfr_clear(value); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  mpfr_t value;
};

struct Parts {
  bool negative = false, nan = false, infinite = false;
  std::uint64_t significand = 0;
  int exponent = 0;  ///< Of its lowest bit.
};

Parts take_apart(const Format& format, std::uint64_t bits) {
  Parts parts;
  const std::uint64_t mantissa = bits & ((std::uint64_t{1} << format.mantissa) - 1);
  const int top = (1 << format.exponent) - 1, field = static_cast<int>(bits >> format.mantissa) & top;
  parts.negative = (bits >> (format.bits() - 1) & 1) != 0;
  const bool finite_top = format.saturates && format.exponent != 5;  // Numbers up to `largest`; .e5m2 is as .f16.
  const std::uint64_t magnitude = bits & ((std::uint64_t{1} << (format.bits() - 1)) - 1);
  parts.nan = finite_top ? magnitude > format.largest : field == top && mantissa != 0;
  parts.infinite = !finite_top && field == top && mantissa == 0;
  parts.significand = field == 0 ? mantissa : mantissa | std::uint64_t{1} << format.mantissa;
  parts.exponent = (field == 0 ? 1 : field) - format.bias() - format.mantissa;
  return parts;
}

void load(Number& to, const Format& format, std::uint64_t bits) {
  const Parts parts = take_apart(format, bits);
  if (parts.nan) {
    mpfr_set_nan(to.value);
    return;
  }
  if (parts.infinite) {
    mpfr_set_inf(to.value, parts.negative ? -1 : 1);
    return;
  }
  mpfr_set_ui_2exp(to.value, parts.significand, parts.exponent, MPFR_RNDN);
  if (parts.negative) mpfr_neg(to.value, to.value, MPFR_RNDN);
}

/// @p x, which the format holds.
std::uint64_t store(const Format& format, const Number& x) {
  const std::uint64_t all = (std::uint64_t{1} << (format.bits() - 1)) - 1;
  const std::uint64_t infinity =
      format.saturates ? all : ((std::uint64_t{1} << format.exponent) - 1) << format.mantissa;
  const std::uint64_t sign = mpfr_signbit(x.value) != 0 ? std::uint64_t{1} << (format.bits() - 1) : 0;
  if (mpfr_nan_p(x.value)) return infinity | 1;
  if (mpfr_inf_p(x.value)) return sign | infinity;
  if (mpfr_zero_p(x.value)) return sign;
  const int exponent = std::max(static_cast<int>(mpfr_get_exp(x.value)) - 1, format.smallest_normal());
  Number scaled(64);
  mpfr_abs(scaled.value, x.value, MPFR_RNDN);
  mpfr_mul_2si(scaled.value, scaled.value, format.mantissa - exponent, MPFR_RNDN);
  const std::uint64_t significand = mpfr_get_ui(scaled.value, MPFR_RNDN);
  const std::uint64_t hidden = std::uint64_t{1} << format.mantissa;
  if (significand < hidden) return sign | significand;
  return sign | ((static_cast<std::uint64_t>(exponent + format.bias()) << format.mantissa) + (significand - hidden));
}

/// A decoded instruction: what is computed, and how the result is converted.
struct Instruction {
  std::string opcode;
  std::set<std::string> words;
  std::vector<std::string> types;
  bool has(const std::string& word) const { return words.count(word) != 0; }

  mpfr_rnd_t mode() const {
    return has("rz") || has("rzi")   ? MPFR_RNDZ
           : has("rm") || has("rmi") ? MPFR_RNDD
           : has("rp") || has("rpi") ? MPFR_RNDU
                                     : MPFR_RNDN;
  }
  bool integral() const { return has("rni") || has("rzi") || has("rmi") || has("rpi"); }
};

Instruction take_apart(const std::string& text) {
  Instruction instruction;
  std::istringstream in(text);
  std::getline(in, instruction.opcode, '.');
  for (std::string word; std::getline(in, word, '.');) {
    const std::string single = word.size() > 2 && word.ends_with("x2") ? word.substr(0, word.size() - 2) : word;
    const bool integer =
        word.size() <= 3 && (word[0] == 'u' || word[0] == 's') && std::isdigit(static_cast<unsigned char>(word[1]));
    if (format_of(single) || integer)
      instruction.types.push_back(word);
    else
      instruction.words.insert(word);
  }
  return instruction;
}

std::string scalar(const std::string& type) { return type.ends_with("x2") ? type.substr(0, type.size() - 2) : type; }

/// Brings a result with the format's precision, whose rounding error has the sign @p ternary, into its range.
void finish(Number& x, int ternary, const Format& format, const Instruction& instruction) {
  const mpfr_rnd_t mode = instruction.integral() ? MPFR_RNDN : instruction.mode();
  const bool flushes = format.mantissa == 23 || instruction.opcode != "cvt";
  if (instruction.has("ftz") && flushes && mpfr_regular_p(x.value) &&
      mpfr_get_exp(x.value) - 1 < format.smallest_normal())
    mpfr_set_zero(x.value, mpfr_signbit(x.value) != 0 ? -1 : 1);
  const mpfr_exp_t low = mpfr_get_emin(), high = mpfr_get_emax();
  mpfr_set_emin(format.smallest_normal() - format.mantissa + 1);
  mpfr_set_emax(format.largest_exponent() + 1);
  ternary = mpfr_check_range(x.value, ternary, mode);
  mpfr_subnormalize(x.value, ternary, mode);
  mpfr_set_emin(low);
  mpfr_set_emax(high);
  const bool nan = mpfr_nan_p(x.value) != 0;
  if (instruction.has("sat")) {
    if (nan || mpfr_signbit(x.value) != 0) mpfr_set_zero(x.value, 1);
    if (mpfr_cmp_ui(x.value, 1) > 0) mpfr_set_ui(x.value, 1, MPFR_RNDN);
  }
  if (instruction.has("relu") && !nan && mpfr_signbit(x.value) != 0) mpfr_set_zero(x.value, 1);
}

std::uint64_t limited(const Format& format, const Instruction& instruction, const Number& x) {
  const std::uint64_t bits = store(format, x);
  if (!format.saturates && !instruction.has("satfinite")) return bits;
  const std::uint64_t sign = std::uint64_t{1} << (format.bits() - 1);
  const std::uint64_t largest =
      format.saturates ? format.largest : (((std::uint64_t{1} << format.exponent) - 1) << format.mantissa) - 1;
  return mpfr_nan_p(x.value) || (bits & (sign - 1)) <= largest ? bits : (bits & sign) | largest;
}

constexpr std::uint64_t kAnyNan = ~std::uint64_t{0};

/// One element: the bits of the result, kAnyNan for a NaN; empty if this is not a sum, product, quotient, root or
/// conversion.
std::optional<std::uint64_t> expected(const Instruction& instruction, const std::vector<std::uint64_t>& operands) {
  const std::string to = scalar(instruction.types.front()), from = scalar(instruction.types.back());
  const std::optional<Format> format = format_of(to), source = format_of(from);
  const bool to_integer = !format, from_integer = !source;
  Number inputs[3] = {Number(64), Number(64), Number(64)};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (from_integer) {
      const int bits = std::stoi(from.substr(1));
      const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
      std::uint64_t value = operands[i] & mask;
      if (from[0] == 's' && (value >> (bits - 1) & 1) != 0) value |= ~mask;
      from[0] == 's' ? mpfr_set_si(inputs[i].value, static_cast<std::int64_t>(value), MPFR_RNDN)
                     : mpfr_set_ui(inputs[i].value, value, MPFR_RNDN);
      continue;
    }
    load(inputs[i], *source, operands[i]);
    const bool tiny = mpfr_regular_p(inputs[i].value) && mpfr_get_exp(inputs[i].value) - 1 < source->smallest_normal();
    if (instruction.has("ftz") && tiny && (source->mantissa == 23 || instruction.opcode != "cvt"))
      mpfr_set_zero(inputs[i].value, mpfr_signbit(inputs[i].value) != 0 ? -1 : 1);
  }
  const mpfr_rnd_t mode = instruction.mode();
  mpfr_srcptr a = inputs[0].value, b = inputs[1].value, c = inputs[2].value;
  if (instruction.opcode == "cvt" && to_integer) {
    if (mpfr_nan_p(a)) return kAnyNan;
    const int bits = std::stoi(to.substr(1));
    Number whole(128), low(128), high(128);
    mpfr_rint(whole.value, a, mode);
    mpfr_set_ui_2exp(high.value, 1, to[0] == 's' ? bits - 1 : bits, MPFR_RNDN);
    mpfr_set_zero(low.value, 1);
    if (to[0] == 's') mpfr_neg(low.value, high.value, MPFR_RNDN);
    mpfr_sub_ui(high.value, high.value, 1, MPFR_RNDN);
    mpfr_max(whole.value, whole.value, low.value, MPFR_RNDN);
    mpfr_min(whole.value, whole.value, high.value, MPFR_RNDN);
    const std::uint64_t value = to[0] == 's' ? static_cast<std::uint64_t>(mpfr_get_si(whole.value, MPFR_RNDZ))
                                             : mpfr_get_ui(whole.value, MPFR_RNDZ);
    return bits == 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
  }
  if (to_integer) return std::nullopt;
  Number result(format->mantissa + 1);
  int ternary = 0;
  const std::string& opcode = instruction.opcode;
  if (opcode == "add") {
    ternary = mpfr_add(result.value, a, b, mode);
  } else if (opcode == "sub") {
    ternary = mpfr_sub(result.value, a, b, mode);
  } else if (opcode == "mul") {
    ternary = mpfr_mul(result.value, a, b, mode);
  } else if (opcode == "fma" || opcode == "mad") {
    ternary = mpfr_fma(result.value, a, b, c, mode);
  } else if (opcode == "div") {
    ternary = mpfr_div(result.value, a, b, mode);
  } else if (opcode == "rcp") {
    ternary = mpfr_ui_div(result.value, 1, a, mode);
  } else if (opcode == "sqrt") {
    ternary = mpfr_sqrt(result.value, a, mode);
  } else if (opcode == "cvt") {
    ternary = instruction.integral() ? mpfr_rint(result.value, a, mode) : mpfr_set(result.value, a, mode);
    if (instruction.integral()) ternary = 0;
  } else {
    return std::nullopt;
  }
  finish(result, ternary, *format, instruction);
  const std::uint64_t bits = limited(*format, instruction, result);
  return mpfr_nan_p(result.value) ? kAnyNan : bits;
}

/// Numbers at the ends of ranges, powers of two around them, neighbours of 1, and any bits.
std::uint64_t awkward(const Format& format, std::uint64_t random) {
  const std::uint64_t sign = (random >> 60 & 1) << (format.bits() - 1), top = (std::uint64_t{1} << format.exponent) - 1;
  const std::uint64_t mantissa = (std::uint64_t{1} << format.mantissa) - 1, r = random >> 8;
  switch (random % 8) {
    case 0:
      return sign | (r & 3);  // 0 and the smallest,
    case 1:
      return sign | ((mantissa - 1 + (r & 3)) & ((top << format.mantissa) | mantissa));  // around the smallest normal,
    case 2:
      return sign | (((top - 1 - r % 3) << format.mantissa) | ((r >> 8 & 1) != 0 ? mantissa : 0));  // and the largest.
    case 3:
      return sign | (r % (top + 1) << format.mantissa);  // Powers of two and infinity.
    case 4:
      return sign | (((top / 2) << format.mantissa) + r % 5 - 2);
    case 5:
      return sign | ((top / 2 - 2 + r % 5) << format.mantissa) | (r >> 8 & mantissa);
    default:
      return random & (format.bits() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << format.bits()) - 1);
  }
}

std::uint64_t scrambled(std::uint64_t x) {
  x = (x + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 29)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// The inputs of a row, followed by others that the goldens do not have.
std::vector<std::uint64_t> more_inputs(const Row& row, const Instruction& instruction) {
  std::vector<std::uint64_t> inputs;
  const std::string type = instruction.types.back();
  const std::optional<Format> format = format_of(scalar(type));
  for (std::size_t k = 0; k < kCases * row.inputs.size(); ++k) {
    const std::uint64_t random = scrambled(k + 1), other = scrambled(random);
    if (!format) {
      inputs.push_back(random >> (other % 64));
    } else {
      const std::uint64_t low = awkward(*format, random);
      inputs.push_back(type.ends_with("x2")
                           ? low | awkward(*format, other) << (format->bits() == 4 ? 4 : std::max(8, format->bits()))
                           : low);
    }
  }
  return inputs;
}

constexpr std::uint32_t kThreads = std::min<std::uint32_t>(kBlock, kCases);
static_assert(kCases % kThreads == 0);

std::vector<std::uint64_t> run_on(const Row& row, const std::vector<std::uint64_t>& inputs) {
  testing::Bench bench(module_text(row, row.body));
  bench.settings.threads = 1;
  const std::vector<std::uint64_t> zeros(kCases * row.outputs.size());
  const std::uint64_t in = bench.array(inputs), out = bench.array(zeros);
  const std::uint64_t scratch = bench.array(std::vector<std::uint8_t>(kCases * kScratchBytes));
  const LaunchResult result = bench.launch("row", {kCases / kThreads}, {kThreads}, {in, out, scratch});
  if (result.fault) throw std::runtime_error(result.fault.message);
  return bench.read<std::uint64_t>(out, zeros.size());
}

bool is_nan(const std::string& type, std::uint64_t bits) {
  const std::optional<Format> format = format_of(type);
  if (!format) return true;  // Conversions of NaN to integers are left to the goldens.
  const std::uint64_t magnitude = bits & ((std::uint64_t{1} << (format->bits() - 1)) - 1);
  const std::uint64_t infinity = ((std::uint64_t{1} << format->exponent) - 1) << format->mantissa;
  return format->saturates ? magnitude >= format->largest : magnitude > infinity;
}

/// The positions of elements in a packed register.
unsigned step_of(const std::string& type) {
  const int bits = format_of(scalar(type))->bits();
  return static_cast<unsigned>(bits);
}

/// What is wrong with one case; empty if nothing.
std::string wrong(const Row& row, const Instruction& instruction, const std::uint64_t* inputs, std::uint64_t got) {
  const std::string to = instruction.types.front(), from = instruction.types.back();
  const unsigned elements = to.ends_with("x2") ? 2 : 1;
  for (unsigned e = 0; e < elements; ++e) {
    std::vector<std::uint64_t> operands;
    if (from.ends_with("x2")) {
      for (std::size_t i = 0; i < row.inputs.size(); ++i)
        operands.push_back(inputs[i] >> (e * step_of(from)) & ((std::uint64_t{1} << step_of(from)) - 1));
    } else if (elements == 2) {
      operands.push_back(inputs[1 - e]);  // The first operand is the high element.
    } else {
      operands.assign(inputs, inputs + row.inputs.size());
    }
    const auto want = expected(instruction, operands);
    if (!want) return "no reference";
    const std::string single = scalar(to);
    const int bits = format_of(single) ? format_of(single)->bits() : std::stoi(single.substr(1));
    const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    const std::uint64_t part = (elements == 2 ? got >> (e * step_of(to)) : got) & mask;
    if (*want == kAnyNan ? is_nan(single, part) : part == *want) continue;
    std::ostringstream text;
    text << std::hex << "element " << e << ": inputs";
    for (const std::uint64_t operand : operands) text << " 0x" << operand;
    text << " give 0x" << part << ", and should give 0x" << *want;
    return text.str();
  }
  return {};
}

bool has_reference(const Row& row, const Instruction& instruction) {
  static const std::set<std::string> kOpcodes = {"add", "sub", "mul", "fma", "mad", "div", "rcp", "sqrt", "cvt"};
  if (kOpcodes.count(instruction.opcode) == 0 || instruction.types.empty() || row.approximate()) return false;
  if (instruction.has("approx") || instruction.has("full") || instruction.has("pack") || row.outputs.size() != 1)
    return false;
  if (row.body.rfind(row.instruction + " %o0", 0) != 0) return false;
  // Floating-point inputs or outputs whose types are all named by the instruction.
  if (!format_of(scalar(instruction.types.front())) && !format_of(scalar(instruction.types.back()))) return false;
  return instruction.types.size() == (instruction.opcode == "cvt" ? 2u : 1u) && !instruction.has("tf32") &&
         !instruction.has("rna");
}

}  // namespace

TEST_CASE("floating-point rows round like an arbitrary-precision library") {
  unsigned compared = 0;
  for (const char* family : {"floating", "convert"}) {
    for (const Row& row : read_rows(std::string(WB_ROWS) + "/" + family + ".rows")) {
      const Instruction instruction = take_apart(row.instruction);
      if (!has_reference(row, instruction)) continue;
      ++compared;
      for (const bool more : {false, true}) {
        const std::vector<std::uint64_t> inputs = more ? more_inputs(row, instruction) : inputs_of(row);
        const std::vector<std::uint64_t> results = run_on(row, inputs);
        std::string problem;
        for (std::size_t k = 0; k < results.size() && problem.empty(); ++k)
          problem = wrong(row, instruction, inputs.data() + k * row.inputs.size(), results[k]);
        INFO(family << ".rows:" << row.line << ": " << row.text << ": " << problem);
        CHECK(problem.empty());
      }
    }
  }
  INFO(compared << " rows have a reference");
  CHECK(compared > 250);
  mpfr_free_cache();
}
