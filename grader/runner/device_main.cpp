// The device process: executes an answer's CUDA calls on the virtual GPU, and sends the grader the results.
//
// Standard input: the case. Descriptor 3: the outputs back. Each is a frame (protocol.h). Descriptor 4: the profile.
// Descriptor 5: the program. The only student code here is kernels, on the virtual GPU.
#include <malloc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "common/simulator/remote/device/remote_host.h"
#include "common/simulator/remote/device/server.h"
#include "grader/runner/case_arrays.h"
#include "grader/runner/process.h"
#include "grader/runner/protocol.h"

namespace {

using namespace warpbook::grader;

/// The case, which must be a file.
Frame read_case(int from) {
  struct stat state {};
  if (fstat(from, &state) != 0 || !S_ISREG(state.st_mode) || state.st_size == 0)
    throw std::runtime_error("standard input is not a file with a case");
  const auto size = static_cast<std::size_t>(state.st_size);
  void* const bytes = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, from, 0);
  if (bytes == MAP_FAILED) throw std::runtime_error(std::string("the case cannot be read: ") + std::strerror(errno));
  Frame frame = decode({static_cast<const std::byte*>(bytes), size});
  ::munmap(bytes, size);
  return frame;
}

void write_all(int to, const std::vector<std::byte>& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t written = ::write(to, bytes.data() + done, bytes.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw std::runtime_error(std::string("outputs cannot be written: ") + std::strerror(errno));
    done += static_cast<std::size_t>(written);
  }
}

/// Memory of blocks is allocated and freed again with each grid. What goes back to the system is cleared before it is
/// used again, which took up to half of the time of cases with many small grids.
void keep_freed_memory() {
  constexpr int kOwnMapping = 32 << 20;  // The most that the library takes for this limit.
  mallopt(M_MMAP_THRESHOLD, kOwnMapping);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

/// Shared memory belongs to a file, and stays allocated when the program no longer maps it: only this process
/// can see how much there is.
void watch_shared_memory(int file) {
  const char* const text = std::getenv("WARPBOOK_SHARED_BYTES");
  if (text == nullptr) return;
  const std::uint64_t most = std::strtoull(text, nullptr, 10);
  std::thread([file, most] {
    constexpr std::uint64_t kBlock = 512;  // Of st_blocks.
    for (struct stat state{}; fstat(file, &state) == 0;) {
      if (static_cast<std::uint64_t>(state.st_blocks) * kBlock > most) _exit(kDeviceIsFull);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }).detach();
}

}  // namespace

int main() {
  prctl(PR_SET_DUMPABLE, 0);  // Programs of the same user must not read its memory.
  keep_freed_memory();
  try {
    watch_shared_memory(warpbook::simulator::remote::remote_host().memory_file());
    const Frame frame = read_case(STDIN_FILENO);
    CaseArrays arrays(frame.values);
    warpbook::simulator::remote::serve(kDeviceChannel, &arrays);
    write_all(kWorkerChannel, encode(arrays.results(), frame.nonce));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "device_process: %s\nThis program is started by the grader.\n", error.what());
    return 2;
  }
}
