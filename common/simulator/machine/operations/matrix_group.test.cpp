// mma.sp and wgmma.mma_async: every type, selector and kind of layout, with integers whose products are exact, and
// invalid uses. tensor_probe compares their rounding with an H200's.
#include <cmath>
#include <cstring>
#include <random>

#include "common/simulator/machine/operations/matrix_forms.h"
#include "common/simulator/machine/testing.h"
#include "common/simulator/ptx/fragments.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;
using ptx::Type;
using testing::Bench;

namespace {

using Words = std::vector<std::uint32_t>;
constexpr unsigned kStartOfB = 16384, kMemory = 49152;  ///< A lies at the start of shared memory.

/// A whole number in a type's bits.
std::uint32_t bits_of_number(Type type, int value) {
  int mantissa = 0, bias = 0;
  switch (type) {
    case Type::f16:
      mantissa = 10, bias = 15;
      break;
    case Type::bf16:
      mantissa = 7, bias = 127;
      break;
    case Type::tf32:
    case Type::f32:
      mantissa = 23, bias = 127;
      break;
    case Type::e4m3:
      mantissa = 3, bias = 7;
      break;
    case Type::e5m2:
      mantissa = 2, bias = 15;
      break;
    default:
      return static_cast<std::uint32_t>(value);
  }
  if (value == 0) return 0;
  const int size = std::abs(value), exponent = std::ilogb(size);
  const unsigned width = ptx::element_bits(type);
  const auto fraction = static_cast<std::uint32_t>(std::ldexp(size, mantissa - exponent)) - (1u << mantissa);
  return (value < 0 ? 1u << (width - 1) : 0u) | static_cast<std::uint32_t>(exponent + bias) << mantissa | fraction;
}

int random_number(Type type, std::mt19937& random) {
  if (type == Type::b1) return static_cast<int>(random() % 2);
  const bool positive = type == Type::u8 || type == Type::u4;
  return static_cast<int>(random() % 4) - (positive ? 0 : 2);
}

void put(std::vector<std::uint8_t>& bytes, std::size_t bit, unsigned bits, std::uint32_t value) {
  for (unsigned i = 0; i < bits; ++i)
    bytes[(bit + i) / 8] = static_cast<std::uint8_t>(bytes[(bit + i) / 8] | (value >> i & 1) << ((bit + i) % 8));
}

struct Factor {
  unsigned lead = 0, stride = 0, swizzle = 0;
  bool transposed = false;
  std::uint64_t descriptor(unsigned start) const {
    return start / 16 | std::uint64_t{lead / 16} << 16 | std::uint64_t{stride / 16} << 32 |
           std::uint64_t{swizzle} << 62;
  }
};
/// The kinds of layouts in turn, without gaps.
Factor factor_of(unsigned number, bool transposed, unsigned row_bytes) {
  const unsigned swizzle = number % 4, pattern = swizzle == 0 ? 16 : 256u >> swizzle;
  if (transposed)
    return {swizzle == 0 ? 4096u : row_bytes / 2 * pattern, swizzle == 0 ? 128u : 8 * pattern, swizzle, true};
  if (swizzle != 0 && pattern < row_bytes) return {128, 8 * row_bytes, 0, false};
  return {128, swizzle == 0 ? 8 * row_bytes : 8 * pattern, swizzle, false};
}
/// The byte of element (line, k) of a factor, of two-byte elements if transposed, from the manual's figures: tiles of
/// eight lines, whose rows a swizzle permutes.
unsigned byte_of(const Factor& f, unsigned line, unsigned byte_in_line, unsigned k) {
  unsigned at = 0;
  const unsigned pattern = f.swizzle == 0 ? 16 : 256u >> f.swizzle;
  if (f.transposed) {
    const unsigned along = line * 2, column = along % pattern, tile = along / pattern;
    at = k % 8 * pattern + k / 8 * (f.swizzle == 0 ? f.lead : f.stride) + tile * (f.swizzle == 0 ? f.stride : f.lead) +
         column;
  } else {
    at = line % 8 * pattern + line / 8 * f.stride +
         (f.swizzle == 0 ? byte_in_line / 16 * f.lead + byte_in_line % 16 : byte_in_line);
  }
  const unsigned row = at / 128 % 8;
  return f.swizzle == 0 ? at : at ^ (row & (pattern / 16 - 1)) * 16;
}

std::string registers_list(const std::string& name, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i) text += (i == 0 ? "%" : ", %") + name + std::to_string(i);
  return text + "}";
}

/// Loads registers of A, B and C, and metadata, from p0, by thread; shared memory contents and descriptors follow
/// there. @param factors type of the registers of A and B
std::string kernel_of(const GroupForm& form, unsigned a, unsigned b, unsigned c, unsigned selector, const Factor& fa,
                      const Factor& fb, unsigned threads, const std::string& factors) {
  std::string text =
      ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p0, .param .u64 p1)\n{\n"
      ".reg .pred %accumulates, %more; .reg .b32 %metadata, %r<9>; .reg .b64 %rd<9>;\n"
      ".shared .align 1024 .b8 tile[49152];\n.reg ." +
      factors +
      " %a<9>, %b<9>;\n.reg .b32 %c<129>;\n"
      "ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; mov.u32 %r1, %tid.x;\n";
  const unsigned words = a + b + c + 1;
  text += "mad.wide.u32 %rd3, %r1, " + std::to_string(4 * words) + ", %rd1;\n";
  unsigned at = 0;
  for (const auto& [name, count] : {std::pair{"a", a}, std::pair{"b", b}, std::pair{"c", c}})
    for (unsigned i = 0; i < count; ++i, at += 4)
      text += std::string("ld.global.b32 %") + name + std::to_string(i) + ", [%rd3+" + std::to_string(at) + "];\n";
  text += "ld.global.b32 %metadata, [%rd3+" + std::to_string(at) + "];\nsetp.eq.u32 %accumulates, %r1, %r1;\n";
  const bool group = form.is_group();
  if (group)
    text +=
        "mov.u32 %r2, %r1;\nagain:\nshl.b32 %r3, %r2, 2; mov.u32 %r4, tile; add.u32 %r4, %r4, %r3;\n"
        "mad.wide.u32 %rd4, %r2, 4, %rd1; ld.global.b32 %r5, [%rd4+" +
        std::to_string(4 * words * threads) +
        "]; st.shared.b32 [%r4], %r5; add.u32 %r2, %r2, 128; setp.lt.u32 %more, %r2, 12288; @%more bra again;\n"
        "fence.proxy.async; bar.sync 0;\nmov.u64 %rd5, " +
        std::to_string(fa.descriptor(0)) + "; mov.u64 %rd6, " + std::to_string(fb.descriptor(kStartOfB)) +
        ";\nwgmma.fence.sync.aligned;\n";
  text +=
      written(form, registers_list("c", c), group && !form.in_registers ? "%rd5" : registers_list("a", a),
              group ? "%rd6" : registers_list("b", b), registers_list("c", c), selector, fa.transposed, fb.transposed) +
      "\n";
  if (group) text += "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n";
  text += "mad.wide.u32 %rd7, %r1, " + std::to_string(4 * c) + ", %rd2;\n";
  for (unsigned i = 0; i < c; ++i)
    text += "st.global.b32 [%rd7+" + std::to_string(4 * i) + "], %c" + std::to_string(i) + ";\n";
  return text + "ret;\n}\n";
}

/// What is wrong, or an empty text. @param number chooses layouts
std::string check(const GroupForm& form, unsigned selector, unsigned number, bool ta, bool tb,
                  const std::string& factors = "b32") {
  const auto [m, n, k] = form.form.shape;
  const bool group = form.is_group();
  const unsigned stored = form.sparse ? k / 2u : k, bits = ptx::element_bits(form.form.a), threads = group ? 128 : 32;
  const unsigned a_words = group && !form.in_registers ? 0 : 16 * stored * bits / 1024,
                 b_words = group ? 0 : 8 * k * bits / 1024;
  const bool half = form.form.c == Type::f16;
  const unsigned c_words = group ? n / (half ? 4u : 2u) : half ? 2 : 4, words = a_words + b_words + c_words + 1;
  std::mt19937 random(number * 7 + selector);
  const unsigned unit = bits == 4 ? 2 : 1,
                 of = bits == 32 ? 2 : 4;  // One metadata entry: `unit` elements, one of `of` choices.
  std::vector<int> a(m * stored), b(k * n), c(m * n);
  std::vector<unsigned> place(m * stored);
  for (int& x : a) x = random_number(form.form.a, random);
  for (int& x : b) x = random_number(form.form.b, random);
  for (int& x : c) x = static_cast<int>(random() % 9) - 4;
  std::vector<std::uint8_t> in(std::size_t{words} * 4 * threads + kMemory);
  const auto word = [&](unsigned thread, unsigned w) { return (std::size_t{thread} * words + w) * 32; };
  // Metadata: rows of groups of four bits, either two numbers in ascending order or one of 0b0100 and 0b1110.
  const unsigned in_group = bits == 32 ? 1 : 2 * unit, groups = stored / in_group;
  for (unsigned row = 0; row < m && form.sparse; ++row)
    for (unsigned g = 0; g < groups; ++g) {
      const unsigned first = random() % 3, second = first + 1 + random() % (3 - first), one = random() % 2;
      const std::uint32_t meta = bits == 32 ? (one != 0 ? 0b1110 : 0b0100) : first | second << 2;
      for (unsigned i = 0; i < in_group; ++i)
        place[row * stored + g * in_group + i] =
            bits == 32 ? g * 2 + one : (g * of + (i / unit == 0 ? first : second)) * unit + i % unit;
      // Two or four lanes of a quad, or one: for 16 and 32 bits each has parts of two rows, for fewer bits of one row.
      const unsigned quad = row / 16 * 32 + row % 8 * 4, high = row % 16 / 8;
      const unsigned lane = bits >= 16    ? (groups == 4 ? selector : 2 * selector + g / 4)
                            : groups == 8 ? 2 * selector + high
                                          : high + g / 8 * 2;
      const unsigned bit = bits >= 16 ? high * 16 + g % 4 * 4 : g % 8 * 4;
      put(in, word(quad + lane, words - 1) + bit, 4, meta);
    }
  const Factor fa = factor_of(number / 4, ta, 32), fb = factor_of(number, tb, k * bits / 8);
  const unsigned e = 32 / bits;  // Elements per register.
  const std::size_t memory = std::size_t{words} * 32 * threads;
  for (unsigned row = 0; row < m; ++row)
    for (unsigned i = 0; i < stored; ++i) {
      const std::uint32_t value = bits_of_number(form.form.a, a[row * stored + i]);
      if (a_words != 0) {
        const unsigned thread = row / 16 * 32 + row % 8 * 4 + i / e % 4, r = row % 16 / 8 + i / e / 4 * 2;
        put(in, word(thread, r) + i % e * bits, bits, value);
      } else {
        put(in, memory + std::size_t{byte_of(fa, row, i * bits / 8, i)} * 8 + i * bits % 8, bits, value);
      }
    }
  for (unsigned row = 0; row < k; ++row)
    for (unsigned column = 0; column < n; ++column) {
      const std::uint32_t value = bits_of_number(form.form.b, b[row * n + column]);
      if (b_words != 0)
        put(in, word(column * 4 + row / e % 4, a_words + row / e / 4) + row % e * bits, bits, value);
      else
        put(in, memory + (kStartOfB + std::size_t{byte_of(fb, column, row * bits / 8, row)}) * 8 + row * bits % 8, bits,
            value);
    }
  const auto place_in_d = [&](unsigned row, unsigned column, unsigned& thread, std::size_t& bit) {
    thread = row / 16 * 32 + row % 8 * 4 + column % 8 / 2;
    const unsigned i = column / 8 * 4 + row % 16 / 8 * 2 + column % 2;  // Of the elements of a thread.
    bit = std::size_t{i} * (half ? 16 : 32);
  };
  for (unsigned row = 0; row < m; ++row)
    for (unsigned column = 0; column < n; ++column) {
      unsigned thread = 0;
      std::size_t bit = 0;
      place_in_d(row, column, thread, bit);
      put(in, word(thread, a_words + b_words) + bit, half ? 16 : 32, bits_of_number(form.form.c, c[row * n + column]));
    }
  Bench bench(kernel_of(form, a_words, b_words, c_words, selector, fa, fb, threads, factors));
  const std::uint64_t p0 = bench.array(in), p1 = bench.array(Words(c_words * threads, 0xeeeeeeee));
  const LaunchResult result = bench.launch("k", {1}, {threads}, {p0, p1});
  if (result.fault) return "fault: " + result.fault.message;
  const auto out = bench.read<std::uint8_t>(p1, std::size_t{c_words} * threads * 4);
  for (unsigned row = 0; row < m; ++row)
    for (unsigned column = 0; column < n; ++column) {
      int sum = c[row * n + column];
      for (unsigned i = 0; i < stored; ++i) {
        const unsigned in_b = form.sparse ? place[row * stored + i] : i;
        sum += a[row * stored + i] * b[in_b * n + column];
      }
      unsigned thread = 0;
      std::size_t bit = 0;
      place_in_d(row, column, thread, bit);
      std::uint32_t got = 0;
      std::memcpy(&got, &out[std::size_t{thread} * c_words * 4 + bit / 8], half ? 2 : 4);
      if (got == bits_of_number(form.form.c, sum)) continue;
      return "row " + std::to_string(row) + ", column " + std::to_string(column) + ": " + std::to_string(got) +
             ", expected the bits of " + std::to_string(sum);
    }
  return {};
}

/// The message of the fault when so many threads execute a warpgroup's instruction.
std::string fault_of(const std::string& body, unsigned threads) {
  Bench bench(testing::kernel(".reg .b32 %d<4>; .reg .b64 %desc; mov.u64 %desc, " +
                              std::to_string(Factor{128, 256, 0, false}.descriptor(0)) +
                              ";\nsetp.eq.u32 %p1, %r1, %r1;\n" + body));
  const LaunchResult result = bench.launch("k", {1}, {threads}, {0, 0});
  return result.fault ? result.fault.message : "";
}
constexpr const char* kSmall =
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, %desc, %desc, %p1, ";

}  // namespace

TEST_CASE("every form of mma.sp multiplies the elements that its metadata select") {
  for (const GroupForm& form : sparse_forms())
    for (unsigned selector = 0; selector < form.selectors; ++selector) {
      INFO(form.form.instruction << ", selector " << selector);
      const std::string problem = check(form, selector, selector, false, false);
      INFO(problem);
      CHECK(problem.empty());
    }
}

TEST_CASE("factors of mma.sp in registers of .f32 are the bits of their elements, where ptxas takes them") {
  for (const GroupForm& form : sparse_forms()) {
    if (ptx::element_bits(form.form.a) == 16) continue;  // Refused.
    INFO(form.form.instruction);
    const std::string problem = check(form, 0, 1, false, false, "f32");
    INFO(problem);
    CHECK(problem.empty());
  }
}

TEST_CASE("wgmma multiplies factors of every type in registers and in every layout of shared memory") {
  unsigned number = 0;
  for (const GroupForm& form : group_forms())
    for (unsigned transposed = 0; transposed < (form.transposes() ? 4u : 1u); ++transposed, ++number) {
      const bool ta = (transposed & 1) != 0 && !form.in_registers, tb = (transposed & 2) != 0;
      const unsigned selector = form.sparse ? number % form.selectors : 0;
      INFO(form.form.instruction << ", number " << number << ", transposed " << transposed);
      const std::string problem = check(form, selector, number, ta, tb);
      INFO(problem);
      CHECK(problem.empty());
    }
}

TEST_CASE("wgmma reports missing threads of its warpgroup and accesses past shared memory") {
  const std::string whole = std::string(kSmall) + "1, 1, 0, 0;";
  CHECK(fault_of(whole, 128).find("offset 1024 of shared memory") != std::string::npos);  // 64 rows need 2048 bytes.
  CHECK(fault_of(whole, 96).find("a warpgroup is four warps") != std::string::npos);
  CHECK(fault_of("setp.lt.u32 %p2, %r1, 16; @%p2 " + whole, 128).find("16 of the 32 threads") != std::string::npos);
  CHECK(fault_of("setp.lt.u32 %p1, %r1, 16;" + whole, 128).find("the same scale-d") != std::string::npos);
}

TEST_CASE("numbers that ptxas refuses in mma.sp and wgmma are refused") {
  using Catch::Contains;
  CHECK_THROWS_WITH(fault_of(std::string(kSmall) + "2, 1, 0, 0;", 128), Contains("scale of A is 2"));
  CHECK_THROWS_WITH(fault_of(std::string(kSmall) + "1, -1, 0, 2;", 128), Contains("transposition is 2"));
  CHECK_THROWS_WITH(fault_of("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%d0, %d1, %d2, %d3}, {%r4, %r5, "
                             "%r6, %r7}, {%r4, %r5, %r6, %r7}, {%d0, %d1, %d2, %d3}, %r8, 2;",
                             32),
                    Contains("sparsity selector is 2"));
}
