// JSON text has the values and the form of what the JSON library writes.
#include "common/simulator/runtime/json_text.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "common/testing/catch.h"

using namespace warpbook::simulator::runtime;
using nlohmann::json;

namespace {

std::string number_text(double value) {
  std::string text;
  JsonText(text, -1).number(value);
  return text;
}

std::string string_text(const std::string& value) {
  std::string text;
  JsonText(text, -1).string(value);
  return text;
}

/// {"a": [1, {}, []], "b": 0.5, "c": <nested>}
std::string document_text(int indent, const json& nested) {
  std::string text;
  JsonText out(text, indent);
  out.begin_object();
  out.key("a");
  out.begin_array();
  out.element();
  out.integer(std::uint64_t{1});
  out.element();
  out.begin_object();
  out.end_object();
  out.element();
  out.begin_array();
  out.end_array();
  out.end_array();
  out.member("b", 0.5);
  out.key("c");
  out.json(nested.dump(indent));
  out.end_object();
  return text;
}

}  // namespace

TEST_CASE("numbers are integers, or rounded to millionths") {
  CHECK(number_text(0) == "0");
  CHECK(number_text(-3) == "-3");
  CHECK(number_text(8e15) == "8000000000000000");
  CHECK(number_text(-0.5) == "-0.5");
  CHECK(number_text(12.3456789) == "12.345679");
  CHECK(number_text(1.00001) == "1.00001");
  CHECK(number_text(0.00025) == "0.00025");
  CHECK(number_text(0.000002) == "2e-06");
  CHECK(number_text(0.0000001) == "0");
  CHECK(number_text(std::numeric_limits<double>::infinity()) == "null");
  std::mt19937_64 random(1);  // NOLINT(cert-msc51-cpp): the same numbers in every run
  for (double scale = 1e-6; scale < 1e12; scale *= 10) {
    for (int i = 0; i < 200; ++i) {
      const double value = scale * std::uniform_real_distribution<double>(-1, 1)(random);
      const double rounded = rounded_for_json(value);
      const std::string text = number_text(value);
      INFO(text);
      CHECK(json::parse(text).get<double>() == rounded);
      CHECK(text.size() <= json(rounded).dump().size());  // The library's is not always the shortest.
    }
  }
}

TEST_CASE("strings are escaped") {
  for (const std::string text : {"", "kernel<float>(int *)", "a \"quoted\" \\ name", "two\nlines", "\x7f", "\xc3\xa9"})
    CHECK(string_text(text) == json(text).dump());
  CHECK(string_text("\xff") == json("\xff").dump(-1, ' ', false, json::error_handler_t::replace));
}

TEST_CASE("lists are written in one line, or indented") {
  const json nested = {{"text", "two\nlines"}, {"list", {1, 2}}};
  const json same = {{"a", {1, json::object(), json::array()}}, {"b", 0.5}, {"c", nested}};
  CHECK(document_text(-1, nested) == same.dump());
  CHECK(document_text(1, nested) == same.dump(1));
  CHECK(document_text(3, nested) == same.dump(3));
}
