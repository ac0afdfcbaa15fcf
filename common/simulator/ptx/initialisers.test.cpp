// Tests of initial contents of variables.
#include <bit>
#include <cstring>

#include "common/simulator/ptx/parser.h"
#include "common/testing/catch.h"

namespace warpbook::simulator::ptx {
namespace {

Variable variable(const std::string& declaration) { return parse(declaration).variables.at(0); }

std::string error_of(const std::string& declaration) {
  try {
    parse(declaration);
  } catch (const ParseError& error) {
    return error.what();
  }
  return "no error";
}

template <class T>
std::vector<T> contents(const Variable& variable) {
  std::vector<T> values(variable.initial.size() / sizeof(T));
  std::memcpy(values.data(), variable.initial.data(), values.size() * sizeof(T));
  return values;
}

TEST_CASE("scalars of every kind") {
  CHECK(contents<std::uint32_t>(variable(".global .u32 x = 0x12345678;")) == std::vector<std::uint32_t>{0x12345678});
  CHECK(contents<std::int64_t>(variable(".global .u64 x = -5;")) == std::vector<std::int64_t>{-5});
  CHECK(contents<std::int16_t>(variable(".global .s16 x = {-2};")) == std::vector<std::int16_t>{-2});
  CHECK(contents<float>(variable(".const .f32 x = 0f3F800000;")) == std::vector<float>{1.0f});
  CHECK(contents<float>(variable(".const .f32 x = 0.1;")) == std::vector<float>{0.1f});
  CHECK(contents<double>(variable(".const .f64 x = -0d3FF0000000000000;")) == std::vector<double>{-1.0});
  CHECK(contents<double>(variable(".const .f64 x = 0f3F800000;")) == std::vector<double>{1.0});
  CHECK(contents<std::uint32_t>(variable(".const .b32 x = 0f3F800000;")) == std::vector<std::uint32_t>{0x3f800000});
  CHECK(contents<std::uint32_t>(variable(".global .u32 x = (1 << 4) + WARP_SZ;")) == std::vector<std::uint32_t>{48});
}

TEST_CASE("a variable without an initialiser has no initial bytes") {
  CHECK(variable(".global .u32 x;").initial.empty());
  CHECK(contents<std::uint32_t>(variable(".global .u32 x = 0;")) == std::vector<std::uint32_t>{0});
}

TEST_CASE("arrays are zero-filled, row by row") {
  CHECK(contents<std::uint8_t>(variable(".global .b8 x[5] = {1, 2};")) == std::vector<std::uint8_t>{1, 2, 0, 0, 0});
  CHECK(contents<int>(variable(".global .s32 x[2][3] = {{1, 2}, {3}};")) == std::vector<int>{1, 2, 0, 3, 0, 0});
  CHECK(contents<int>(variable(".global .s32 x[2][3] = {1, 2, 3, 4};")) == std::vector<int>{1, 2, 3, 4, 0, 0});
  CHECK(contents<int>(variable(".global .v2 .s32 x[2] = {{1, 2}, {3, 4}};")) == std::vector<int>{1, 2, 3, 4});
  CHECK(contents<int>(variable(".global .s32 x[3] = {};")) == std::vector<int>{0, 0, 0});
}

TEST_CASE("an empty first extent is counted") {
  const Variable v = variable(".global .s32 x[][2] = {{1, 2}, {3}, {4, 5}};");
  CHECK(v.elements == 6);
  CHECK(contents<int>(v) == std::vector<int>{1, 2, 3, 0, 4, 5});
}

TEST_CASE("addresses become relocations") {
  const Variable v = variable(".global .u64 x[5] = {7, target, target+12, generic(target)+8, generic(target-4)};");
  CHECK(contents<std::uint64_t>(v) == std::vector<std::uint64_t>{7, 0, 0, 0, 0});
  REQUIRE(v.relocations.size() == 4);
  const std::vector<std::pair<std::int64_t, bool>> expected = {{0, false}, {12, false}, {8, true}, {-4, true}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(v.relocations[i].offset == 8 * (i + 1));
    CHECK(v.relocations[i].bytes == 8);
    CHECK(v.relocations[i].symbol == "target");
    CHECK(v.relocations[i].addend == expected[i].first);
    CHECK(v.relocations[i].generic == expected[i].second);
  }
  CHECK(variable(".global .u32 x = f;").relocations.at(0).bytes == 4);
}

TEST_CASE("byte masks of one address become one relocation") {
  const Variable v = variable(
      ".global .u8 x[10] = {97, 0xFF(generic(t)+8), 0xFF00(generic(t)+8), 0xFF0000(generic(t)+8), "
      "0xFF000000(generic(t)+8), 0xFF00000000(generic(t)+8), 0xFF0000000000(generic(t)+8), "
      "0xFF000000000000(generic(t)+8), 0xFF00000000000000(generic(t)+8), 5};");
  REQUIRE(v.relocations.size() == 1);
  CHECK((v.relocations[0].offset == 1 && v.relocations[0].bytes == 8 && v.relocations[0].addend == 8));
  CHECK((v.initial[0] == 97 && v.initial[9] == 5));
  CHECK(variable(".global .u8 x[4] = {0xFF(t), 0xFF00(t), 0xFF0000(t), 0xFF000000(t)};").relocations.at(0).bytes == 4);
}

TEST_CASE("initialisers that do not fit are refused") {
  CHECK(error_of(".global .u32 x[2] = {1, 2, 3};") == "ptx line 1: more initialisers than 'x' has elements");
  CHECK(error_of(".global .u32 x[2][2] = {{1, 2, 3}};") == "ptx line 1: more initialisers than 'x' has elements");
  CHECK(error_of(".global .u32 x[2] = 5;") ==
        "ptx line 1: expected '{' before the initialisers of an array, found '5'");
  CHECK(error_of(".global .u32 x[2] = {{1}};") == "ptx line 1: expected a constant or symbol, found '{'");
  CHECK(error_of(".global .f32 x = 5;") == "ptx line 1: expected a floating-point number, found an integer");
  CHECK(error_of(".global .u16 x = 1.5;") ==
        "ptx line 1: a floating-point number does not fit an element of type .u16");
  CHECK(error_of(".global .u16 x = t;") ==
        "ptx line 1: expected an address of 4 or 8 bytes in the initialiser of 'x', found 2 of 't'");
  CHECK(error_of(".global .u8 x[2] = {0xFF(t), 1};") ==
        "ptx line 1: expected an address of 4 or 8 bytes in the initialiser of 'x', found 1 of 't'");
  CHECK(error_of(".global .u8 x[2] = {0xFF00(t)};") ==
        "ptx line 1: expected the bytes of the address of 't' to follow each other, lowest first");
  CHECK(error_of(".global .u8 x[2] = {0xF0(t)};") ==
        "ptx line 1: expected the mask of one byte (0xFF, 0xFF00, ...) in an array of bytes, found 240");
  CHECK(error_of(".global .b8 x[4000000000] = {1};") == "ptx line 1: more than 2^30 initialised bytes");
}

}  // namespace
}  // namespace warpbook::simulator::ptx
