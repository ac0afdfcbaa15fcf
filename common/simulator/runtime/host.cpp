// The program in this process.
#include "common/simulator/runtime/host.h"

#include <sys/mman.h>

#include <cstdio>
#include <cstring>
#include <thread>

#include "common/simulator/runtime/process_threads.h"

namespace warpbook::simulator::runtime {
namespace {

Host* the_host = nullptr;

}  // namespace

void Host::print(std::string_view text, bool is_error) {
  if (is_error) std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), is_error ? stderr : stdout);
}

void Host::complain(const std::string& line) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s\n", line.c_str());
}

bool Host::protect(std::uint64_t address, std::uint64_t bytes, int rights) {
  return ::mprotect(reinterpret_cast<void*>(address), bytes, rights) == 0;
}

void Host::forget(std::uint64_t address, std::uint64_t bytes) { protect(address, bytes, PROT_READ | PROT_WRITE); }

std::size_t Host::other_threads(std::size_t own) { return other_threads_of_process(own); }

void Host::pause(std::chrono::microseconds time) { std::this_thread::sleep_for(time); }

void Host::run(std::uint64_t function, std::uint64_t data) {
  reinterpret_cast<void (*)(void*)>(function)(reinterpret_cast<void*>(data));
}

void Host::read(std::uint64_t address, std::span<std::byte> to) {
  std::memcpy(to.data(), reinterpret_cast<const void*>(address), to.size());
}

void Host::write(std::uint64_t address, std::span<const std::byte> from) {
  std::memcpy(reinterpret_cast<void*>(address), from.data(), from.size());
}

void Host::publish(const void* pointer, std::uint64_t address) {
  std::memcpy(const_cast<void*>(pointer), &address, sizeof address);
}

Host& host() {
  static auto* own = new Host;
  return the_host == nullptr ? *own : *the_host;
}

void set_host(Host& host) { the_host = &host; }

}  // namespace warpbook::simulator::runtime
