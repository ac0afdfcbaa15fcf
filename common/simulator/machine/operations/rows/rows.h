// Test rows: one PTX instruction each, with the kinds of its operands. A kernel and its inputs are generated from a
// row.
//
// A rows file (rows/*.rows) has one row per line; '#' starts a comment:
//
//   add.sat.s32   : u32 = u32 u32
//   lop3.or.b32   : u32 pred = u32 u32 u32 pred : %o0|%o1, %i0, %i1, %i2, 0xe8, %i3
//   bra           : u32 = u32 pred              : { @%i1 bra skip; add.u32 %i0, %i0, 1; skip: mov.u32 %o0, %i0; }
//   tanh.approx.f32 : f32 = f32 ~ 2^-10.5
//   @sm_100 add.rn.f32x2 : f32x2 = f32x2 f32x2 == { ... }
//
// First the instruction, then outputs = inputs as value kinds, then (if they are not simply "%o0, %i0, %i1, ...") the
// operands, or in braces the whole body. Its registers: outputs %o0.., inputs %i0.., temporaries %h0..%h7 (16 bits),
// %t0..%t7 (32), %u0..%u7 (64), %p0..%p3. The address of 64 bytes of the thread's own is in %global and %generic (64
// bits; global memory that starts as the bytes 0, 1, 2, ...), in %shared (32 bits, not initialised) and in %local (32
// bits, not initialised). %zero is 0; the function `increment` adds 1 to a .b32.
//
// "~ bound" marks an approximation: results may differ from the hardware's by that relative error ("~ 2^-20"), absolute
// error ("~ abs 2^-20") or either of them ("~ 2^-20 abs 2^-21"). "@sm_100" names a target that the recording GPU does
// not support; "==" then gives a body of other instructions that must give the same results. "@cluster" launches
// clusters of one block.
//
// Every row runs kCases threads. The first kTableCases use each pair of the 32 interesting values of the first two
// inputs once; the others use random values; `angle` is an f32 within two turns. The results of a GPU are stored in
// rows/*.golden (see replay.cpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpbook::simulator::rows {

constexpr unsigned kTableCases = 1024;
constexpr unsigned kCases = 2048;
constexpr unsigned kBlock = 256;             ///< Threads of a block.
constexpr unsigned kScratchBytes = 64;       ///< Per thread.
constexpr unsigned kGroups = 16;             ///< A golden has one hash for every kCases / kGroups cases.
constexpr unsigned kShown = 32;              ///< Results that a golden stores in full,
constexpr unsigned kShownApproximate = 256;  ///< and for an approximation.

/// How values are generated, and which kind of register holds them.
enum class Kind : std::uint8_t {
  pred,
  u8,
  u16,
  u32,
  u64,
  shift,
  selector,
  f16,
  bf16,
  f16x2,
  bf16x2,
  f32,
  f32x2,
  f64,
  angle
};
unsigned bytes_of(Kind kind);

struct Row {
  std::string text;  ///< As written; the key of its golden.
  std::string instruction;
  std::vector<Kind> outputs, inputs;
  std::string body;        ///< Statements.
  std::string equivalent;  ///< Statements that must give the same results; empty if the hardware's results are the
                           ///< reference.
  std::string target = "sm_90";
  bool in_cluster = false;            ///< Its kernel is launched in clusters of one block each.
  double relative = 0, absolute = 0;  ///< Bounds of an approximation; both 0: bit-exact.
  bool approximate() const { return relative > 0 || absolute > 0; }
  unsigned line = 0;  ///< In its file.
};

/// @throws std::runtime_error with the file, the line and what is wrong
std::vector<Row> read_rows(const std::string& path);

/// The module with one kernel, `row`, with the parameters (inputs, outputs, scratch). @p body is row.body or
/// row.equivalent.
std::string module_text(const Row& row, std::string_view body);

/// The first and last line of module_text() that contain the row's own statements, counted from 1.
struct BodyLines {
  unsigned first, last;
};
BodyLines body_lines(const Row& row, std::string_view body);

/// The inputs of all cases: kCases * inputs slots of 8 bytes, grouped by case.
std::vector<std::uint64_t> inputs_of(const Row& row);

/// The results of a GPU: the first ones in full, and a hash for each group of cases.
struct Golden {
  std::vector<std::uint64_t> shown;
  std::vector<std::uint32_t> hashes;
};
/// @param results kCases * outputs slots of 8 bytes
Golden summarise(const Row& row, const std::vector<std::uint64_t>& results);

std::string golden_line(const Row& row, const Golden& golden);
/// Goldens by the row's text; the golden of a row with a reference has no values. Empty if there is no such file.
std::vector<std::pair<std::string, Golden>> read_goldens(const std::string& path);

/// True if @p got is an allowed result where the hardware's was @p expected.
bool agrees(const Row& row, Kind kind, std::uint64_t got, std::uint64_t expected);

/// "0x3f800000 (1)": a slot, for messages.
std::string show(Kind kind, std::uint64_t slot);

}  // namespace warpbook::simulator::rows
