// The PTX vocabulary shared by all later stages: types, state spaces and modifiers of instructions.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpbook::simulator::ptx {

/// The fundamental and packed types of PTX (PTX ISA, "Types").
enum class Type : std::uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  tf32,
  e4m3,
  e5m2,
  e4m3x2,
  e5m2x2,
  f32,
  f32x2,
  f64,
  u16x2,
  s16x2,
  s4,
  u4,
  e2m1x2,
  e2m3x2,
  e3m2x2,
  ue8m0x2,
  b1,
};

/// Size of a value of @p type in bytes; 0 for none, 1 for pred and types smaller than a byte.
unsigned size_of(Type type);
std::string_view name_of(Type type);  ///< Without the dot: "u32".

/// State spaces (PTX ISA, "State Spaces"). `generic` is an address whose window determines the space.
enum class Space : std::uint8_t { generic, reg, param, shared, global, constant, local };
std::string_view name_of(Space space);

enum class Rounding : std::uint8_t { none, rn, rz, rm, rp, rni, rzi, rmi, rpi, rna };
enum class Compare : std::uint8_t {
  none,
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  lo,
  ls,
  hi,
  hs,
  equ,
  neu,
  ltu,
  leu,
  gtu,
  geu,
  num,
  nan
};
enum class BoolOp : std::uint8_t { none, and_, or_, xor_, popc };
enum class AtomicOp : std::uint8_t { none, and_, or_, xor_, cas, exch, add, inc, dec, min, max };
enum class Semantics : std::uint8_t { weak, relaxed, acquire, release, acq_rel, sc, volatile_, mmio };
enum class Scope : std::uint8_t { none, cta, cluster, gpu, sys };
enum class Half : std::uint8_t { none, lo, hi, wide };
enum class Shuffle : std::uint8_t { none, up, down, bfly, idx };
enum class Vote : std::uint8_t { none, all, any, uni, ballot };
enum class CacheOp : std::uint8_t { none, ca, cg, cs, lu, cv, wb, wt, nc };
/// The mode of prmt, testp, shf clamping and similar selectors that no other field covers.
enum class Mode : std::uint8_t {
  none,
  f4e,
  b4e,
  rc8,
  ecl,
  ecr,
  rc16,  // prmt
  finite,
  infinite,
  number,
  notanumber,
  normal,
  subnormal,  // testp
  clamp,
  wrap,
  shiftamt,  // shf, szext, bfind
  left,
  right,  // shf
  zero,
  trap,  // suld, sust: out of bounds; clamp is above
};
/// The geometry of a texture or surface in an instruction. Layered ones have a layer before the coordinates.
enum class Geometry : std::uint8_t { none, d1, d2, d3, a1d, a2d, cube, acube };
/// The property that txq and suq query.
enum class ImageQuery : std::uint8_t {
  none,
  width,
  height,
  depth,
  channel_data_type,
  channel_order,
  normalized_coords,
  array_size,
  num_mipmap_levels
};

/// The shape of a matrix product, m x k by k x n: "m16n8k16". k is 0 if it is not given.
struct MatrixShape {
  std::uint16_t m = 0, n = 0, k = 0;
  bool operator==(const MatrixShape&) const = default;
};

/// The modifiers of one instruction, sorted into fields. A word that fits two fields sets both (".and" sets bool_op and
/// atomic); the operation knows which one it needs.
struct Modifiers {
  Type types[4] = {Type::none, Type::none, Type::none, Type::none};  ///< In the order written.
  std::uint8_t type_count = 0;
  Rounding rounding = Rounding::none;
  Compare compare = Compare::none;
  BoolOp bool_op = BoolOp::none;
  AtomicOp atomic = AtomicOp::none;
  Semantics semantics = Semantics::weak;
  Scope scope = Scope::none;
  Space space = Space::generic;
  Half half = Half::none;
  Shuffle shuffle = Shuffle::none;
  Vote vote = Vote::none;
  CacheOp cache = CacheOp::none;
  Mode mode = Mode::none;
  Mode direction = Mode::none;  ///< left or right (shf).
  std::uint8_t vector = 1;      ///< 1, 2, 4 or 8 (.v2, .v4, .v8).
  bool ftz = false, sat = false, satfinite = false, approx = false, full = false, relu = false, nan = false;
  bool xorsign_abs = false, abs = false, aligned = false, sync = false, uni = false, to = false, cc = false;
  bool noftz = false, arrive = false, red = false, warp = false;
  bool plus_one = false;          ///< vmad.po
  std::uint8_t scale = 0;         ///< vmad: 7 or 15 (.shr7, .shr15).
  bool trans = false;             ///< ldmatrix, stmatrix
  bool of_cluster = false;        ///< .shared::cluster
  bool multicast_all = false;     ///< .multicast::cluster::all
  std::uint8_t matrices = 1;      ///< 1, 2 or 4 (.x1, .x2, .x4).
  std::uint8_t layouts = 0;       ///< Number of .row and .col modifiers.
  std::uint8_t column_major = 0;  ///< Bit i: the i-th of them is .col.
  MatrixShape matrix;
  Geometry geometry = Geometry::none;
  ImageQuery query = ImageQuery::none;
  std::uint8_t component = 0;  ///< tld4: 0 to 3 for .r, .g, .b, .a; query_cancel: 0 to 2 for x, y, z.
};

}  // namespace warpbook::simulator::ptx
