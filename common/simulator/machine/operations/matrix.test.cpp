// Matrix products: each form of mma and wmma against a reference written from the manual's layouts and from the
// documented accumulation rule (matrix_floating.h), and ldmatrix, stmatrix and movmatrix against theirs.
//
//
// tensor_probe shows that the rule matches an H200; these tests show that the virtual GPU follows the rule.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <random>

#include "common/simulator/machine/operations/matrix_forms.h"
#include "common/simulator/machine/operations/matrix_reference.h"
#include "common/simulator/machine/testing.h"
#include "common/simulator/ptx/fragments.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;
using ptx::Type;
using testing::Bench;

namespace {

using Words = std::vector<std::uint32_t>;

/// Elements of the interesting kinds: near 1, of all magnitudes, powers of two, sparse, tiny, huge, special, any bits.
std::uint64_t element(Type type, unsigned mode, std::mt19937_64& random) {
  const unsigned bits = ptx::element_bits(type);
  const std::uint64_t any = random();
  const std::uint64_t all = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  int exponent_bits = 0, mantissa_bits = 0, low = 0;
  switch (type) {
    case Type::f16:
      exponent_bits = 5, mantissa_bits = 10;
      break;
    case Type::bf16:
      exponent_bits = 8, mantissa_bits = 7;
      break;
    case Type::tf32:
      exponent_bits = 8, mantissa_bits = 10, low = 13;
      break;
    case Type::f32:
      exponent_bits = 8, mantissa_bits = 23;
      break;
    case Type::f64:
      exponent_bits = 11, mantissa_bits = 52;
      break;
    case Type::e4m3:
      exponent_bits = 4, mantissa_bits = 3;
      break;
    case Type::e5m2:
      exponent_bits = 5, mantissa_bits = 2;
      break;
    case Type::s32:
      if (mode == 7) return 0x7fffffff - any % 2048;
      if (mode == 6) return 0x80000000u + any % 2048;
      return mode == 0 ? any & all : static_cast<std::uint32_t>(static_cast<std::int32_t>(any) >> 14);
    default:
      return mode >= 6 ? (all >> (mode & 1)) & all : any & all;
  }
  const std::uint64_t top = (std::uint64_t{1} << exponent_bits) - 1, bias = top / 2;
  std::uint64_t mantissa = any & ((std::uint64_t{1} << mantissa_bits) - 1), exponent = bias;
  const std::uint64_t chance = random();
  const std::uint64_t spread = std::min<std::uint64_t>(bias - 2, 14);
  switch (mode) {
    case 0:
      exponent = bias + chance % 5 - 2;
      break;
    case 1:
      exponent = bias + chance % (2 * spread + 1) - spread;
      break;
    case 2:
      exponent = bias + chance % (2 * spread + 1) - spread;
      mantissa = 0;
      break;
    case 3:
      if (chance % 4 != 0) return 0;
      exponent = bias + (chance >> 8) % (2 * spread + 1) - spread;
      break;
    case 4:
      exponent = chance % 3;
      break;
    case 5:
      exponent = top - 1 - chance % 3;
      break;
    case 6:
      if (chance % 24 == 0) exponent = top, mantissa = 0;
      if (chance % 24 == 1) exponent = top;
      if (chance % 24 == 2) exponent = 0, mantissa = 0;
      break;
    default:
      return (any & all) | (low != 0 ? any & 0x1fff : 0);
  }
  const std::uint64_t sign = (chance >> 63) << (exponent_bits + mantissa_bits);
  return (sign | exponent << mantissa_bits | mantissa) << low | (low != 0 ? (chance >> 20) & 0x1fff : 0);
}

constexpr unsigned kModes = 8, kCases = 64;

/// One product: raw elements, row by row.
struct Product {
  std::vector<std::uint64_t> a, b, c;
};

Product random_product(const MatrixForm& form, unsigned number, std::mt19937_64& random) {
  const auto [m, n, k] = form.shape;
  const unsigned mode = number % kModes, c_mode = number / kModes % kModes;
  Product product;
  for (unsigned i = 0; i < m * k; ++i) product.a.push_back(element(form.a, mode, random));
  for (unsigned i = 0; i < k * n; ++i) product.b.push_back(element(form.b, mode, random));
  for (unsigned i = 0; i < m * n; ++i) product.c.push_back(number % 16 == 15 ? 0 : element(form.c, c_mode, random));
  return product;
}

std::uint64_t expected(const MatrixForm& form, const Product& product, unsigned row, unsigned column) {
  const auto [m, n, k] = form.shape;
  std::vector<std::uint64_t> a, b;
  for (unsigned i = 0; i < k; ++i) {
    a.push_back(product.a[row * k + i]);
    b.push_back(product.b[i * n + column]);
  }
  return matrix_element(form, a, b, product.c[row * n + column]);
}

/// The manual's position of element @p i of lane @p lane in A, B, and C or D.
struct Place {
  unsigned row, column;
};
Place place_in_a(const MatrixForm& form, unsigned lane, unsigned i) {
  const unsigned g = lane >> 2, t = lane % 4;
  // Elements that are adjacent in a register; those of f64 are apart.
  const unsigned e = std::max(1u, 32 / ptx::element_bits(form.a));
  if (form.shape.m == 8) return {g, t * e + i};
  const bool lower = i / e % 2 != 0;
  return {lower ? g + 8 : g, t * e + i % e + (i >= 2 * e ? i / (2 * e) * 4 * e : 0)};
}
Place place_in_b(const MatrixForm& form, unsigned lane, unsigned i) {
  const unsigned g = lane >> 2, t = lane % 4, e = std::max(1u, 32 / ptx::element_bits(form.a));
  return {t * e + i % e + i / e * 4 * e, g};
}
Place place_in_c(const MatrixForm&, unsigned lane, unsigned i) {
  return {(lane >> 2) + (i >= 2 ? 8 : 0), lane % 4 * 2 + (i & 1)};
}

/// "{%a0, %a1}"
std::string list(const std::string& name, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i) text += (i ? ", %" : "%") + name + std::to_string(i);
  return text + "}";
}

std::string module_of(const std::string& body, const std::string& registers) {
  return ".version 9.0\n.target sm_90a\n.address_size 64\n"
         ".visible .entry k(.param .u64 p0, .param .u64 p1)\n{\n"
         ".reg .b32 %r<8>; .reg .b64 %rd<8>;\n.shared .align 128 .b8 tile[16384];\n" +
         registers + "ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;\n" +
         body + "ret;\n}\n";
}

/// The number of 32-bit registers per lane for an operand of the type.
unsigned words_of(Type type, unsigned elements) { return elements * ptx::element_bits(type) / 32 / 32; }

void put(Words& words, std::size_t first, unsigned bits, unsigned i, std::uint64_t value) {
  if (bits == 64) {
    words[first + 2 * i] = static_cast<std::uint32_t>(value);
    words[first + 2 * i + 1] = static_cast<std::uint32_t>(value >> 32);
  } else {
    words[first + i * bits / 32] |= static_cast<std::uint32_t>(value) << (i * bits % 32);
  }
}
std::uint64_t get(const Words& words, std::size_t first, unsigned bits, unsigned i) {
  if (bits == 64) return words[first + 2 * i] | std::uint64_t{words[first + 2 * i + 1]} << 32;
  const std::uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
  return words[first + i * bits / 32] >> (i * bits % 32) & mask;
}

/// Types of the registers of factors, if they are not .b32 (.b64 for .f64).
struct Registers {
  std::string a, b;
};

/// mma: each lane loads its registers, and stores those of D.
std::string mma_kernel(const MatrixForm& form, unsigned a, unsigned b, unsigned c, const Registers& factors) {
  const bool wide = form.a == Type::f64;
  const unsigned width = wide ? 2 : 1;
  const std::string type = wide ? "b64" : "b32", step = wide ? "8" : "4";
  std::string registers, body;
  const auto declare = [&](const std::string& declared, const std::string& name, unsigned count) {
    registers +=
        ".reg ." + (declared.empty() ? type : declared) + " %" + name + "<" + std::to_string(count / width) + ">;\n";
  };
  declare(factors.a, "a", a), declare(factors.b, "b", b), declare({}, "c", c), declare({}, "d", c);
  body += "mad.lo.u32 %r3, %r2, 32, %r1;\nmad.wide.u32 %rd3, %r3, " + std::to_string(4 * (a + b + c)) +
          ", %rd1;\nmad.wide.u32 %rd4, %r3, " + std::to_string(4 * c) + ", %rd2;\n";
  unsigned at = 0;
  for (const auto& [name, count] : {std::pair{"a", a}, std::pair{"b", b}, std::pair{"c", c}})
    for (unsigned i = 0; i < count / width; ++i, at += 4 * width)
      body += "ld.global." + type + " %" + name + std::to_string(i) + ", [%rd3+" + std::to_string(at) + "];\n";
  body += form.instruction + " " + list("d", c / width) + ", " + list("a", a / width) + ", " + list("b", b / width) +
          ", " + list("c", c / width) + ";\n";
  for (unsigned i = 0; i < c / width; ++i)
    body += "st.global." + type + " [%rd4+" + std::to_string(4 * width * i) + "], %d" + std::to_string(i) + ";\n";
  return module_of(body, registers);
}

/// What is wrong, or an empty text.
std::string check_mma(const MatrixForm& form, const Registers& factors = {}) {
  const auto [m, n, k] = form.shape;
  const unsigned a = words_of(form.a, m * k), b = words_of(form.b, k * n), c = words_of(form.c, m * n);
  const unsigned a_bits = ptx::element_bits(form.a), c_bits = ptx::element_bits(form.c);
  std::mt19937_64 random(7);
  std::vector<Product> products;
  Words in(std::size_t{kCases} * 32 * (a + b + c));
  for (unsigned number = 0; number < kCases; ++number) {
    const Product& product = products.emplace_back(random_product(form, number, random));
    for (unsigned lane = 0; lane < 32; ++lane) {
      const std::size_t first = (std::size_t{number} * 32 + lane) * (a + b + c);
      for (unsigned i = 0; i < m * k / 32; ++i) {
        const Place place = place_in_a(form, lane, i);
        put(in, first, a_bits, i, product.a[place.row * k + place.column]);
      }
      for (unsigned i = 0; i < k * n / 32; ++i) {
        const Place place = place_in_b(form, lane, i);
        put(in, first + a, a_bits, i, product.b[place.row * n + place.column]);
      }
      for (unsigned i = 0; i < m * n / 32; ++i) {
        const Place place = place_in_c(form, lane, i);
        put(in, first + a + b, c_bits, i, product.c[place.row * n + place.column]);
      }
    }
  }
  Bench bench(mma_kernel(form, a, b, c, factors));
  const std::uint64_t p0 = bench.array(in), p1 = bench.array(Words(std::size_t{kCases} * 32 * c, 0xeeeeeeee));
  const LaunchResult result = bench.launch("k", {kCases}, {32}, {p0, p1});
  if (result.fault) return "fault: " + result.fault.message;
  const Words out = bench.read<std::uint32_t>(p1, std::size_t{kCases} * 32 * c);
  for (unsigned number = 0; number < kCases; ++number)
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned i = 0; i < m * n / 32; ++i) {
        const Place place = place_in_c(form, lane, i);
        const std::uint64_t got = get(out, (std::size_t{number} * 32 + lane) * c, c_bits, i);
        const std::uint64_t wanted = expected(form, products[number], place.row, place.column);
        if (got == wanted) continue;
        char text[200];
        std::snprintf(text, sizeof text, "case %u, row %u, column %u: %#llx, expected %#llx", number, place.row,
                      place.column, static_cast<unsigned long long>(got), static_cast<unsigned long long>(wanted));
        return text;
      }
  return {};
}

}  // namespace

TEST_CASE("every form of mma follows its documented rule, in the manual's fragments") {
  for (const MatrixForm& form : mma_forms()) {
    INFO(form.instruction);
    const std::string problem = check_mma(form);
    INFO(problem);
    CHECK(problem.empty());
  }
}

TEST_CASE("factors of mma in registers of .f32 are the bits of their elements, where ptxas takes them") {
  for (const MatrixForm& form : mma_forms()) {
    if (ptx::element_bits(form.a) > 8) continue;  // Those of .f16, .bf16 and .tf32 are refused (judged_forms.txt).
    for (const Registers& factors : {Registers{"f32", ""}, Registers{"", "f32"}, Registers{"f32", "f32"}}) {
      INFO(form.instruction << ", A in ." << factors.a << ", B in ." << factors.b);
      const std::string problem = check_mma(form, factors);
      INFO(problem);
      CHECK(problem.empty());
    }
  }
}

namespace {

/// A matrix in memory: rows (or columns) of `stride` elements.
struct Stored {
  unsigned rows, columns, bits, stride;
  bool column_major;
  unsigned bytes() const { return (column_major ? columns : rows) * stride * bits / 8; }
  std::size_t bit(unsigned row, unsigned column) const {
    return std::size_t{column_major ? column * stride + row : row * stride + column} * bits;
  }
};

/// The row stride is 16 bytes larger than a row.
Stored stored(Type type, unsigned rows, unsigned columns, bool column_major) {
  const unsigned bits = ptx::element_bits(type);
  return {rows, columns, bits, (column_major ? rows : columns) + std::max(1u, 128 / bits), column_major};
}

void store(std::vector<std::uint8_t>& bytes, std::size_t first, const Stored& s,
           const std::vector<std::uint64_t>& from) {
  for (unsigned row = 0; row < s.rows; ++row)
    for (unsigned column = 0; column < s.columns; ++column) {
      const std::size_t bit = s.bit(row, column);
      const std::uint64_t value = from[row * s.columns + column];
      if (s.bits < 8)
        bytes[first + bit / 8] |= static_cast<std::uint8_t>(value << (bit % 8));
      else
        std::memcpy(&bytes[first + bit / 8], &value, s.bits / 8);
    }
}

std::string layout_word(bool column_major) { return column_major ? ".col" : ".row"; }

/// One warp for each product: load, multiply, store. @p space ".global", ".shared" or "" (generic).
std::string wmma_kernel(const MatrixForm& form, const std::string& space, const Stored& a, const Stored& b,
                        const Stored& c) {
  const bool wide = form.a == Type::f64;
  const auto m = form.shape.m, n = form.shape.n, k = form.shape.k;
  const unsigned width = wide ? 64 : 32;
  const auto registers_of = [&](Type type, unsigned elements, bool factor) {
    return factor && type == Type::f16 ? 8 : elements * ptx::element_bits(type) / 32 / width;
  };
  const unsigned na = registers_of(form.a, m * k, true), nb = registers_of(form.b, k * n, true),
                 nc = registers_of(form.c, m * n, false);
  const std::string type = wide ? "b64" : "b32";
  std::string registers = ".reg .pred %p;\n", body;
  for (const auto& [name, count] : {std::pair{"a", na}, std::pair{"b", nb}, std::pair{"c", nc}})
    registers += ".reg ." + type + " %" + name + "<" + std::to_string(count) + ">;\n";
  const unsigned bytes = a.bytes() + b.bytes() + c.bytes();
  body += "mad.wide.u32 %rd3, %r2, " + std::to_string(bytes) + ", %rd1;\nmad.wide.u32 %rd4, %r2, " +
          std::to_string(c.bytes()) + ", %rd2;\n";
  std::string from = "%rd3", to = "%rd4";
  if (space == ".shared") {
    body +=
        "mov.u32 %r3, 0;\ncopy: add.u32 %r4, %r3, %r1; mul.wide.u32 %rd5, %r4, 4; add.u64 %rd5, %rd5, %rd3;\n"
        "mad.lo.u32 %r5, %r4, 4, 0; mov.u32 %r6, tile; add.u32 %r5, %r5, %r6;\n"
        "ld.global.b32 %r6, [%rd5]; st.shared.b32 [%r5], %r6; add.u32 %r3, %r3, 32;\n"
        "setp.lt.u32 %p, %r3, " +
        std::to_string(bytes / 4) + "; @%p bra copy;\nbar.warp.sync -1;\nmov.u32 %r3, tile;\n";
    from = "%r3";
  }
  const auto load = [&](const char* role, const char* name, unsigned count, const Stored& s, Type t, unsigned at) {
    body += std::string("mov.u32 %r7, ") + std::to_string(s.stride) + ";\nwmma.load." + role + ".sync.aligned" +
            layout_word(s.column_major) + ".m" + std::to_string(m) + "n" + std::to_string(n) + "k" + std::to_string(k) +
            space + "." + std::string(name_of(t)) + " " + list(name, count) + ", [" + from + "+" + std::to_string(at) +
            "], %r7;\n";
  };
  load("a", "a", na, a, form.a, 0);
  load("b", "b", nb, b, form.b, a.bytes());
  load("c", "c", nc, c, form.c, a.bytes() + b.bytes());
  body += form.instruction + " " + list("c", nc) + ", " + list("a", na) + ", " + list("b", nb) + ", " + list("c", nc) +
          ";\nwmma.store.d.sync.aligned" + layout_word(c.column_major) + ".m" + std::to_string(m) + "n" +
          std::to_string(n) + "k" + std::to_string(k) + (space.empty() ? "" : ".global") + "." +
          std::string(name_of(form.d)) + " [" + to + "], " + list("c", nc) + ", " + std::to_string(c.stride) + ";\n";
  return module_of(body, registers);
}

std::string check_wmma(const MatrixForm& form, const std::string& space) {
  constexpr unsigned kProducts = 16;
  const auto [m, n, k] = form.shape;
  const Stored a = stored(form.a, m, k, form.a_columns), b = stored(form.b, k, n, form.b_columns),
               c = stored(form.c, m, n, form.a_columns != form.b_columns);
  std::mt19937_64 random(11);
  std::vector<Product> products;
  std::vector<std::uint8_t> in(std::size_t{kProducts} * (a.bytes() + b.bytes() + c.bytes()) + 4096);
  for (unsigned number = 0; number < kProducts; ++number) {
    const Product& product = products.emplace_back(random_product(form, number * 5, random));
    const std::size_t first = std::size_t{number} * (a.bytes() + b.bytes() + c.bytes());
    store(in, first, a, product.a);
    store(in, first + a.bytes(), b, product.b);
    store(in, first + a.bytes() + b.bytes(), c, product.c);
  }
  Bench bench(wmma_kernel(form, space, a, b, c));
  const std::uint64_t p0 = bench.array(in),
                      p1 = bench.array(std::vector<std::uint8_t>(std::size_t{kProducts} * c.bytes()));
  const LaunchResult result = bench.launch("k", {kProducts}, {32}, {p0, p1});
  if (result.fault) return "fault: " + result.fault.message;
  const auto out = bench.read<std::uint8_t>(p1, std::size_t{kProducts} * c.bytes());
  for (unsigned number = 0; number < kProducts; ++number)
    for (unsigned row = 0; row < m; ++row)
      for (unsigned column = 0; column < n; ++column) {
        std::uint64_t got = 0;
        std::memcpy(&got, &out[number * c.bytes() + c.bit(row, column) / 8], c.bits / 8);
        const std::uint64_t wanted = expected(form, products[number], row, column);
        if (got == wanted) continue;
        char text[200];
        std::snprintf(text, sizeof text, "case %u, row %u, column %u: %#llx, expected %#llx", number, row, column,
                      static_cast<unsigned long long>(got), static_cast<unsigned long long>(wanted));
        return text;
      }
  return {};
}

}  // namespace

TEST_CASE("every form of wmma loads, multiplies and stores matrices of any layout in any memory space") {
  for (const MatrixForm& form : wmma_forms()) {
    for (const char* space : {".global", ".shared", ""}) {
      INFO(form.instruction << " from '" << space << "'");
      const std::string problem = check_wmma(form, space);
      INFO(problem);
      CHECK(problem.empty());
    }
  }
}

TEST_CASE("m8n8k4 multiplies four matrices of halves, each in two quads") {
  // PTX ISA 9.0, "Matrix Fragments for mma.m8n8k4 with .f16 floating point type".
  for (const bool a_columns : {false, true})
    for (const bool b_columns : {false, true})
      for (const unsigned kind : {0u, 1u, 2u}) {  // D and C: both halves, both singles, D single
        const bool d_half = kind == 0, c_half = kind != 1;
        const std::string instruction = "mma.sync.aligned.m8n8k4" + layout_word(a_columns) + layout_word(b_columns) +
                                        (d_half ? ".f16" : ".f32") + ".f16.f16" + (c_half ? ".f16" : ".f32");
        INFO(instruction);
        std::mt19937_64 random(3);
        // Small integers: their sums are exact in any order.
        int a[4][8][4], b[4][4][8], c[4][8][8];
        for (auto& matrix : a)
          for (auto& row : matrix)
            for (int& x : row) x = static_cast<int>(random() % 17) - 8;
        for (auto& matrix : b)
          for (auto& row : matrix)
            for (int& x : row) x = static_cast<int>(random() % 17) - 8;
        for (auto& matrix : c)
          for (auto& row : matrix)
            for (int& x : row) x = static_cast<int>(random() % 401) - 200;
        const auto half = [](int x) { return rounded_sum(x, 0, true); };
        const auto single = [](int x) { return rounded_sum(x, 0, false); };
        const unsigned nc = c_half ? 4 : 8, nd = d_half ? 4 : 8;
        Words in(std::size_t{32} * (4 + nc));
        const auto place_of_c = [](unsigned lane, unsigned i, bool is_half) -> Place {
          if (is_half) return {lane % 4 + (lane < 16 ? 0 : 4), i};
          return {(lane & 1) + (i & 2) + (lane < 16 ? 0 : 4), (i & 4) + (lane & 2) + (i & 1)};
        };
        for (unsigned lane = 0; lane < 32; ++lane) {
          const unsigned quads = lane % 16 / 4, first = lane * (4 + nc);
          for (unsigned i = 0; i < 4; ++i) {
            const unsigned own = lane % 4, far = lane < 16 ? 0 : 4;
            put(in, first, 16, i, half(a_columns ? a[quads][i + far][own] : a[quads][own + far][i]));
            put(in, first + 2, 16, i, half(b_columns ? b[quads][i][own + far] : b[quads][own][i + far]));
          }
          for (unsigned i = 0; i < 8; ++i) {
            const Place place = place_of_c(lane, i, c_half);
            const int x = c[quads][place.row][place.column];
            put(in, first + 4, c_half ? 16 : 32, i, c_half ? half(x) : single(x));
          }
        }
        std::string body = "mad.wide.u32 %rd3, %r1, " + std::to_string(4 * (4 + nc)) +
                           ", %rd1; mad.wide.u32 %rd4, %r1, " + std::to_string(4 * nd) + ", %rd2;\n";
        for (unsigned i = 0; i < 4 + nc; ++i)
          body += "ld.global.b32 %x" + std::to_string(i) + ", [%rd3+" + std::to_string(4 * i) + "];\n";
        std::string operands = list("d", nd) + ", {%x0, %x1}, {%x2, %x3}, {";
        for (unsigned i = 0; i < nc; ++i) operands += (i ? ", %x" : "%x") + std::to_string(4 + i);
        body += instruction + " " + operands + "};\n";
        for (unsigned i = 0; i < nd; ++i)
          body += "st.global.b32 [%rd4+" + std::to_string(4 * i) + "], %d" + std::to_string(i) + ";\n";
        Bench bench(module_of(body, ".reg .b32 %x<12>, %d<8>;\n"));
        const std::uint64_t p0 = bench.array(in), p1 = bench.array(Words(std::size_t{32} * nd));
        const LaunchResult result = bench.launch("k", {1}, {32}, {p0, p1});
        REQUIRE(result.fault.message == "");
        const Words out = bench.read<std::uint32_t>(p1, std::size_t{32} * nd);
        for (unsigned lane = 0; lane < 32; ++lane)
          for (unsigned i = 0; i < 8; ++i) {
            const Place place = place_of_c(lane, i, d_half);
            const unsigned quads = lane % 16 / 4;
            int sum = c[quads][place.row][place.column];
            for (unsigned k = 0; k < 4; ++k) sum += a[quads][place.row][k] * b[quads][k][place.column];
            REQUIRE(get(out, lane * nd, d_half ? 16 : 32, i) == (d_half ? half(sum) : single(sum)));
          }
      }
}
