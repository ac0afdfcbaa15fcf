// Reads test rows and generates their kernels.
#include "common/simulator/machine/operations/rows/rows.h"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace warpbook::simulator::rows {
namespace {

struct KindInfo {
  std::string_view name;
  unsigned bytes;
  std::string_view load;  ///< Type of the load and store.
  std::string_view reg;   ///< Type of the register.
};

constexpr KindInfo kKinds[] = {
    {"pred", 4, "u32", "pred"}, {"u8", 1, "u8", "b32"},     {"u16", 2, "b16", "b16"},      {"u32", 4, "b32", "b32"},
    {"u64", 8, "b64", "b64"},   {"shift", 4, "b32", "b32"}, {"selector", 4, "b32", "b32"}, {"f16", 2, "b16", "b16"},
    {"bf16", 2, "b16", "b16"},  {"f16x2", 4, "b32", "b32"}, {"bf16x2", 4, "b32", "b32"},   {"f32", 4, "b32", "f32"},
    {"f32x2", 8, "b64", "b64"}, {"f64", 8, "b64", "f64"},   {"angle", 4, "b32", "f32"},
};

const KindInfo& info(Kind kind) { return kKinds[static_cast<unsigned>(kind)]; }

std::string trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

/// Splits at the first @p mark outside braces; the second half is empty if there is none.
std::pair<std::string, std::string> split(const std::string& text, std::string_view mark) {
  int depth = 0;
  for (std::size_t i = 0; i + mark.size() <= text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}') --depth;
    if (depth == 0 && text.compare(i, mark.size(), mark) == 0)
      return {trim(text.substr(0, i)), trim(text.substr(i + mark.size()))};
  }
  return {trim(text), {}};
}

std::vector<Kind> read_kinds(const std::string& text) {
  std::vector<Kind> kinds;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    bool found = false;
    for (unsigned k = 0; k < std::size(kKinds) && !found; ++k)
      if (kKinds[k].name == word) kinds.push_back(static_cast<Kind>(k)), found = true;
    if (!found) throw std::runtime_error("'" + word + "' is no value kind");
  }
  return kinds;
}

std::string unbrace(const std::string& text) {
  if (text.size() < 2 || text.front() != '{' || text.back() != '}')
    throw std::runtime_error("expected '{ statements }', found '" + text + "'");
  return trim(text.substr(1, text.size() - 2));
}

double read_bound(const std::string& text) {
  if (text.rfind("2^", 0) == 0) return std::exp2(std::stod(text.substr(2)));
  return std::stod(text);
}

Row read_row(const std::string& line) {
  Row row;
  row.text = trim(line);
  std::string rest = row.text;
  while (rest.front() == '@') {
    const std::size_t space = rest.find(' ');
    const std::string word = rest.substr(1, space - 1);
    if (word == "cluster")
      row.in_cluster = true;
    else
      row.target = word;
    rest = trim(rest.substr(space));
  }
  auto [before_equal, equivalent] = split(rest, "==");
  if (!equivalent.empty()) row.equivalent = unbrace(equivalent);
  auto [before_bound, bound] = split(before_equal, "~");
  if (!bound.empty()) {
    std::istringstream words(bound);
    for (std::string word; words >> word;) {
      const bool absolute = word == "abs";
      if (absolute && !(words >> word)) throw std::runtime_error("no bound after 'abs'");
      (absolute ? row.absolute : row.relative) = read_bound(word);
    }
  }
  auto [instruction, signature_and_body] = split(before_bound, " :");
  auto [signature, body] = split(signature_and_body, ":");
  row.instruction = instruction;
  auto [outputs, inputs] = split(signature, "=");
  row.outputs = read_kinds(outputs);
  row.inputs = read_kinds(inputs);
  if (row.outputs.empty()) throw std::runtime_error("no outputs: write 'instruction : outputs = inputs'");
  if (body.empty()) {
    for (std::size_t k = 0; k < row.outputs.size(); ++k) body += (k ? ", %o" : "%o") + std::to_string(k);
    for (std::size_t k = 0; k < row.inputs.size(); ++k) body += ", %i" + std::to_string(k);
    row.body = instruction + " " + body + ";";
  } else if (body.front() == '{' && body.back() == '}' && body.find(';') != std::string::npos) {
    row.body = unbrace(body);
  } else {
    row.body = instruction + " " + body + ";";
  }
  return row;
}

/// The function that rows of `call` call.
constexpr std::string_view kIncrement =
    ".func (.param .b32 result) increment(.param .b32 value)\n{\n.reg .b32 %r;\nld.param.b32 %r, [value];\n"
    "add.u32 %r, %r, 1;\nst.param.b32 [result], %r;\nret;\n}\n";

std::string prologue(const Row& row, std::string_view body) {
  std::ostringstream out;
  out << ".version 8.8\n.target " << row.target << "\n.address_size 64\n"
      << (body.find("increment") != std::string_view::npos ? kIncrement : std::string_view())
      << ".visible .entry row(.param .u64 inputs, .param .u64 outputs, .param .u64 scratch)\n"
      << (row.in_cluster ? ".explicitcluster\n.reqnctapercluster 1, 1, 1\n{\n" : "{\n")
      << ".shared .align 16 .b8 shared_scratch[" << kBlock * kScratchBytes << "];\n"
      << ".local .align 16 .b8 local_scratch[" << kScratchBytes << "];\n"
      << ".reg .b16 %h<8>;\n.reg .b32 %t<8>, %x<4>, %shared, %local, %zero;\n"
      << ".reg .b64 %u<8>, %y<4>, %global, %generic;\n.reg .pred %p<4>, %q;\n";
  for (std::size_t k = 0; k < row.outputs.size(); ++k)
    out << ".reg ." << info(row.outputs[k]).reg << " %o" << k << ";\n";
  for (std::size_t k = 0; k < row.inputs.size(); ++k) out << ".reg ." << info(row.inputs[k]).reg << " %i" << k << ";\n";
  out << "mov.u32 %x0, %tid.x;\nmov.u32 %x1, %ctaid.x;\nmad.lo.u32 %x1, %x1, " << kBlock << ", %x0;\n"
      << "mov.u32 %zero, 0;\nld.param.u64 %global, [scratch];\nmad.wide.u32 %global, %x1, " << kScratchBytes
      << ", %global;\nmov.u64 %generic, %global;\n"
      << "mov.u32 %shared, shared_scratch;\nmad.lo.u32 %shared, %x0, " << kScratchBytes << ", %shared;\n"
      << "mov.u32 %local, local_scratch;\n"
      << "ld.param.u64 %y0, [inputs];\nmad.wide.u32 %y0, %x1, " << 8 * row.inputs.size() << ", %y0;\n"
      << "ld.param.u64 %y1, [outputs];\nmad.wide.u32 %y1, %x1, " << 8 * row.outputs.size() << ", %y1;\n";
  for (std::size_t k = 0; k < row.inputs.size(); ++k) {
    if (row.inputs[k] == Kind::pred)
      out << "ld.global.u32 %x2, [%y0+" << 8 * k << "];\nsetp.ne.u32 %i" << k << ", %x2, 0;\n";
    else
      out << "ld.global." << info(row.inputs[k]).load << " %i" << k << ", [%y0+" << 8 * k << "];\n";
  }
  return out.str();
}

std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

constexpr std::uint32_t k32[32] = {0,          1,          2,          3,          5,          7,          0xffffffff,
                                   0xfffffffe, 0xfffffffd, 0x7fffffff, 0x80000000, 0x80000001, 0x7ffffffe, 0xffff,
                                   0x10000,    0x8000,     0x7fff,     0xff,       0x80,       0x7f,       0x100,
                                   0x12345678, 0xdeadbeef, 0xaaaaaaaa, 0x55555555, 10,         0xfffffff6, 1000,
                                   0xff00ff00, 0x00ff00ff, 0x01020304, 0xfedcba98};
constexpr std::uint64_t k64[32] = {0,
                                   1,
                                   2,
                                   3,
                                   7,
                                   10,
                                   ~0ull,
                                   ~1ull,
                                   ~2ull,
                                   0x7fffffffffffffff,
                                   0x8000000000000000,
                                   0x8000000000000001,
                                   0x7ffffffffffffffe,
                                   0xffffffff,
                                   0x100000000,
                                   0x80000000,
                                   0x7fffffff,
                                   0xffffffff80000000,
                                   0xffffffff7fffffff,
                                   0x123456789abcdef0,
                                   0xfedcba9876543210,
                                   0xaaaaaaaaaaaaaaaa,
                                   0x5555555555555555,
                                   0xffff,
                                   0x20000000000001,
                                   0x1fffffffffffff,
                                   0x1000001,
                                   0x3ffffff8000001,
                                   0xff00ff00ff00ff00,
                                   1000000007,
                                   0xfffffffffffffff6,
                                   0x8000000080000000};
constexpr std::uint32_t kShift[32] = {0,  1,  2,  3,  4,  5,  7,  8,  12, 15, 16, 17, 20,  23,  24,         28,
                                      30, 31, 32, 33, 34, 40, 47, 48, 62, 63, 64, 65, 255, 256, 0x80000000, 0xffffffff};
constexpr std::uint32_t kSelector[32] = {0x3210, 0x0123, 0x7654, 0x4567,     0x5410,     0x7632, 0x6420, 0x7531,
                                         0x0000, 0x1111, 0x2222, 0x3333,     0x4444,     0x5555, 0x6666, 0x7777,
                                         0x8888, 0xba98, 0xfedc, 0xffff,     0x9999,     0x0f0f, 0x8765, 0x1032,
                                         1,      2,      3,      0xfffffff0, 0xdeadbeef, 0x4321, 0x1004, 0xc840};
constexpr std::uint32_t kF32[32] = {0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0x3fc00000, 0x40200000,
                                    0xc0200000, 0x40490fdb, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc12345,
                                    0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff, 0xff7fffff, 0x4f000000, 0x4f800000,
                                    0xcf000000, 0x4effffff, 0x3eaaaaab, 0x477fefff, 0x3f800001, 0x34000000, 0x3effffff,
                                    0x437f8000, 0xc3008000, 0x33800000, 0x5f000000};
constexpr std::uint64_t kF64[32] = {0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000,
                                    0x3fe0000000000000, 0x3ff8000000000000, 0x4004000000000000, 0xc004000000000000,
                                    0x400921fb54442d18, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000,
                                    0x7ff0000000000001, 0xfff8123456789abc, 0x0000000000000001, 0x800fffffffffffff,
                                    0x0010000000000000, 0x7fefffffffffffff, 0xffefffffffffffff, 0x41e0000000000000,
                                    0x41f0000000000000, 0xc1e0000000000000, 0x43e0000000000000, 0x3fd5555555555555,
                                    0x47efffffefffffff, 0x3ff0000000000001, 0x36a0000000000000, 0x3fdfffffffffffff,
                                    0x406ff00000000000, 0x380fffffe0000000, 0x40effdffffffffff, 0x3810000000000000};
constexpr std::uint32_t kF16[32] = {0x0000, 0x8000, 0x3c00, 0xbc00, 0x3800, 0x3e00, 0x4100, 0xc100,
                                    0x4248, 0x7c00, 0xfc00, 0x7e00, 0x7c01, 0xfe55, 0x0001, 0x83ff,
                                    0x0400, 0x7bff, 0xfbff, 0x7800, 0x3555, 0x3c01, 0x1400, 0x37ff,
                                    0x5bfc, 0xd808, 0x1000, 0x03ff, 0x8400, 0x2e66, 0x4900, 0x6400};
constexpr std::uint32_t kBf16[32] = {0x0000, 0x8000, 0x3f80, 0xbf80, 0x3f00, 0x3fc0, 0x4020, 0xc020,
                                     0x4049, 0x7f80, 0xff80, 0x7fc0, 0x7f81, 0xffc5, 0x0001, 0x807f,
                                     0x0080, 0x7f7f, 0xff7f, 0x4f00, 0x3eab, 0x3f81, 0x3c00, 0x3eff,
                                     0x437f, 0xc301, 0x3380, 0x007f, 0x8080, 0x3dcd, 0x4120, 0x5f00};

constexpr std::uint32_t kAngle[32] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0x3fc00000, 0x40200000, 0xc0200000,
    0x40490fdb, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc12345, 0x00000001, 0x807fffff,
    0x00800000, 0x3fc90fdb, 0xbfc90fdb, 0x40c90fdb, 0xc0c90fdb, 0x4096cbe4, 0x3f490fdb, 0x3eaaaaab,
    0x40860a92, 0x3f800001, 0x34000000, 0x3effffff, 0x40e00000, 0xc1000000, 0x33800000, 0x41480000};

std::uint64_t from_table(Kind kind, unsigned k) {
  switch (kind) {
    case Kind::pred:
      return k & 1;
    case Kind::u8:
      return k32[k] & 0xff;
    case Kind::u16:
      return k32[k] & 0xffff;
    case Kind::u32:
      return k32[k];
    case Kind::u64:
      return k64[k];
    case Kind::shift:
      return kShift[k];
    case Kind::selector:
      return kSelector[k];
    case Kind::f16:
      return kF16[k];
    case Kind::bf16:
      return kBf16[k];
    case Kind::f16x2:
      return kF16[k] | kF16[(k * 7 + 3) % 32] << 16;
    case Kind::bf16x2:
      return kBf16[k] | kBf16[(k * 7 + 3) % 32] << 16;
    case Kind::f32:
      return kF32[k];
    case Kind::angle:
      return kAngle[k];
    case Kind::f32x2:
      return kF32[k] | static_cast<std::uint64_t>(kF32[(k * 7 + 3) % 32]) << 32;
    case Kind::f64:
      return kF64[k];
  }
  return 0;
}

/// A random number of moderate size, so that not all sums and products are infinite or zero.
std::uint64_t moderate(std::uint64_t r, unsigned bits, unsigned mantissa, unsigned spread) {
  const unsigned exponent_bits = bits - 1 - mantissa;
  const std::uint64_t bias = (1ull << (exponent_bits - 1)) - 1;
  const std::uint64_t exponent = bias - spread + (r >> 40) % (2 * spread + 1);
  return ((r >> 63) << (bits - 1)) | exponent << mantissa | (mix(r) & ((1ull << mantissa) - 1));
}

std::uint64_t random_value(Kind kind, std::uint64_t seed) {
  const std::uint64_t r = mix(seed), s = mix(r ^ 0x5bd1e995);
  const bool raw = s % 4 == 0;
  switch (kind) {
    case Kind::pred:
      return r & 1;
    case Kind::u8:
      return r & 0xff;
    case Kind::u16:
      return r & 0xffff;
    case Kind::u32:
      return (r & 0xffffffff) >> (raw ? 0 : s % 31);
    case Kind::u64:
      return r >> (raw ? 0 : s % 63);
    case Kind::shift:
      return r % 70;
    case Kind::selector:
      return r & 0xffff;
    case Kind::f16:
      return raw ? r & 0xffff : moderate(r, 16, 10, 4);
    case Kind::bf16:
      return raw ? r & 0xffff : moderate(r, 16, 7, 6);
    case Kind::f16x2:
      return random_value(Kind::f16, r) | random_value(Kind::f16, s) << 16;
    case Kind::bf16x2:
      return random_value(Kind::bf16, r) | random_value(Kind::bf16, s) << 16;
    case Kind::f32:
      return raw ? r & 0xffffffff : moderate(r, 32, 23, s % 8 ? 7 : 40);
    case Kind::angle:
      return moderate(r, 32, 23, 2);
    case Kind::f32x2:
      return random_value(Kind::f32, r) | random_value(Kind::f32, s) << 32;
    case Kind::f64:
      return raw ? r : moderate(r, 64, 52, s % 8 ? 7 : 200);
  }
  return 0;
}

/// A slot's value; for kinds without one NaN, which never compares equal.
double number(Kind kind, std::uint64_t bits) {
  switch (kind) {
    case Kind::f32:
      return __builtin_bit_cast(float, static_cast<std::uint32_t>(bits));
    case Kind::f64:
      return __builtin_bit_cast(double, bits);
    case Kind::bf16:
      return __builtin_bit_cast(float, static_cast<std::uint32_t>(bits) << 16);
    case Kind::f16: {
      const int exponent = static_cast<int>(bits >> 10) & 31, mantissa = static_cast<int>(bits & 1023);
      if (exponent == 31) return mantissa ? NAN : (bits & 0x8000) ? -INFINITY : INFINITY;
      const double magnitude = exponent ? std::ldexp(1024 + mantissa, exponent - 25) : std::ldexp(mantissa, -24);
      return (bits & 0x8000) ? -magnitude : magnitude;
    }
    default:
      return NAN;
  }
}

std::uint64_t result_mask(Kind kind) { return bytes_of(kind) == 8 ? ~0ull : (1ull << (8 * bytes_of(kind))) - 1; }

}  // namespace

unsigned bytes_of(Kind kind) { return info(kind).bytes; }

std::vector<Row> read_rows(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<Row> result;
  unsigned number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    line = trim(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    try {
      result.push_back(read_row(line));
      result.back().line = number;
    } catch (const std::exception& error) {
      throw std::runtime_error(path + ":" + std::to_string(number) + ": " + error.what() + " in '" + line + "'");
    }
  }
  return result;
}

std::string module_text(const Row& row, std::string_view body) {
  std::ostringstream out;
  out << prologue(row, body) << body << "\n";
  for (std::size_t k = 0; k < row.outputs.size(); ++k) {
    if (row.outputs[k] == Kind::pred)
      out << "selp.u32 %x2, 1, 0, %o" << k << ";\nst.global.u32 [%y1+" << 8 * k << "], %x2;\n";
    else
      out << "st.global." << info(row.outputs[k]).load << " [%y1+" << 8 * k << "], %o" << k << ";\n";
  }
  out << "ret;\n}\n";
  return out.str();
}

BodyLines body_lines(const Row& row, std::string_view body) {
  const std::string before = prologue(row, body);
  unsigned first = 1, last;
  for (char c : before) first += c == '\n';
  last = first;
  for (char c : body) last += c == '\n';
  return {first, last};
}

std::vector<std::uint64_t> inputs_of(const Row& row) {
  std::vector<std::uint64_t> slots;
  for (unsigned c = 0; c < kCases; ++c) {
    const unsigned lane = c % 32, warp = c / 32;
    for (unsigned k = 0; k < row.inputs.size(); ++k) {
      const Kind kind = row.inputs[k];
      const std::uint64_t seed = (c * 8u + k) * 0x100000001b3u + 12345;
      // With one input the table is used up after one warp, with two inputs after 32.
      const bool table = c < kTableCases && (warp == 0 || row.inputs.size() > 1);
      if (!table)
        slots.push_back(random_value(kind, seed));
      else if (k == 0)
        slots.push_back(from_table(kind, lane));
      else if (k == 1)
        slots.push_back(from_table(kind, (lane * 5 + warp + 3) % 32));
      else
        slots.push_back(from_table(kind, mix(seed) % 32));
    }
  }
  return slots;
}

Golden summarise(const Row& row, const std::vector<std::uint64_t>& results) {
  const std::size_t width = row.outputs.size();
  Golden golden;
  const unsigned shown = row.approximate() ? kShownApproximate : kShown;
  // Approximations show the table's cases and random ones.
  for (unsigned k = 0; k < shown * width; ++k) golden.shown.push_back(results[k] & result_mask(row.outputs[k % width]));
  const std::size_t group = kCases / kGroups * width;
  for (unsigned g = 0; g < kGroups; ++g) {
    std::uint32_t hash = 2166136261u;
    for (std::size_t k = g * group; k < (g + 1) * group; ++k) {
      const std::uint64_t value = results[k] & result_mask(row.outputs[k % width]);
      for (unsigned byte = 0; byte < 8; ++byte) hash = (hash ^ ((value >> (8 * byte)) & 0xff)) * 16777619u;
    }
    golden.hashes.push_back(hash);
  }
  return golden;
}

std::string golden_line(const Row& row, const Golden& golden) {
  std::ostringstream out;
  out << row.text << " |" << std::hex;
  for (std::uint64_t value : golden.shown) out << ' ' << value;
  out << " |";
  if (!row.approximate())
    for (std::uint32_t hash : golden.hashes) out << ' ' << hash;
  return out.str();
}

std::vector<std::pair<std::string, Golden>> read_goldens(const std::string& path) {
  std::vector<std::pair<std::string, Golden>> result;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t second = line.rfind(" |"), first = line.rfind(" |", second - 1);
    if (second == std::string::npos || first == std::string::npos) continue;
    Golden golden;
    std::istringstream shown(line.substr(first + 2, second - first - 2)), hashes(line.substr(second + 2));
    for (std::uint64_t value; shown >> std::hex >> value;) golden.shown.push_back(value);
    for (std::uint32_t value; hashes >> std::hex >> value;) golden.hashes.push_back(value);
    result.emplace_back(line.substr(0, first), golden);
  }
  return result;
}

bool agrees(const Row& row, Kind kind, std::uint64_t got, std::uint64_t expected) {
  got &= result_mask(kind);
  expected &= result_mask(kind);
  if (got == expected) return true;
  if (!row.approximate()) return false;
  if (kind == Kind::f16x2 || kind == Kind::bf16x2) {
    const Kind half = kind == Kind::f16x2 ? Kind::f16 : Kind::bf16;
    return agrees(row, half, got & 0xffff, expected & 0xffff) && agrees(row, half, got >> 16, expected >> 16);
  }
  const double x = number(kind, got), y = number(kind, expected), difference = std::fabs(x - y);
  return difference <= row.absolute || difference <= row.relative * std::fabs(y);
}

std::string show(Kind kind, std::uint64_t slot) {
  char text[96];
  slot &= result_mask(kind);
  if (kind == Kind::f32) {
    const auto bits = static_cast<std::uint32_t>(slot);
    std::snprintf(text, sizeof text, "0x%08x (%.9g)", bits, static_cast<double>(__builtin_bit_cast(float, bits)));
  } else if (kind == Kind::f64) {
    std::snprintf(text, sizeof text, "0x%016llx (%.17g)", static_cast<unsigned long long>(slot),
                  __builtin_bit_cast(double, slot));
  } else {
    std::snprintf(text, sizeof text, "0x%0*llx", static_cast<int>(2 * bytes_of(kind)),
                  static_cast<unsigned long long>(slot));
  }
  return text;
}

}  // namespace warpbook::simulator::rows
