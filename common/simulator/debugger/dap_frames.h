// Messages of the Debug Adapter Protocol among the bytes of a stream: "Content-Length: N", an empty line, N bytes.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace warpbook::simulator::debugger {

inline std::string dap_frame(const std::string& text) {
  return "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text;
}

class DapFrames {
 public:
  void add(std::string_view bytes) { bytes_ += bytes; }
  /// The next complete message, if there is one.
  std::optional<std::string> take() {
    const std::size_t end = bytes_.find("\r\n\r\n");
    if (end == std::string::npos) return std::nullopt;
    constexpr std::string_view kLength = "Content-Length:";
    const std::size_t field = bytes_.find(kLength);
    const std::size_t length = field < end ? std::strtoul(bytes_.c_str() + field + kLength.size(), nullptr, 10) : 0;
    if (bytes_.size() - end - 4 < length) return std::nullopt;
    std::string text = bytes_.substr(end + 4, length);
    bytes_.erase(0, end + 4 + length);
    return text;
  }

 private:
  std::string bytes_;
};

}  // namespace warpbook::simulator::debugger
