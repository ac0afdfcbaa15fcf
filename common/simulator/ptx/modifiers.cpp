// From the words of an instruction to the fields of Modifiers: one table, looked up by a hash of the word.
#include "common/simulator/ptx/modifiers.h"

#include <array>
#include <charconv>
#include <iterator>
#include <unordered_map>

namespace warpbook::simulator::ptx {
namespace {

using Setter = void (*)(Modifiers&);

struct Word {
  std::string_view word;
  Setter set;
};

#define WB_SET(word, field, value)              \
  {                                             \
    word, [](Modifiers& m) { m.field = value; } \
  }

// A word may appear in several lines.
constexpr Word kWords[] = {
    WB_SET("rn", rounding, Rounding::rn),
    WB_SET("rz", rounding, Rounding::rz),
    WB_SET("rm", rounding, Rounding::rm),
    WB_SET("rp", rounding, Rounding::rp),
    WB_SET("rni", rounding, Rounding::rni),
    WB_SET("rzi", rounding, Rounding::rzi),
    WB_SET("rmi", rounding, Rounding::rmi),
    WB_SET("rpi", rounding, Rounding::rpi),
    WB_SET("rna", rounding, Rounding::rna),

    WB_SET("eq", compare, Compare::eq),
    WB_SET("ne", compare, Compare::ne),
    WB_SET("lt", compare, Compare::lt),
    WB_SET("le", compare, Compare::le),
    WB_SET("gt", compare, Compare::gt),
    WB_SET("ge", compare, Compare::ge),
    WB_SET("lo", compare, Compare::lo),
    WB_SET("ls", compare, Compare::ls),
    WB_SET("hi", compare, Compare::hi),
    WB_SET("hs", compare, Compare::hs),
    WB_SET("equ", compare, Compare::equ),
    WB_SET("neu", compare, Compare::neu),
    WB_SET("ltu", compare, Compare::ltu),
    WB_SET("leu", compare, Compare::leu),
    WB_SET("gtu", compare, Compare::gtu),
    WB_SET("geu", compare, Compare::geu),
    WB_SET("num", compare, Compare::num),
    WB_SET("nan", compare, Compare::nan),

    WB_SET("and", bool_op, BoolOp::and_),
    WB_SET("or", bool_op, BoolOp::or_),
    WB_SET("xor", bool_op, BoolOp::xor_),
    WB_SET("popc", bool_op, BoolOp::popc),

    WB_SET("and", atomic, AtomicOp::and_),
    WB_SET("or", atomic, AtomicOp::or_),
    WB_SET("xor", atomic, AtomicOp::xor_),
    WB_SET("cas", atomic, AtomicOp::cas),
    WB_SET("exch", atomic, AtomicOp::exch),
    WB_SET("add", atomic, AtomicOp::add),
    WB_SET("inc", atomic, AtomicOp::inc),
    WB_SET("dec", atomic, AtomicOp::dec),
    WB_SET("min", atomic, AtomicOp::min),
    WB_SET("max", atomic, AtomicOp::max),

    WB_SET("weak", semantics, Semantics::weak),
    WB_SET("relaxed", semantics, Semantics::relaxed),
    WB_SET("acquire", semantics, Semantics::acquire),
    WB_SET("release", semantics, Semantics::release),
    WB_SET("acq_rel", semantics, Semantics::acq_rel),
    WB_SET("sc", semantics, Semantics::sc),
    WB_SET("volatile", semantics, Semantics::volatile_),
    WB_SET("mmio", semantics, Semantics::mmio),

    WB_SET("cta", scope, Scope::cta),
    WB_SET("cluster", scope, Scope::cluster),
    WB_SET("gpu", scope, Scope::gpu),
    WB_SET("gl", scope, Scope::gpu),  // membar's older keyword
    WB_SET("sys", scope, Scope::sys),

    WB_SET("lo", half, Half::lo),
    WB_SET("hi", half, Half::hi),
    WB_SET("wide", half, Half::wide),

    WB_SET("up", shuffle, Shuffle::up),
    WB_SET("down", shuffle, Shuffle::down),
    WB_SET("bfly", shuffle, Shuffle::bfly),
    WB_SET("idx", shuffle, Shuffle::idx),

    WB_SET("all", vote, Vote::all),
    WB_SET("any", vote, Vote::any),
    WB_SET("uni", vote, Vote::uni),
    WB_SET("ballot", vote, Vote::ballot),

    WB_SET("ca", cache, CacheOp::ca),
    WB_SET("cg", cache, CacheOp::cg),
    WB_SET("cs", cache, CacheOp::cs),
    WB_SET("lu", cache, CacheOp::lu),
    WB_SET("cv", cache, CacheOp::cv),
    WB_SET("wb", cache, CacheOp::wb),
    WB_SET("wt", cache, CacheOp::wt),
    WB_SET("nc", cache, CacheOp::nc),

    WB_SET("f4e", mode, Mode::f4e),
    WB_SET("b4e", mode, Mode::b4e),
    WB_SET("rc8", mode, Mode::rc8),
    WB_SET("ecl", mode, Mode::ecl),
    WB_SET("ecr", mode, Mode::ecr),
    WB_SET("rc16", mode, Mode::rc16),
    WB_SET("finite", mode, Mode::finite),
    WB_SET("infinite", mode, Mode::infinite),
    WB_SET("number", mode, Mode::number),
    WB_SET("notanumber", mode, Mode::notanumber),
    WB_SET("normal", mode, Mode::normal),
    WB_SET("subnormal", mode, Mode::subnormal),
    WB_SET("clamp", mode, Mode::clamp),
    WB_SET("wrap", mode, Mode::wrap),
    WB_SET("shiftamt", mode, Mode::shiftamt),
    WB_SET("l", direction, Mode::left),
    WB_SET("r", direction, Mode::right),
    WB_SET("zero", mode, Mode::zero),
    WB_SET("trap", mode, Mode::trap),

    WB_SET("1d", geometry, Geometry::d1),
    WB_SET("2d", geometry, Geometry::d2),
    WB_SET("3d", geometry, Geometry::d3),
    WB_SET("a1d", geometry, Geometry::a1d),
    WB_SET("a2d", geometry, Geometry::a2d),
    WB_SET("cube", geometry, Geometry::cube),
    WB_SET("acube", geometry, Geometry::acube),

    WB_SET("r", component, 0),
    WB_SET("g", component, 1),
    WB_SET("b", component, 2),
    WB_SET("a", component, 3),

    WB_SET("width", query, ImageQuery::width),
    WB_SET("height", query, ImageQuery::height),
    WB_SET("depth", query, ImageQuery::depth),
    WB_SET("channel_data_type", query, ImageQuery::channel_data_type),
    WB_SET("channel_order", query, ImageQuery::channel_order),
    WB_SET("normalized_coords", query, ImageQuery::normalized_coords),
    WB_SET("array_size", query, ImageQuery::array_size),
    WB_SET("num_mipmap_levels", query, ImageQuery::num_mipmap_levels),

    WB_SET("v2", vector, 2),
    WB_SET("v4", vector, 4),
    WB_SET("v8", vector, 8),

    WB_SET("ftz", ftz, true),
    WB_SET("sat", sat, true),
    WB_SET("satfinite", satfinite, true),
    WB_SET("approx", approx, true),
    WB_SET("full", full, true),
    WB_SET("relu", relu, true),
    WB_SET("NaN", nan, true),
    WB_SET("xorsign", xorsign_abs, true),
    WB_SET("abs", abs, true),
    WB_SET("aligned", aligned, true),
    WB_SET("sync", sync, true),
    WB_SET("uni", uni, true),
    WB_SET("to", to, true),
    WB_SET("cc", cc, true),
    WB_SET("noftz", noftz, true),
    WB_SET("arrive", arrive, true),
    WB_SET("red", red, true),
    WB_SET("warp", warp, true),
    WB_SET("po", plus_one, true),
    WB_SET("shr7", scale, 7),
    WB_SET("shr15", scale, 15),
    WB_SET("get_first_ctaid::x", component, 0),
    WB_SET("get_first_ctaid::y", component, 1),
    WB_SET("get_first_ctaid::z", component, 2),
    WB_SET("multicast::cluster::all", multicast_all, true),
    WB_SET("trans", trans, true),
    WB_SET("shared::cluster", of_cluster, true),

    WB_SET("x1", matrices, 1),
    WB_SET("x2", matrices, 2),
    WB_SET("x4", matrices, 4),
    WB_SET("row", layouts, static_cast<std::uint8_t>(m.layouts + 1)),
    {"col",
     [](Modifiers& m) {
       m.column_major = static_cast<std::uint8_t>(m.column_major | 1u << m.layouts);
       m.layouts = static_cast<std::uint8_t>(m.layouts + 1);
     }},
};
#undef WB_SET

/// The effect of one word, with all its meanings combined.
struct Meaning {
  std::array<Setter, 2> setters{};
  Type type = Type::none;
  std::optional<Space> space;
};

using Meanings = std::unordered_map<std::string_view, Meaning>;

Meanings make_meanings() {
  Meanings meanings;
  for (const Word& word : kWords) {
    Meaning& meaning = meanings[word.word];
    meaning.setters[meaning.setters[0] != nullptr] = word.set;
  }
  for (int type = static_cast<int>(Type::pred); type <= static_cast<int>(Type::b1); ++type) {
    meanings[name_of(static_cast<Type>(type))].type = static_cast<Type>(type);
  }
  constexpr std::pair<std::string_view, Space> kSpaces[] = {
      {"param", Space::param},   {"param::entry", Space::param}, {"param::func", Space::param},
      {"shared", Space::shared}, {"shared::cta", Space::shared}, {"shared::cluster", Space::shared},
      {"global", Space::global}, {"const", Space::constant},     {"local", Space::local}};
  for (const auto& [word, space] : kSpaces) meanings[word].space = space;
  return meanings;
}

const Meaning* find_meaning(std::string_view word) {
  static const Meanings meanings = make_meanings();
  const auto found = meanings.find(word);
  return found == meanings.end() ? nullptr : &found->second;
}

/// "m16n8k16" or "m8n8".
std::optional<MatrixShape> parse_matrix_shape(std::string_view word) {
  MatrixShape shape;
  const auto take = [&](char letter, std::uint16_t& value) {
    if (!word.starts_with(letter)) return false;
    const auto [end, error] = std::from_chars(word.data() + 1, word.data() + word.size(), value);
    if (error != std::errc()) return false;
    word.remove_prefix(static_cast<std::size_t>(end - word.data()));
    return true;
  };
  if (!take('m', shape.m) || !take('n', shape.n)) return std::nullopt;
  if (!word.empty() && !take('k', shape.k)) return std::nullopt;
  return word.empty() ? std::optional(shape) : std::nullopt;
}

}  // namespace

Type parse_type(std::string_view word) {
  const Meaning* meaning = find_meaning(word);
  return meaning == nullptr ? Type::none : meaning->type;
}

std::optional<Space> parse_space(std::string_view word) {
  const Meaning* meaning = find_meaning(word);
  return meaning == nullptr ? std::nullopt : meaning->space;
}

bool add_modifier(std::string_view word, Modifiers& modifiers) {
  const Meaning* meaning = find_meaning(word);
  if (meaning == nullptr) {
    const auto shape = parse_matrix_shape(word);
    if (shape) modifiers.matrix = *shape;
    return shape.has_value();
  }
  for (const Setter set : meaning->setters) {
    if (set != nullptr) set(modifiers);
  }
  if (meaning->type != Type::none && modifiers.type_count < std::size(modifiers.types)) {
    modifiers.types[modifiers.type_count++] = meaning->type;
  }
  if (meaning->space && modifiers.space == Space::generic) modifiers.space = *meaning->space;
  return true;
}

}  // namespace warpbook::simulator::ptx
