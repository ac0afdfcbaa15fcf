// Sits between a program and its device, and records the calls of the program's first thread.
#pragma once

#include <string>
#include <thread>

namespace warpbook::simulator::remote {

class Recorder {
 public:
  /// @param program the socket to the program @param path the file to write
  Recorder(int program, std::string path);
  /// Waits for the end of the conversation and writes it. @returns false if that fails
  bool finish();
  /// The socket for the device to serve instead.
  int device() const { return ends_[0]; }

 private:
  void run();
  int program_;
  int ends_[2] = {-1, -1};
  std::string path_;
  std::thread thread_;
  bool written_ = false;
};

}  // namespace warpbook::simulator::remote
