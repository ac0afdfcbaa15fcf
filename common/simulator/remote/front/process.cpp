// Connections, effects, and shared memory of the program's process.
#include "common/simulator/remote/front/process.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "common/simulator/machine/global_memory.h"
#include "common/simulator/remote/channel.h"
#include "common/simulator/runtime/crash_report.h"
#include "common/simulator/runtime/process_threads.h"

namespace warpbook::simulator::remote {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr int kNoDevice = 74;  // EX_IOERR

thread_local bool per_thread_stream = false;
thread_local int channel = -1;

/// State shared by all threads. Never destroyed: exit handlers still make calls.
struct Process {
  std::mutex lock;
  pid_t pid = 0;
  int first = -1;                                     ///< The descriptor with which the process was started.
  int memory = -1;                                    ///< The file behind the shared memory.
  int lobby = -1;                                     ///< Receives the sockets of additional threads.
  std::map<std::uint64_t, std::uint64_t> registered;  ///< Address to bytes.
  std::set<std::uint64_t> shared_pages;
  std::mutex effects;
  std::condition_variable next;
  std::uint64_t turn = 0;  ///< Number of the answer whose effects are next.
};

Process& process() {
  static auto* one = new Process;
  return *one;
}

[[noreturn]] void give_up(const std::string& why) {
  std::fflush(stdout);
  std::fprintf(stderr, "warpbook: %s\n", why.c_str());
  std::_Exit(kNoDevice);
}

/// Keeps the device's addresses reserved, and maps the device's file where the host may access them.
void map_device_range() {
  Process& all = process();
  void* const base = reinterpret_cast<void*>(GlobalMemory::kBase);
  void* const host = reinterpret_cast<void*>(GlobalMemory::kHostBegin);
  const bool reserved = mmap(base, GlobalMemory::kBytes, PROT_NONE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) == base;
  if (!reserved || mmap(host, GlobalMemory::kHostBytes, PROT_NONE, MAP_SHARED | MAP_FIXED, all.memory, 0) != host)
    give_up("the program's process has no room for the device's addresses: raise the limit on virtual memory");
}

runtime::Served serve_fault(std::uint64_t address, bool write, std::uint64_t) {
  Exchange exchange(Call::host_fault);
  exchange.arguments().put(address);
  exchange.arguments().put<std::uint8_t>(write);
  return exchange.ask().get<std::uint8_t>() != 0 ? runtime::Served::yes : runtime::Served::no;
}
void end_fault(std::uint64_t) {}

/// The position in the program's own code that led to the faulting instruction, as its debug information counts: the
/// instruction, or the call of a library function (memcpy) that contains it. 0 if unknown.
std::uint64_t offset_in_program(std::uint64_t instruction) {
  void* addresses[16];
  void** const end = addresses + backtrace(addresses, std::size(addresses));
  void** at = std::find(addresses, end, reinterpret_cast<void*>(instruction));
  const auto offset_of = [](std::uint64_t address) -> std::uint64_t {
    Dl_info info{};
    link_map* map = nullptr;
    const int found =
        dladdr1(reinterpret_cast<const void*>(address), &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP);
    // The program itself has an empty name here.
    return found == 0 || map == nullptr || *map->l_name != '\0' ? 0 : address - map->l_addr;
  };
  if (const std::uint64_t offset = offset_of(instruction); offset != 0) return offset;
  // A return address is after its call, and may be on the next line.
  for (at += at == end ? 0 : 1; at < end; ++at)
    if (const std::uint64_t offset = offset_of(reinterpret_cast<std::uint64_t>(*at) - 1); offset != 0) return offset;
  return 0;
}

/// The device's process tells the program why.
void explain_fault(std::uint64_t address, bool write, std::uint64_t instruction) {
  Exchange exchange(Call::host_crash);
  exchange.arguments().put(address);
  exchange.arguments().put<std::uint8_t>(write);
  exchange.arguments().put(offset_in_program(instruction));
  exchange.ask();
}

void connect_first() {
  Process& all = process();
  const char* text = std::getenv(kChannelVariable);
  if (text == nullptr)
    give_up(std::string("this library needs a device in another process, and ") + kChannelVariable +
            " does not say which descriptor leads to it");
  all.first = std::atoi(text);
  all.pid = getpid();
  fcntl(all.first, F_SETFD, FD_CLOEXEC);
  all.memory = receive_descriptor(all.first);
  all.lobby = receive_descriptor(all.first);
  if (all.memory < 0 || all.lobby < 0) give_up("the device's process does not answer");
  map_device_range();
  runtime::install_crash_report({serve_fault, end_fault, explain_fault});
}

/// This thread's descriptor.
int connection() {
  Process& all = process();
  if (channel >= 0 && all.pid == getpid()) return channel;
  const std::lock_guard guard(all.lock);
  if (all.first < 0) {
    connect_first();
    return channel = all.first;
  }
  if (all.pid != getpid()) give_up("a child process of a program that uses the device cannot use it, too");
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) give_up("a thread cannot connect to the device");
  const Head head{kMagic, static_cast<std::uint16_t>(Call::connect), 0, 0};
  if (!send_descriptor(all.lobby, head, ends[1])) give_up("the device's process is gone");
  close(ends[1]);
  // Closed when the thread ends. The first thread's stays open for exit handlers.
  static thread_local struct Closer {
    ~Closer() {
      if (channel >= 0 && channel != process().first) close(std::exchange(channel, -1));
    }
  } closer;
  (void)closer;
  return channel = ends[0];
}

void apply_effects(Reader& answer) {
  auto count = answer.get<std::uint32_t>();
  if (count == 0) return;
  // Effects are applied in the order in which the device produced them, whichever thread's call it was.
  Process& all = process();
  const auto turn = answer.get<std::uint64_t>();
  std::unique_lock guard(all.effects);
  all.next.wait(guard, [&] { return all.turn == turn; });
  std::vector<std::pair<bool, std::span<const std::byte>>> texts;
  for (; count > 0; --count) {
    switch (answer.get<Effect>()) {
      case Effect::wait:
        break;
      case Effect::print: {
        const bool is_error = answer.get<std::uint8_t>() != 0;
        texts.emplace_back(is_error, answer.block());
        break;
      }
      case Effect::protect: {
        const auto address = answer.get<std::uint64_t>(), bytes = answer.get<std::uint64_t>();
        const auto rights = answer.get<std::int32_t>();
        mprotect(reinterpret_cast<void*>(address), bytes, rights);
        break;
      }
      case Effect::publish: {
        const auto pointer = answer.get<std::uint64_t>(), value = answer.get<std::uint64_t>();
        std::memcpy(reinterpret_cast<void*>(pointer), &value, sizeof value);
        break;
      }
    }
  }
  ++all.turn;
  all.next.notify_all();
  guard.unlock();
  // Without the lock: a thread that prints managed memory holds the file, and needs its turn.
  for (const auto& [is_error, text] : texts) {
    if (is_error) std::fflush(stdout);
    std::fwrite(text.data(), 1, text.size(), is_error ? stderr : stdout);
  }
}

/// Carries out a request of the device during a call. @returns the response
Writer serve_device(Reader question) {
  Writer reply;
  const auto kind = question.get<ProgramKind>();
  const auto first = question.get<std::uint64_t>();
  if (kind == ProgramKind::run) {
    const auto data = question.get<std::uint64_t>();
    reinterpret_cast<void (*)(void*)>(first)(reinterpret_cast<void*>(data));
  } else if (kind == ProgramKind::threads) {
    reply.put<std::uint64_t>(runtime::other_threads_of_process(0));
  } else if (kind == ProgramKind::read) {
    reply.raw(reinterpret_cast<const void*>(first), question.get<std::uint64_t>());
  } else {
    const auto bytes = question.block();
    std::memcpy(reinterpret_cast<void*>(first), bytes.data(), bytes.size());
  }
  return reply;
}

}  // namespace

Reader Exchange::ask() {
  const int to = connection();
  Head head{kMagic, static_cast<std::uint16_t>(call_), per_thread_stream ? kPerThreadStream : std::uint16_t{0},
            arguments_.bytes().size()};
  for (;;) {
    Head back;
    if (!send_all(to, head, arguments_.bytes()) || !receive_all(to, &back, sizeof back) || back.magic != kMagic)
      give_up("the device's process is gone");
    if (back.bytes > kLargestAnswer) give_up("the device's process sends what is no answer");
    answer_.resize(back.bytes);
    if (!receive_all(to, answer_.data(), answer_.size())) give_up("the device's process is gone");
    Reader answer(answer_);
    apply_effects(answer);
    if (back.call != static_cast<std::uint16_t>(Call::program)) return answer;
    arguments_ = serve_device(answer);
    head = {kMagic, static_cast<std::uint16_t>(Call::program), 0, arguments_.bytes().size()};
  }
}

PerThreadDefaultStream::PerThreadDefaultStream() : before_(std::exchange(per_thread_stream, true)) {}
PerThreadDefaultStream::~PerThreadDefaultStream() { per_thread_stream = before_; }

bool is_known_to_device(const void* pointer) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  if (address - GlobalMemory::kBase < GlobalMemory::kBytes) return true;
  Process& all = process();
  const std::lock_guard guard(all.lock);
  const auto next = all.registered.upper_bound(address);
  return next != all.registered.begin() && address - std::prev(next)->first < std::prev(next)->second;
}

bool share_pages(void* pointer, std::size_t bytes) {
  Process& all = process();
  const std::lock_guard guard(all.lock);
  const auto begin = reinterpret_cast<std::uint64_t>(pointer) / kPage * kPage;
  const auto end = (reinterpret_cast<std::uint64_t>(pointer) + bytes + kPage - 1) / kPage * kPage;
  for (std::uint64_t page = begin; page < end; page += kPage) {
    if (!all.shared_pages.insert(page).second) continue;
    const auto offset = static_cast<off_t>(registered_offset(page));
    void* const copy = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, all.memory, offset);
    if (copy == MAP_FAILED) return false;
    std::memcpy(copy, reinterpret_cast<void*>(page), kPage);
    void* const moved = mremap(copy, kPage, kPage, MREMAP_MAYMOVE | MREMAP_FIXED, reinterpret_cast<void*>(page));
    if (moved == MAP_FAILED) return false;
  }
  return true;
}

void add_registered(const void* pointer, std::size_t bytes) {
  Process& all = process();
  const std::lock_guard guard(all.lock);
  all.registered[reinterpret_cast<std::uint64_t>(pointer)] = bytes;
}

void remove_registered(const void* pointer) {
  Process& all = process();
  const std::lock_guard guard(all.lock);
  all.registered.erase(reinterpret_cast<std::uint64_t>(pointer));
}

}  // namespace warpbook::simulator::remote
