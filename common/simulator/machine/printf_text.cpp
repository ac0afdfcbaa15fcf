// The formats of printf in kernels.
#include "common/simulator/machine/printf_text.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

namespace warpbook::simulator {
namespace {

/// CUDA C++ programming guide, "Limitations".
constexpr std::size_t kMostArguments = 32;
constexpr std::size_t kMostBytes = 1 << 20;  ///< Of one conversion.
constexpr unsigned kSlot = 8;

bool is_one_of(char c, const char* letters) { return c != '\0' && std::strchr(letters, c) != nullptr; }

/// Text, and a conversion after it if `type` is not 0.
struct Piece {
  std::string text;
  std::string raw;        ///< The conversion in the format,
  std::size_t end = 0;    ///< and where the format goes on after it.
  std::string flags;      ///< With '%', and the width if that is a number.
  bool has_star = false;  ///< The width is an argument. A precision cannot be one.
  std::string precision;  ///< With '.', and the digits.
  std::string length;
  char type = 0;

  /// The host's printf knows j, z and t, but is not told of their arguments.
  bool is_known() const { return length.empty() || length[0] == 'h' || length[0] == 'l'; }
  bool is_counted() const { return type != 0 && is_known() && length != "hh"; }
  bool is_floating() const { return is_one_of(type, "eEfFgGaA"); }
  bool is_integer() const { return is_one_of(type, "diuxXo"); }
  bool is_long() const {
    return is_floating() || is_one_of(type, "sp") || (is_integer() && is_one_of(length[0], "ljzt"));
  }
};

/// Reads letters of a format.
class Reader {
 public:
  Reader(const std::string& text, std::size_t at) : text_(text), at_(at) {}
  std::string take(const char* letters, std::size_t most) {
    std::string taken;
    while (taken.size() < most && at_ < text_.size() && is_one_of(text_[at_], letters)) taken += text_[at_++];
    return taken;
  }
  std::size_t at() const { return at_; }

 private:
  const std::string& text_;
  std::size_t at_;
};

/// Puts the conversion at a '%' into @p piece. @returns false if it is none
bool read_conversion(const std::string& format, std::size_t at, Piece& piece) {
  constexpr const char* kDigits = "0123456789";
  Reader reader(format, at + 1);
  piece.flags = "%" + reader.take("-+ #0", format.size());
  piece.has_star = !reader.take("*", 1).empty();
  if (!piece.has_star) piece.flags += reader.take(kDigits, format.size());
  piece.precision = reader.take(".", 1);
  if (!piece.precision.empty()) piece.precision += reader.take(kDigits, format.size());
  for (const char* length : {"h", "l", "j", "z", "t"}) {
    if (piece.length.empty()) piece.length = reader.take(length, is_one_of(*length, "hl") ? 2 : 1);
  }
  const std::string type = reader.take("diuxXoeEfFgGaAcsp", 1);
  if (type.empty()) return false;
  piece.type = type[0];
  piece.end = reader.at();
  piece.raw = format.substr(at, piece.end - at);
  return true;
}

std::vector<Piece> pieces_of(const std::string& format) {
  std::vector<Piece> pieces;
  std::string text;
  for (std::size_t i = 0; i < format.size(); ++i) {
    Piece piece;
    if (format[i] == '%' && i + 1 < format.size() && format[i + 1] == '%')
      ++i;
    else if (format[i] == '%' && read_conversion(format, i, piece)) {
      i += piece.raw.size() - 1;
      piece.text = std::exchange(text, {});
      pieces.push_back(std::move(piece));
      continue;
    }
    text += format[i];
  }
  pieces.emplace_back().text = std::move(text);
  return pieces;
}

template <class T>
std::string printed(const std::string& format, T value) {
  std::string out(256, '\0');
  const int length = std::snprintf(out.data(), out.size(), format.c_str(), value);
  const std::size_t bytes = std::min(kMostBytes, static_cast<std::size_t>(std::max(length, 0)));
  if (bytes >= out.size()) {
    out.resize(bytes + 1);
    std::snprintf(out.data(), out.size(), format.c_str(), value);
  }
  out.resize(bytes);
  return out;
}

class Printer {
 public:
  Printer(const std::string& format, const PrintfArguments& arguments)
      : format_(format), arguments_(arguments), pieces_(pieces_of(format)) {
    for (const Piece& piece : pieces_) {
      if (!piece.is_counted()) continue;
      if (piece.has_star) slots_.push_back(arguments.next(4));
      slots_.push_back(arguments.next(piece.is_long() ? 8 : 4));
    }
    slots_.resize(std::min(slots_.size(), kMostArguments));
  }

  PrintfText print() {
    PrintfText out;
    out.count = static_cast<int>(slots_.size());
    bool is_spent = false;  // The next argument has been printed by a conversion with j, z or t before.
    for (auto piece = pieces_.begin(); piece != pieces_.end(); ++piece) {
      out.text += piece->text;
      if (piece->type == 0) continue;
      if (piece->is_known()) {
        const std::string width = piece->has_star ? std::to_string(static_cast<int>(slot(next_++, piece->end))) : "";
        const std::uint64_t value = slot(next_++, piece->end);
        out.text += convert(*piece, width, is_spent && !piece->is_floating() ? 0 : value);
        is_spent = false;
        continue;
      }
      // One that is not known is handed to the host's printf with the first one after it that is, and that one's
      // argument; what would be the next argument is undefined there.
      const auto known =
          std::find_if(piece, pieces_.end(), [](const Piece& one) { return one.type != 0 && one.is_known(); });
      if (known == pieces_.end() || !piece->is_integer() || piece->has_star) {
        out.text += piece->raw;
        continue;
      }
      is_spent = is_spent || known->is_floating();
      out.text += convert(*piece, "", is_spent ? 0 : slot(next_ + known->has_star, known->end));
      is_spent = true;
    }
    return out;
  }

 private:
  /// After the arguments lies the format, in which the host has put an end after the conversion that it prints.
  std::uint64_t slot(std::size_t index, std::size_t end) const {
    if (index < slots_.size()) return slots_[index];
    std::uint64_t bytes = 0;
    for (std::size_t k = 0; k < kSlot; ++k) {
      const std::size_t at = kSlot * (index - slots_.size()) + k;
      if (at < format_.size() && at != end) bytes |= std::uint64_t{static_cast<unsigned char>(format_[at])} << (8 * k);
    }
    return bytes;
  }

  std::string convert(const Piece& piece, const std::string& width, std::uint64_t value) const {
    const std::string format = piece.flags + width + piece.precision;
    if (piece.is_floating()) return printed(format + piece.type, std::bit_cast<double>(value));
    if (piece.is_integer()) return printed(format + "ll" + piece.type, integer(piece, value));
    if (piece.type == 'p') return printed(format + 'p', reinterpret_cast<void*>(value));
    if (piece.type == 's') return printed(format + 's', string(piece, value).c_str());
    // A wide character that the C locale does not have makes the host's printf fail.
    if (piece.length[0] == 'l' && static_cast<std::uint32_t>(value) > 127) return "";
    return printed(format + 'c', static_cast<int>(value));
  }

  static long long integer(const Piece& piece, std::uint64_t value) {
    const bool has_sign = is_one_of(piece.type, "di");
    if (piece.is_long()) return static_cast<std::int64_t>(value);
    if (piece.length == "h") return has_sign ? static_cast<std::int16_t>(value) : static_cast<std::uint16_t>(value);
    if (piece.length == "hh") return has_sign ? static_cast<std::int8_t>(value) : static_cast<std::uint8_t>(value);
    return has_sign ? static_cast<std::int32_t>(value) : std::int64_t{static_cast<std::uint32_t>(value)};
  }

  std::string string(const Piece& piece, std::uint64_t address) const {
    constexpr std::string_view kNull = "(null)";
    if (address != 0) return arguments_.string(address);
    // All of it or nothing, as the host's printf.
    const bool fits =
        piece.precision.empty() || std::atoi(piece.precision.c_str() + 1) >= static_cast<int>(kNull.size());
    return fits ? std::string(kNull) : "";
  }

  const std::string& format_;
  const PrintfArguments& arguments_;
  std::vector<Piece> pieces_;
  std::vector<std::uint64_t> slots_;
  std::size_t next_ = 0;
};

}  // namespace

PrintfText printf_text(const std::string& format, const PrintfArguments& arguments) {
  return Printer(format, arguments).print();
}

}  // namespace warpbook::simulator
