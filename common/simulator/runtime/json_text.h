// JSON that is written as text at once, for long documents: a tree of their values takes several times as long.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpbook::simulator::runtime {

/// Appends values to a text, laid out as by nlohmann::json. Its user writes members in alphabetical order.
class JsonText {
 public:
  /// @param indent columns for each level; -1: all in one line
  /// @param level the level at which the text will stand
  JsonText(std::string& text, int indent, int level = 0) : text_(text), indent_(indent), level_(level) {}

  void begin_object() { begin('{'); }
  void end_object() { end('}'); }
  void begin_array() { begin('['); }
  void end_array() { end(']'); }
  /// Begins a member of an object.
  void key(std::string_view name);
  /// Begins an element of an array.
  void element() { separate(); }

  void null() { text_ += "null"; }
  void integer(std::int64_t value);
  void integer(std::uint64_t value);
  /// An integer if the value is one; otherwise rounded to six digits, so that rounding errors in the last bits never
  /// show.
  void number(double value);
  void string(std::string_view value);
  /// A value that is already JSON of this indentation, at level 0.
  void json(std::string_view value);

  void member(std::string_view name, std::string_view value) {
    key(name);
    string(value);
  }
  template <std::unsigned_integral T>
  void member(std::string_view name, T value) {
    key(name);
    integer(std::uint64_t{value});
  }
  void member(std::string_view name, double value) {
    key(name);
    number(value);
  }

 private:
  void begin(char bracket);
  void end(char bracket);
  void separate();
  void new_line();

  std::string& text_;
  int indent_, level_;
  bool first_ = true;  ///< Of the innermost open list.
};

/// As JsonText::number() rounds: picoseconds, millionths of a ratio.
inline double rounded_for_json(double value) {
  constexpr double kResolution = 1e6;
  return std::round(value * kResolution) / kResolution;
}

/// The integer that @p rounded is; nothing if it is none.
inline std::optional<std::int64_t> whole_number(double rounded) {
  if (rounded != std::trunc(rounded) || std::fabs(rounded) >= 9e15) return std::nullopt;
  return static_cast<std::int64_t>(rounded);
}

}  // namespace warpbook::simulator::runtime
