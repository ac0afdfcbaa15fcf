// A worker without a GPU: does what the case says, honest or not.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "common/cuda/lab.h"
#include "grader/judge/poison.h"
#include "grader/runner/process.h"
#include "grader/runner/protocol.h"
#include "grader/runner/worker.h"

using namespace warpbook::grader;

namespace {

/// What InputBuffer and OutputBuffer do, without a device.
Value buffer(const Case& given, const std::string& name, const std::vector<float>* contents, std::size_t count) {
  Value value;
  value.element = Element::f32;
  value.role = contents != nullptr ? Value::Role::input_buffer : Value::Role::output_buffer;
  value.guard_bytes = static_cast<std::uint32_t>(given.integer(kGuardBytes));
  value.bytes.resize(2 * value.guard_bytes + count * sizeof(float));
  fill_poison(std::span(value.bytes), static_cast<std::uint64_t>(given.integer(kPoisonSeed)), name);
  if (contents != nullptr) std::memcpy(value.bytes.data() + value.guard_bytes, contents->data(), count * sizeof(float));
  return value;
}

void store(Value& value, std::ptrdiff_t index, float number) {
  std::memcpy(value.bytes.data() + value.guard_bytes + index * static_cast<std::ptrdiff_t>(sizeof number), &number,
              sizeof number);
}

/// out = 2 * in, with one mistake if the case asks for it.
void twice(const Case& given, Reply& reply, const std::string& mistake) {
  std::vector<float> in = given.array<float>("in");
  Value out = buffer(given, "out", nullptr, in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (mistake == "leaves one out" && i == 3) continue;
    store(out, static_cast<std::ptrdiff_t>(i), 2 * in[i]);
  }
  if (mistake == "writes before") store(out, -1, 1);
  if (mistake == "writes after") store(out, static_cast<std::ptrdiff_t>(in.size()), 1);
  if (mistake == "changes input") in[0] += 1;
  if (mistake != "sends nothing") reply.put("out", std::move(out));
  reply.put("in", buffer(given, "in", &in, in.size()));
}

/// Writes the profile that the fake device will return.
void write_profile(const std::string& text) {
  if (std::getenv("WARPBOOK_DEVICE_CHANNEL") == nullptr) return;
  if (write(kDeviceChannel, text.data(), text.size()) < 0) throw std::runtime_error("the fake device does not listen");
}

std::string profile_with(const std::string& kernels, const std::string& errors, const std::string& complaints = "") {
  return R"({"format": "warpbook.profile", "version": 1, "device": "h200", "kernels": [)" + kernels +
         R"(], "errors": [)" + errors + R"(], "complaints": [)" + complaints + "]}";
}

[[noreturn]] void hang() {
  for (;;) {
    asm volatile("");
  }
}

/// Uses CPU time: as much as the case says for the name under which this program was started, or endlessly.
void work(const Case& given) {
  const std::string program = program_invocation_short_name;
  if (!given.has(program)) hang();
  while (static_cast<double>(std::clock()) < given.real(program) * CLOCKS_PER_SEC) {
  }
  write_profile(profile_with("", ""));
}

/// Takes as much memory as the case says for the name under which this program was started, in MiB.
void take(const Case& given) {
  std::vector<std::vector<char>> taken;
  for (int i = 0; i < given.integer(program_invocation_short_name); ++i) taken.emplace_back(1 << 20, 1);
  write_profile(profile_with("", ""));
}

void fork_and(void (*child)()) {
  if (fork() == 0) {
    child();
    _exit(0);
  }
}

}  // namespace

/// Read by the address sanitizer, where it is built in: a crash must stay a crash.
extern "C" const char* __asan_default_options() { return "handle_segv=0:handle_abort=0:detect_leaks=0"; }

void run_case(const Case& given, Reply& reply) {
  const std::string what = given.text("do");
  if (what == "echo") return void(reply = given);
  if (what == "twice") return twice(given, reply, given.has("mistake") ? given.text("mistake") : "");
  if (what == "twice, counted") {
    write_profile(profile_with(given.has("kernels") ? given.text("kernels") : "", "",
                               given.has("complaint") ? '"' + given.text("complaint") + '"' : ""));
    if (given.has("says")) std::fprintf(stderr, "%s\n", given.text("says").c_str());
    return twice(given, reply, "");
  }
  if (what == "fault") {
    write_profile(profile_with("", given.text("error")));
    throw std::runtime_error("cudaErrorIllegalAddress");
  }
  if (what == "unnoticed fault") return write_profile(profile_with("", given.text("error")));
  if (what == "broken profile") return write_profile("{ no JSON");
  if (what == "not started") warpbook::not_started("lab.cu", 12);
  if (what == "throw") throw std::runtime_error("it does not work");
  if (what == "crash") raise(SIGSEGV);
  if (what == "abort") std::abort();
  if (what == "exit 0") std::exit(0);
  if (what == "exit 3") _exit(3);
  if (what == "libgomp") {
    std::fprintf(stderr, "libgomp: present clause: !acc_is_present\n");
    _exit(1);
  }
  if (what == "hang") hang();
  if (what == "work") return work(given);
  if (what == "take") return take(given);
  if (what == "sleep") std::this_thread::sleep_for(std::chrono::seconds(100));
  if (what == "ignore signals and hang") {
    for (int number = 1; number < 32; ++number) std::signal(number, SIG_IGN);
    hang();
  }
  if (what == "close the channel") {
    close(kWorkerChannel);
    std::this_thread::sleep_for(std::chrono::seconds(100));
  }
  if (what == "print") {
    std::printf("to stdout\n");
    std::fprintf(stderr, "to stderr\n");
    std::fflush(stdout);
    throw std::runtime_error("after printing");
  }
  if (what == "print without end") {
    const std::string line(1000, 'x');
    for (;;) std::puts(line.c_str());
  }
  if (what == "take memory") {
    std::vector<std::vector<char>> blocks;
    for (int i = 0; i < 4096; ++i) blocks.emplace_back(16 << 20, 'x');
  }
  if (what == "write a large file") {
    std::ofstream file("large");
    const std::string block(1 << 20, 'x');
    for (int i = 0; i < 1024 && file; ++i) file << block << std::flush;
  }
  if (what == "start many processes") {
    for (int i = 0; i < 200; ++i) fork_and([] { std::this_thread::sleep_for(std::chrono::seconds(100)); });
    std::this_thread::sleep_for(std::chrono::seconds(100));
  }
  if (what == "leave a child behind") {
    const std::string mark = given.text("mark");
    if (fork() == 0) {
      setsid();
      for (;;) {
        std::ofstream(mark, std::ios::app) << "alive\n";
        usleep(20000);
      }
    }
    usleep(100000);
    reply.set("done", 1);
    return;
  }
  if (what == "send a large reply") {
    const std::vector<char> block(1 << 20, 'x');
    while (write(kWorkerChannel, block.data(), block.size()) > 0) {
    }
  }
  if (what == "forge a reply") {
    Reply forged;
    forged.set(kStatus, "completed").set("out", std::vector<float>{1, 2, 3});
    const auto frame = encode(forged, 0x1234);
    [[maybe_unused]] const auto written = write(kWorkerChannel, frame.data(), frame.size());
    std::printf("All tests passed\n");
    std::fflush(stdout);
    _exit(0);
  }
  if (what == "send twice") {
    const auto frame = encode(reply, 0x1234);
    [[maybe_unused]] const auto written = write(kWorkerChannel, frame.data(), frame.size());
  }
  if (what == "look around") {
    std::string environment;
    for (char** entry = environ; *entry != nullptr; ++entry) environment += std::string(*entry) + "\n";
    char folder[4096];
    reply.set("environment", environment).set("folder", getcwd(folder, sizeof folder));
    int open_descriptors = 0;
    for (int fd = 4; fd < 1024; ++fd) open_descriptors += fcntl(fd, F_GETFD) >= 0 ? 1 : 0;
    reply.set("descriptors", open_descriptors);
    struct stat state {};
    reply.set("stdin is empty", stat("/dev/stdin", &state) == 0 && getchar() == EOF ? 1 : 0);
  }
}
