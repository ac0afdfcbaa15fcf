// Keeps the program's copies of managed and bound memory up to date, and collects what answers must tell it.
#include "common/simulator/remote/device/remote_host.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "common/simulator/machine/global_memory.h"
#include "common/simulator/remote/calls.h"
#include "common/simulator/remote/channel.h"
#include "common/simulator/remote/device/session.h"

namespace warpbook::simulator::remote {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::size_t kMostRegistered = 4096;  ///< Each is a mapping, and the system allows some 65,000 per process.
/// Kernel printf output is sent with answers; the limit stops a program that prints without end.
constexpr std::size_t kLongestPrint = std::size_t{64} << 20;

}  // namespace

const std::uint64_t RemoteHost::kFirst = GlobalMemory::kHostBegin;

RemoteHost::RemoteHost() {
  file_ = ::memfd_create("warpbook device memory", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file_ < 0 || ::ftruncate(file_, static_cast<off_t>(kSharedBytes)) != 0)
    throw std::runtime_error(std::string("memory to be shared with a program cannot be made: ") + std::strerror(errno));
  // The program receives the file, too: seals prevent it from shrinking the file under the device.
  ::fcntl(file_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  void* const pages =
      ::mmap(nullptr, GlobalMemory::kHostBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file_, 0);
  if (pages == MAP_FAILED)
    throw std::runtime_error(
        "there is no address space for memory that is shared with a program: raise the limit on "
        "virtual memory (ulimit -v)");
  shared_ = static_cast<std::byte*>(pages);
}

void RemoteHost::effect(Effect what) {
  effects_.put(what);
  ++count_;
}

void RemoteHost::print(std::string_view text, bool is_error) {
  if (ended_) return Host::print(text, is_error);
  if (effects_.bytes().size() + text.size() > kLongestPrint) return;
  effect(Effect::print);
  effects_.put<std::uint8_t>(is_error);
  effects_.block(text.data(), text.size());
}

void RemoteHost::complain(const std::string& line) { print(line + "\n", true); }

bool RemoteHost::protect(std::uint64_t address, std::uint64_t bytes, int rights) {
  if (rights != PROT_NONE) show(address, bytes);
  return limit(address, bytes, rights);
}

bool RemoteHost::limit(std::uint64_t address, std::uint64_t bytes, int rights) {
  effect(Effect::protect);
  effects_.put(address);
  effects_.put(bytes);
  effects_.put<std::int32_t>(rights);
  return true;
}

void RemoteHost::forget(std::uint64_t address, std::uint64_t bytes) {
  unbind(address);
  effect(Effect::protect);
  effects_.put(address);
  effects_.put(bytes);
  effects_.put<std::int32_t>(PROT_READ | PROT_WRITE);
  give_back(address, bytes);
}

void RemoteHost::fetch(std::uint64_t address, std::uint64_t bytes) {
  if (!is_bound(address)) std::memcpy(reinterpret_cast<void*>(address), shared(address), bytes);
}

void RemoteHost::show(std::uint64_t address, std::uint64_t bytes) {
  const std::byte* const own = own_of(address);
  std::memcpy(shared(address), own != nullptr ? own : reinterpret_cast<const std::byte*>(address), bytes);
}

std::byte* RemoteHost::shared(std::uint64_t address) const {
  if (address - kFirst < GlobalMemory::kHostBytes) return shared_ + (address - kFirst);
  const auto next = registered_.upper_bound(address);
  if (next == registered_.begin()) throw std::logic_error("memory that is neither shared nor registered");
  const auto& [begin, pages] = *std::prev(next);
  return reinterpret_cast<std::byte*>(pages.address) + begin % kPage + (address - begin);
}

std::byte* RemoteHost::pinned(std::uint64_t address, std::uint64_t bytes) {
  effect(Effect::protect);
  effects_.put(address);
  effects_.put((bytes + kPage - 1) / kPage * kPage);
  effects_.put<std::int32_t>(PROT_READ | PROT_WRITE);
  return shared(address);
}

std::byte* RemoteHost::registered(std::uint64_t address, std::uint64_t bytes) {
  if (address + bytes < address || address + bytes > kSharedBytes - GlobalMemory::kHostBytes) return nullptr;
  if (registered_.count(address) != 0 || registered_.size() >= kMostRegistered) return nullptr;
  const std::uint64_t first = address / kPage * kPage;
  void* const pages = ::mmap(nullptr, address + bytes - first, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                             file_, static_cast<off_t>(registered_offset(first)));
  if (pages == MAP_FAILED) return nullptr;
  registered_[address] = {reinterpret_cast<std::uint64_t>(pages), address + bytes - first};
  // It belongs to an owner's array, and stays where the device has it.
  const std::span<std::byte> own = pageable(address, bytes);
  if (own.empty()) return static_cast<std::byte*>(pages) + (address - first);
  bind(address, bytes, own.data(), true);
  return own.data();
}

/// Returns whole pages of the shared file to the system; both processes then read them as zeros.
void RemoteHost::give_back(std::uint64_t address, std::uint64_t bytes) {
  if (address < kFirst || address - kFirst >= GlobalMemory::kHostBytes) return;
  const std::uint64_t begin = (address - kFirst + kPage - 1) / kPage * kPage,
                      end = (address - kFirst + bytes) / kPage * kPage;
  if (begin < end)
    ::fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(begin),
                static_cast<off_t>(end - begin));
}

void RemoteHost::unpin(std::uint64_t address, std::uint64_t bytes) {
  unbind(address);
  const auto found = registered_.find(address);
  if (found == registered_.end()) return give_back(address, bytes);
  ::munmap(reinterpret_cast<void*>(found->second.address), found->second.bytes);
  registered_.erase(found);
}

void RemoteHost::publish(const void* pointer, std::uint64_t address) {
  effect(Effect::publish);
  effects_.put(reinterpret_cast<std::uint64_t>(pointer));
  effects_.put(address);
}

std::size_t RemoteHost::other_threads(std::size_t) {
  if (channel_ < 0) return 0;
  Writer question;
  question.put(ProgramKind::threads);
  question.put<std::uint64_t>(0);
  const std::vector<std::byte> answer = ask(question);
  Reader from(answer);
  const auto threads = from.get<std::uint64_t>();
  from.end();
  return static_cast<std::size_t>(threads);
}

void RemoteHost::pause(std::chrono::microseconds time) {
  const auto caller = std::pair(channel_, session_);
  if (caller.first < 0) return Host::pause(time);
  call_lock_.unlock();
  Host::pause(time);
  call_lock_.lock();
  set_caller(caller.first, caller.second);
}

void RemoteHost::run(std::uint64_t function, std::uint64_t data) {
  Writer question;
  question.put(ProgramKind::run);
  question.put(function);
  question.put(data);
  ask(question);
}

void RemoteHost::read(std::uint64_t address, std::span<std::byte> to) {
  const std::span<std::byte> array = pageable(address, to.size());
  if (!array.empty()) {
    std::memcpy(to.data(), array.data(), to.size());
    return;
  }
  Writer question;
  question.put(ProgramKind::read);
  question.put(address);
  question.put<std::uint64_t>(to.size());
  const std::vector<std::byte> bytes = ask(question);
  if (bytes.size() != to.size()) throw WireError("a program sends other bytes than it was asked for");
  std::memcpy(to.data(), bytes.data(), bytes.size());
  if (session_ != nullptr && session_->owner != nullptr) session_->owner->arriving(to);
}

void RemoteHost::write(std::uint64_t address, std::span<const std::byte> from) {
  const std::span<std::byte> array = pageable(address, from.size());
  if (!array.empty()) std::memcpy(array.data(), from.data(), from.size());
  Writer question;
  question.put(ProgramKind::write);
  question.put(address);
  question.block(from.data(), from.size());
  ask(question);
}

/// Sends a request to the thread that waits for an answer. Calls that it makes meanwhile are handled.
std::vector<std::byte> RemoteHost::ask(const Writer& question) {
  if (channel_ < 0 || session_ == nullptr) throw WireError("there is no program to ask");
  const int channel = channel_;
  Writer effects;
  put_effects(effects, *session_);
  Head back{kMagic, static_cast<std::uint16_t>(Call::program), 0, effects.bytes().size() + question.bytes().size()};
  if (!send_all(channel, back, effects.bytes(), question.bytes())) throw WireError("the program is gone");
  for (;;) {
    Head head;
    if (!receive_all(channel, &head, sizeof head)) throw WireError("the program is gone");
    if (head.magic != kMagic || head.bytes > kLargestMessage) throw WireError("a message has no proper head");
    std::vector<std::byte> message(head.bytes);
    if (!receive_all(channel, message.data(), message.size())) throw WireError("the program is gone");
    if (head.call == static_cast<std::uint16_t>(Call::program)) return message;
    Reader from(message);
    Writer results, answer;
    answer_call(head.call, *session_, from, results);
    put_effects(answer, *session_);
    back = {kMagic, head.call, 0, answer.bytes().size() + results.bytes().size()};
    if (!send_all(channel, back, answer.bytes(), results.bytes())) throw WireError("the program is gone");
  }
}

void RemoteHost::bind(std::uint64_t address, std::uint64_t bytes, std::byte* own, bool is_pinned) {
  bound_[address] = {bytes, own};
  if (is_pinned) bound_pinned_.push_back({address, bytes});
  show(address, bytes);
}

void RemoteHost::unbind(std::uint64_t address) {
  bound_.erase(address);
  std::erase_if(bound_pinned_, [&](const Range& range) { return range.address == address; });
}

const std::byte* RemoteHost::own_of(std::uint64_t address) const {
  const auto next = bound_.upper_bound(address);
  if (next == bound_.begin()) return nullptr;
  const auto& [begin, bound] = *std::prev(next);
  return address - begin < bound.bytes ? bound.own + (address - begin) : nullptr;
}

bool RemoteHost::is_array(std::uint64_t address) const {
  return is_bound(address) || (address != 0 && address == on_their_way_) || !pageable(address, 1).empty();
}

std::span<std::byte> RemoteHost::pageable(std::uint64_t address, std::uint64_t size) const {
  const auto next = pageable_.upper_bound(address);
  if (next == pageable_.begin()) return {};
  const auto& [begin, bytes] = *std::prev(next);
  const std::uint64_t offset = address - begin;
  return offset <= bytes.size() && size <= bytes.size() - offset ? bytes.subspan(offset, size) : std::span<std::byte>();
}

bool RemoteHost::is_pinned_copy(std::uint64_t address) const {
  return std::any_of(bound_pinned_.begin(), bound_pinned_.end(),
                     [&](const Range& range) { return range.address == address; });
}

void RemoteHost::put_effects(Writer& to, Session& session) {
  if (count_ == 0 && session.effects_told != answers_) effect(Effect::wait);
  to.put(count_);
  if (count_ != 0) to.put(answers_++);
  session.effects_told = answers_;
  to.raw(effects_.bytes().data(), effects_.bytes().size());
  effects_ = Writer();
  count_ = 0;
}

RemoteHost& remote_host() {
  static auto* const host = [] {
    auto* made = new RemoteHost;
    runtime::set_host(*made);
    return made;
  }();
  return *host;
}

}  // namespace warpbook::simulator::remote
