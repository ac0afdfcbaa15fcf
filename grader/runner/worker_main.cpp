// The main function of every worker: one case in, one reply out; or, to be timed, one after another.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <new>
#include <string>
#include <vector>

#include "common/cuda/call_error.h"
#include "common/cuda/lab.h"
#include "grader/judge/named_arrays.h"
#include "grader/runner/device_arrays.h"
#include "grader/runner/protocol.h"
#include "grader/runner/worker.h"

namespace {

using namespace warpbook::grader;

std::vector<std::byte> read_all() {
  std::vector<std::byte> bytes;
  std::size_t used = 0;
  for (;;) {
    if (bytes.size() - used < (1u << 16)) bytes.resize(bytes.size() * 2 + (1u << 16));
    const ssize_t got = read(kWorkerChannel, bytes.data() + used, bytes.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw FrameError(std::string("the channel to the grader cannot be read: ") + std::strerror(errno));
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
  }
  bytes.resize(used);
  return bytes;
}

void write_all(const std::vector<std::byte>& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t written = write(kWorkerChannel, bytes.data() + done, bytes.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0)
      throw FrameError(std::string("the channel to the grader cannot be written: ") + std::strerror(errno));
    done += static_cast<std::size_t>(written);
  }
}

Timing requested_timing(const Case& given) {
  if (!given.has(kTiming)) return Timing::plain;
  const std::string text = given.text(kTiming);
  if (text == "queued") return Timing::queued;
  if (text == "waiting") return Timing::waiting;
  throw ValueError("the timing '" + text + "' is not known; it is 'queued' or 'waiting'");
}

Reply failed(const char* kind, const std::exception& error) {
  return Reply().set(kStatus, "error").set(kMessage, error.what()).set(kErrorKind, kind);
}

Reply run(const Case& given) {
  Reply reply;
  try {
    device_has_arrays();  // Withheld arrays are fetched from the device process.
    timing() = requested_timing(given);
    quiet() = given.has(kQuiet);
    run_case(given, reply);
    reply.set(kStatus, "completed");
  } catch (const warpbook::NotStarted& where) {
    reply = Reply();
    reply.set(kStatus, "not_started");
    reply.set(kMessage, where.file).set(kLine, where.line);
  } catch (const warpbook::CallError& error) {
    reply = failed("call", error).set(kErrorName, error.name()).set(kErrorCall, error.call());
  } catch (const MissingFunction& error) {
    reply = failed("function", error).set(kErrorCall, error.function());
  } catch (const std::bad_alloc& error) {
    reply = failed("memory", error);
  } catch (const std::exception& error) {
    reply = failed("other", error);
  }
  return reply;
}

/// Reads one case, up to the end of the channel.
void answer_one() {
  const Frame frame = decode(read_all());
  write_all(encode(run(frame.values), frame.nonce));
}

/// Reads a message (LiveProcess). @returns false at the end of the channel
bool read_message(std::vector<std::byte>& bytes) {
  std::uint64_t length = 0;
  const auto read_exactly = [](void* to, std::size_t size) {
    std::size_t used = 0;
    while (used < size) {
      const ssize_t got = read(kWorkerChannel, static_cast<char*>(to) + used, size - used);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return false;
      used += static_cast<std::size_t>(got);
    }
    return true;
  };
  if (!read_exactly(&length, sizeof length)) return false;
  bytes.resize(length);
  return read_exactly(bytes.data(), bytes.size());
}

/// Runs one case after another, until the grader closes the channel.
void serve() {
  Case last;
  std::vector<std::byte> message;
  while (read_message(message)) {
    Frame frame = decode(message);
    message = {};
    if (frame.values.has(kAgain)) {
      for (const auto& [name, value] : frame.values.all()) last.put(name, value);
    } else {
      last = std::move(frame.values);
    }
    Reply reply = run(last);
    if (last.has(kQuiet)) {
      Reply short_reply;
      for (const auto& [name, value] : reply.all())
        if (value.scalar || value.element == Element::text) short_reply.put(name, value);
      reply = std::move(short_reply);
    }
    const std::vector<std::byte> bytes = encode(reply, frame.nonce);
    const std::uint64_t length = bytes.size();
    std::vector<std::byte> head(sizeof length);
    std::memcpy(head.data(), &length, sizeof length);
    write_all(head);
    write_all(bytes);
  }
}

}  // namespace

namespace {

/// Handlers of exit() find them here.
std::map<const void*, ArrayPlace>& named_arrays() {
  static std::map<const void*, ArrayPlace> arrays;
  return arrays;
}

/// There will be no reply if arrays are still named at the end.
void send_arrays(int status, void*) {
  if (status == 0 || named_arrays().empty()) return;
  std::vector<ArrayPlace> places;
  for (const auto& [address, place] : named_arrays()) places.push_back(place);
  try {
    write_all(encode(values_of(places), 0));
  } catch (const std::exception&) {
    // The grader has closed the channel, and wants to know nothing.
  }
}

}  // namespace

warpbook::grader::NamedArray::NamedArray(const std::string& name, const void* address, std::size_t bytes)
    : address_(address) {
  // Made before the handler is registered, so that it lives longer.
  std::map<const void*, ArrayPlace>& arrays = named_arrays();
  static const int registered = on_exit(send_arrays, nullptr);
  if (registered == 0) arrays[address] = {name, reinterpret_cast<std::uintptr_t>(address), bytes};
}

warpbook::grader::NamedArray::~NamedArray() { named_arrays().erase(address_); }

bool& warpbook::grader::quiet() {
  static bool current = false;
  return current;
}

warpbook::grader::Timing& warpbook::grader::timing() {
  static Timing current = Timing::plain;
  return current;
}

int main(int argc, char** argv) {
  try {
    if (argc == 2 && argv[1] == kServe) {
      serve();
    } else {
      answer_one();
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "worker: %s\nThis program is started by the grader, with a case on descriptor %d.\n",
                 error.what(), kWorkerChannel);
    return 2;
  }
}
