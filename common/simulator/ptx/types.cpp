// The names and sizes of types and state spaces.
#include "common/simulator/ptx/types.h"

#include <array>

namespace warpbook::simulator::ptx {
namespace {

struct TypeFacts {
  std::string_view name;
  unsigned bytes;
};

// In the order of the enumeration.
constexpr std::array<TypeFacts, 36> kTypes = {{
    {"none", 0},   {"pred", 1},   {"b8", 1},      {"b16", 2},   {"b32", 4},   {"b64", 8},  {"b128", 16},  {"u8", 1},
    {"u16", 2},    {"u32", 4},    {"u64", 8},     {"s8", 1},    {"s16", 2},   {"s32", 4},  {"s64", 8},    {"f16", 2},
    {"f16x2", 4},  {"bf16", 2},   {"bf16x2", 4},  {"tf32", 4},  {"e4m3", 1},  {"e5m2", 1}, {"e4m3x2", 2}, {"e5m2x2", 2},
    {"f32", 4},    {"f32x2", 8},  {"f64", 8},     {"u16x2", 4}, {"s16x2", 4}, {"s4", 1},   {"u4", 1},     {"e2m1x2", 1},
    {"e2m3x2", 2}, {"e3m2x2", 2}, {"ue8m0x2", 2}, {"b1", 1},
}};
static_assert(kTypes[static_cast<unsigned>(Type::b1)].name == "b1");

}  // namespace

unsigned size_of(Type type) { return kTypes[static_cast<unsigned>(type)].bytes; }

std::string_view name_of(Type type) { return kTypes[static_cast<unsigned>(type)].name; }

std::string_view name_of(Space space) {
  constexpr std::array<std::string_view, 7> kNames = {"generic", "reg", "param", "shared", "global", "const", "local"};
  return kNames[static_cast<unsigned>(space)];
}

}  // namespace warpbook::simulator::ptx
