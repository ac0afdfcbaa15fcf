// Values and the frames that carry them.
#include "grader/runner/protocol.h"

#include <limits>

#include "common/testing/catch.h"

using namespace warpbook::grader;

namespace {

Values sample() {
  return Values()
      .set("rows", 33)
      .set("ratio", 0.25)
      .set("name", "transpose")
      .set("in", std::vector<float>{1.5f, -2.0f, 3.0f})
      .set("empty", std::vector<std::int32_t>{});
}

}  // namespace

TEST_CASE("values come back as they were set") {
  const Values values = sample();
  CHECK(values.integer("rows") == 33);
  CHECK(values.real("ratio") == 0.25);
  CHECK(values.text("name") == "transpose");
  CHECK(values.array<float>("in") == std::vector<float>{1.5f, -2.0f, 3.0f});
  CHECK(values.array<std::int32_t>("empty").empty());
  CHECK(values.value("in").count() == 3);
}

TEST_CASE("a value of another name or type is refused by name") {
  const Values values = sample();
  CHECK_THROWS_AS(values.integer("columns"), ValueError);
  CHECK_THROWS_AS(values.integer("ratio"), ValueError);
  CHECK_THROWS_AS(values.real("rows"), ValueError);
  CHECK_THROWS_AS(values.text("rows"), ValueError);
  CHECK_THROWS_AS(values.array<double>("in"), ValueError);
  CHECK_THROWS_AS(values.array<std::int64_t>("rows"), ValueError);
  try {
    values.integer("columns");
  } catch (const ValueError& error) {
    CHECK(std::string(error.what()).find("'columns'") != std::string::npos);
    CHECK(std::string(error.what()).find("rows") != std::string::npos);
  }
}

TEST_CASE("a description leaves out the grader's own values") {
  const std::string text = sample().set("warpbook.poison_seed", 7).describe();
  CHECK(text.find("rows 33") != std::string::npos);
  CHECK(text.find("in float[3]") != std::string::npos);
  CHECK(text.find("poison") == std::string::npos);
  CHECK(text.find("order") == std::string::npos);
  CHECK(Case().set(kScheduleSeed, 0).describe().empty());
  CHECK(Case().set("n", 5).set(kScheduleSeed, 31).describe().find("n 5; blocks, warps and streams in order 31:") == 0);
}

TEST_CASE("a frame of very many values is refused before they are read") {
  Values values;
  for (int i = 0; i < 1001; ++i) values.set(std::to_string(i), i);
  CHECK_THROWS_AS(decode(encode(values, 1)), FrameError);
}

TEST_CASE("a frame carries values and nonce unchanged") {
  const Frame frame = decode(encode(sample(), 0xfeedf00dcafe));
  CHECK(frame.nonce == 0xfeedf00dcafe);
  CHECK(frame.values == sample());
}

TEST_CASE("guard zones and roles are transferred, and contents are taken from between the zones") {
  Value value;
  value.element = Element::i32;
  value.role = Value::Role::output_buffer;
  value.guard_bytes = 8;
  value.bytes.resize(8 + 12 + 8);
  const std::int32_t contents[3] = {7, 8, 9};
  std::memcpy(value.bytes.data() + 8, contents, sizeof contents);
  const Frame frame = decode(encode(Values().put("out", value), 1));
  CHECK(frame.values.value("out") == value);
  CHECK(frame.values.array<std::int32_t>("out") == std::vector<std::int32_t>{7, 8, 9});
}

TEST_CASE("every truncation of a frame is refused") {
  const auto bytes = encode(sample(), 5);
  REQUIRE(bytes.size() > 100);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CAPTURE(size);
    REQUIRE_THROWS_AS(decode(std::span(bytes).first(size)), FrameError);
  }
}

TEST_CASE("bytes after a frame, other nonces and wild lengths are refused") {
  auto bytes = encode(sample(), 5);
  auto longer = bytes;
  longer.push_back(std::byte{0});
  CHECK_THROWS_AS(decode(longer), FrameError);

  auto other_nonce = bytes;
  other_nonce[bytes.size() - 8] ^= std::byte{1};
  CHECK_THROWS_AS(decode(other_nonce), FrameError);

  auto wild = bytes;  // The length of the first name.
  for (std::size_t i = 16; i < 24; ++i) wild[i] = std::byte{0xff};
  CHECK_THROWS_AS(decode(wild), FrameError);

  auto more = bytes;  // More values announced than present.
  more[12] = std::byte{200};
  CHECK_THROWS_AS(decode(more), FrameError);
}

TEST_CASE("flipping any byte of a frame never crashes the reader") {
  const auto bytes = encode(sample(), 5);
  std::size_t refused = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    auto damaged = bytes;
    damaged[i] ^= std::byte{0x80};
    try {
      decode(damaged);
    } catch (const FrameError&) {
      ++refused;
    }
  }
  CHECK(refused > bytes.size() / 3);
}
