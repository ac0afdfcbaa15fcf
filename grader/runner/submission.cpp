// From a case to an outcome: the private folders, the frame, the profile, and the words for every way to fail.
#include "grader/runner/submission.h"

#include <signal.h>
#include <sys/resource.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>

#include "common/cuda/random.h"
#include "grader/judge/fault.h"
#include "grader/judge/plain_text.h"
#include "grader/judge/poison.h"
#include "grader/judge/source_text.h"
#include "grader/runner/protocol.h"
#include "grader/runner/temporary_folder.h"

namespace warpbook::grader {

namespace {

/// Arrays of megabytes in new processes, case after case: half of a test's time was spent in page faults (1.4 million
/// in openacc_comparison's tests). glibc then asks for pages of 2 MiB where it maps memory.
const std::pair<const std::string, std::string> kLargePages = {"GLIBC_TUNABLES", "glibc.malloc.hugetlb=1"};

constexpr std::int64_t kGuardZone = 4096;
constexpr std::int64_t kGuardStep = 256;  // What cudaMalloc aligns to: arrays stay aligned to it.
constexpr std::int64_t kGuardSteps = 63;
constexpr std::uint64_t kLargestProfile = 256ull << 20;

std::string seconds(double value) {
  std::ostringstream out;
  out << value << " s";
  return out.str();
}

std::string explain_signal(int number, const Limits& limits) {
  const std::string name = std::string("signal ") + std::to_string(number) + ", " + strsignal(number);
  switch (number) {
    case SIGSEGV:
    case SIGBUS:
      return "The program crashed (" + name +
             "): host code used an invalid pointer. A pointer to device memory cannot be dereferenced on the host.";
    case SIGABRT:
      return "The program aborted (" + name + "): an uncaught exception, a failed assert() or abort().";
    case SIGFPE:
      return "The program crashed (" + name + "): host code divided a whole number by zero.";
    case SIGXCPU:
      return "The program was ended: it used more than " + seconds(limits.cpu_s) + " of CPU time.";
    case SIGXFSZ:
      return "The program was ended: it wrote a file larger than is allowed.";
    case SIGKILL:
      return "The program was killed (" + name + "): the machine ran out of memory, or it killed itself.";
    default:
      return "The program was ended by a signal (" + name + ").";
  }
}

std::string reason_of_end(const std::string& worker, const ProcessResult& result, const Limits& limits) {
  switch (result.end) {
    case End::exited:
      // Such a process could rewrite what the virtual GPU counted, after the virtual GPU wrote it.
      if (result.left_behind > 0) {
        return "The answer left processes running when it ended: " + std::to_string(result.left_behind) +
               ". An answer must not start processes.";
      }
      if (result.code == 0 && !result.reply.empty()) return "";
      if (result.error.find("libgomp: ") != std::string::npos) {
        return "libgomp, the library behind GCC's OpenACC, ended the program: what a clause says does not agree with "
               "what is on the device, or a kernel failed.";
      }
      return "The program ended early (exit status " + std::to_string(result.code) +
             "), before the function under test returned. An answer must return to its caller: no exit().";
    case End::signalled:
      return explain_signal(result.code, limits);
    case End::timed_out:
      return "The answer did not finish within " + seconds(limits.wall_s) +
             ": a loop without an end, threads that wait for each other, or far too much work.";
    case End::too_much_work:
      return "The answer did not finish within " +
             (limits.told.empty() ? seconds(limits.busy_s) + " of CPU time" : limits.told) +
             ": a loop without an end, threads that wait for each other, or far too much work.";
    case End::too_much_output:
      return "The program was ended: it printed more than " + std::to_string(limits.output_bytes >> 20) + " MiB.";
    case End::reply_too_large:
      return "The program was ended: it sent back more than " + std::to_string(limits.reply_bytes >> 20) + " MiB.";
    case End::too_many_processes:
      return "The program was ended: it started more than " + std::to_string(limits.processes) + " processes.";
    case End::too_much_memory:
      // Without a limit of its own, the device was full: it may hold as much as the program.
      return "The program was ended: its processes held more than " +
             std::to_string((limits.resident_bytes != 0 ? limits.resident_bytes : limits.memory_bytes) >> 20) +
             " MiB of memory together.";
    case End::cannot_start:
      return "The program " + worker + " cannot be started: " + std::strerror(result.code) +
             ". Build it first: cmake --build <build folder>.";
  }
  return "The program ended in an unknown way.";
}

/// Without the virtual GPU's own report of a fault, which is told from the profile.
std::string without_report(const std::string& text) {
  std::string result;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("warpbook:", 0) != 0 && line.rfind("=========", 0) != 0) result += line + "\n";
  }
  return result;
}

std::string end_of_device(int status) {
  return status > 0 && status < 65 && strsignal(status) != nullptr
             ? std::string("status or signal ") + std::to_string(status)
             : "status " + std::to_string(status);
}

/// What an answer may say at most in a message.
constexpr std::size_t kShown = 2000;

/// The virtual GPU's complaints among what a process printed, with paths from the project's root.
std::vector<std::string> complaints_in(const std::string& text, const std::string& root) {
  constexpr std::size_t kMost = 3;
  const std::string prefix = "warpbook: ";
  std::vector<std::string> result;
  std::istringstream in(text);
  for (std::string line; result.size() < kMost && std::getline(in, line);) {
    if (line.rfind(prefix, 0) != 0) continue;
    line.erase(0, prefix.size());
    const std::size_t path = root.empty() ? std::string::npos : line.find(root + '/');
    if (path != std::string::npos) line.erase(path, root.size() + 1);
    result.push_back(plain_text(line, kShown));
  }
  return result;
}

std::string printed(const ProcessResult& result, bool fault_told = false) {
  std::string text;
  const auto add = [&](const char* where, const std::string& printed_text) {
    if (printed_text.empty()) return;
    text += std::string("  It printed on ") + where + ":\n    ";
    std::string shown = plain_text(printed_text, kShown);
    while (!shown.empty() && shown.back() == '\n') shown.pop_back();
    for (const char c : shown) text += c == '\n' ? std::string("\n    ") : std::string(1, c);
    text += '\n';
  };
  add("stderr", fault_told ? without_report(result.error) : result.error);
  add("stdout", result.output);
  return text;
}

/// What usually lies behind an error of the runtime that comes without a fault.
std::string launch_hint(const std::string& said) {
  if (said.find("cudaErrorInsufficientDriver") != std::string::npos ||
      said.find("cudaErrorNoDevice") != std::string::npos) {
    return "  This machine has no usable GPU. Without one, use the virtual GPU: cmake --preset sim\n";
  }
  if (said.find("cudaGetLastError") == std::string::npos) return "";
  if (said.find("cudaErrorInvalidValue") == std::string::npos &&
      said.find("cudaErrorInvalidConfiguration") == std::string::npos) {
    return "";
  }
  return "  A launch was refused: a grid of 0 blocks, more than 1024 threads in a block, or too much shared "
         "memory. Or a call before it was: cudaFree() and cudaMemcpy() do not know memory from malloc() in a kernel, "
         "say.\n";
}

std::string memory_hint(const std::string& said, const Limits& limits) {
  if (said.find("bad_alloc") == std::string::npos || limits.memory_bytes == 0) return "";
  return "  Host memory ran out: an answer may use " + std::to_string(limits.memory_bytes >> 20) + " MiB.\n";
}

/// What the device's process counted. @throws ProfileError if it is too large
std::string profile_of(const ProcessResult& result) {
  const std::vector<std::byte>& bytes = result.device_returned;
  if (bytes.size() > kLargestProfile)  // As values it takes several times as much of the grader's own memory.
    throw ProfileError("it has " + std::to_string(bytes.size() >> 20) + " MiB; at most " +
                       std::to_string(kLargestProfile >> 20) + " are allowed");
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The outputs that the device's process kept go beside what the program replied.
void add_outputs(Outcome& outcome, const ProcessResult& result, std::uint64_t nonce) {
  for (const auto& [name, value] : outcome.answer.reply.all())
    if (value.role != Value::Role::plain) throw FrameError("'" + name + "' is an output, and not from the device");
  Frame frame = decode(result.device_reply);
  if (frame.nonce != nonce) throw std::logic_error("the device's process answered with the nonce of another run");
  for (auto& [name, value] : std::move(frame.values).release()) {
    if (value.scalar) outcome.answer.device.put(name, value);
    outcome.answer.reply.put(name, std::move(value));
  }
}

std::string element_word(std::size_t count) { return std::to_string(count) + (count == 1 ? " byte" : " bytes"); }

}  // namespace

std::string check_buffers(const Answer& answer) {
  const auto ends_in = [](const std::string& name, const std::string& end) {
    return name.size() > end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
  };
  for (const auto& [name, value] : answer.reply.all()) {
    if (!ends_in(name, kChangedBehind)) continue;
    const auto bytes = static_cast<std::size_t>(answer.reply.integer(name));
    return "The answer wrote outside the array '" + name.substr(0, name.size() - kChangedBehind.size()) +
           "': 0 bytes before its beginning, " + element_word(bytes) +
           " after its end were changed. Compare the index with the number of elements.";
  }
  const auto seed = static_cast<std::uint64_t>(answer.given.integer(kPoisonSeed));
  for (const auto& entry : answer.reply.all()) {
    const std::string& name = entry.first;
    const Value& value = entry.second;
    if (value.role == Value::Role::plain) continue;
    const std::size_t guard = value.guard_bytes;
    if (value.bytes.size() < 2 * guard || guard != static_cast<std::size_t>(answer.given.integer(kGuardBytes))) {
      return "The buffer '" + name + "' came back with other guard zones than it was given.";
    }
    const std::uint64_t mixed = poison_seed_of(seed, name);
    const auto differing = [&](std::size_t begin, std::size_t end) {
      std::size_t count = 0;
      for (std::size_t i = begin; i < end; ++i)
        count += std::to_integer<std::uint8_t>(value.bytes[i]) != poison_byte(mixed, i) ? 1 : 0;
      return count;
    };
    const std::size_t before = differing(0, guard), after = differing(value.bytes.size() - guard, value.bytes.size());
    if (before + after > 0) {
      return "The answer wrote outside the array '" + name + "': " + element_word(before) + " before its beginning, " +
             element_word(after) + " after its end were changed. Compare the index with the number of elements.";
    }
    if (value.role != Value::Role::input_buffer) continue;
    if (!answer.given.has(name)) return "The buffer '" + name + "' came back as an input, but the case has none.";
    const Value& given = answer.given.value(name);
    const std::span<const std::byte> now = std::span(value.bytes).subspan(guard, value.bytes.size() - 2 * guard);
    if (given.element != value.element || now.size() != given.bytes.size() ||
        !std::equal(now.begin(), now.end(), given.bytes.begin())) {
      return "The answer changed its input '" + name + "'. Inputs are const: write results to the outputs only.";
    }
  }
  return "";
}

Case prepared_case(Case given, const Environment& environment, Random& secret) {
  // Zones of another size in each run also give every array another address.
  const std::int64_t guard = environment.counted ? 0 : kGuardZone + kGuardStep * secret.integer(0, kGuardSteps);
  given.set(kGuardBytes, guard);
  given.set(kPoisonSeed, static_cast<std::int64_t>(secret.bits()));
  return given;
}

ProcessRequest worker_request(const std::string& worker, const Environment& environment, const std::string& folder) {
  ProcessRequest request;
  request.program = std::filesystem::absolute(worker).string();
  request.folder = folder;
  request.limits = environment.limits;
  request.environment = {
      {"PATH", "/usr/bin:/bin"}, {"HOME", folder}, {"TMPDIR", folder}, {"LANG", "C.UTF-8"}, kLargePages};
  // An OpenACC program without a device must fail: by default it would run on the host and say nothing.
  request.environment["ACC_DEVICE_TYPE"] = "nvidia";
  if (environment.counted) {
    DeviceRequest device;
    device.program = environment.device_process;
    device.environment = {{"LANG", "C.UTF-8"},
                          kLargePages,
                          {"WARPBOOK_DEVICE", environment.device},
                          {"WARPBOOK_PROFILE", "fd:" + std::to_string(kReturnChannel)}};
    if (environment.limits.memory_bytes != 0)
      device.environment["WARPBOOK_SHARED_BYTES"] = std::to_string(environment.limits.memory_bytes);
    if (environment.step_limit != 0) device.environment["WARPBOOK_STEP_LIMIT"] = std::to_string(environment.step_limit);
    request.device = std::move(device);
    request.environment["WARPBOOK_DEVICE_CHANNEL"] = std::to_string(kDeviceChannel);
    request.environment["LD_LIBRARY_PATH"] = environment.library_folder;
  } else if (const char* visible = std::getenv("CUDA_VISIBLE_DEVICES")) {
    request.environment["CUDA_VISIBLE_DEVICES"] = visible;
  }
  if (environment.confinement.active()) environment.confinement.apply(request);
  return request;
}

std::string explain_end(const ProcessRequest& request, const ProcessResult& result, const std::string& faults) {
  const std::string ended = reason_of_end(request.program, result, request.limits);
  return ended.empty() ? "" : faults + ended + '\n' + printed(result, !faults.empty());
}

void read_reply(Outcome& outcome, std::span<const std::byte> bytes, std::uint64_t nonce, const Environment& environment,
                const ProcessResult& result, const std::string& faults) {
  try {
    Frame frame = decode(bytes);
    if (frame.nonce != nonce) throw FrameError("the nonce is not the one of this run");
    const std::string status = frame.values.text(kStatus);
    if (status == "not_started") {
      outcome.status = Outcome::Status::not_started;
      outcome.message = relative_to(plain_text(frame.values.text(kMessage), kShown), environment.project_root);
      return;
    }
    if (status != "completed") {
      const std::string said = frame.values.has(kMessage) ? plain_text(frame.values.text(kMessage), kShown) : "";
      outcome.message = faults + (faults.empty() ? "The answer failed: " : "  The program saw: ") +
                        relative_to(said, environment.project_root) + '\n' + memory_hint(said, environment.limits) +
                        (faults.empty() ? launch_hint(said) : "") + printed(result, !faults.empty());
      return;
    }
    if (frame.values.has(kMeasuredUs)) outcome.answer.measured_us = frame.values.real(kMeasuredUs);
    outcome.answer.reply = std::move(frame.values);
    outcome.status = Outcome::Status::completed;
  } catch (const std::runtime_error& error) {
    outcome.message = std::string("What came back is no reply of the lab's worker: ") + error.what() +
                      ".\nOnly the lab's worker may use the channel to the grader.\n" + printed(result);
  }
}

namespace {

/// CPU seconds of all processes that this one has waited for, and of those that they waited for.
double cpu_of_children() {
  rusage use{};
  getrusage(RUSAGE_CHILDREN, &use);
  const auto seconds_of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds_of(use.ru_utime) + seconds_of(use.ru_stime);
}

Outcome::Broken broken_by(const ProcessResult& result, const std::vector<FaultRecord>& faults) {
  if (result.end == End::timed_out) return Outcome::Broken::clock;
  if (result.end == End::too_much_work) return Outcome::Broken::work;
  if (!faults.empty() && faults.front().kind == "step_limit") return Outcome::Broken::work;
  if (result.end == End::too_much_memory || result.error.find("bad_alloc") != std::string::npos)
    return Outcome::Broken::memory;
  return Outcome::Broken::nothing;
}

}  // namespace

Outcome run_submission(const std::string& worker, const Case& given, const Environment& environment,
                       std::uint64_t seed) {
  Random secret(seed ^ 0x5bd1e9955bd1e995u);
  Outcome outcome;
  outcome.answer.given = prepared_case(given, environment, secret);
  const std::uint64_t nonce = secret.bits();

  const TemporaryFolder folder;
  ProcessRequest request = worker_request(worker, environment, folder.path());
  const bool device_has_arrays = request.device && !environment.library_folder.empty();
  if (request.device) {
    request.device->input = encode(outcome.answer.given, nonce);
    for (const auto& [name, variable] : {std::pair{kScheduleSeed, "WARPBOOK_SCHEDULE_SEED"},
                                         {kStreamPriorities, "WARPBOOK_STREAM_PRIORITIES"},
                                         {kMultiprocessors, "WARPBOOK_MULTIPROCESSORS"}})
      if (given.has(name)) request.device->environment[variable] = std::to_string(given.integer(name));
  }
  // What the program may see of the arrays it gets from the device.
  // On a real GPU the program has the arrays; changes are of no use to it.
  request.input = encode(device_has_arrays ? without_contents(outcome.answer.given) : outcome.answer.given, nonce);
  const double before = cpu_of_children();
  const ProcessResult result = run_process(request);
  outcome.cpu_s = cpu_of_children() - before;
  outcome.answer.wall_us = result.wall_us;
  outcome.answer.complaints = complaints_in(result.error, environment.project_root);

  std::string faults;
  try {
    const std::string text = profile_of(result);
    if (!text.empty()) outcome.answer.profile = parse_profile(text);
    if (!outcome.answer.profile.errors.empty()) {
      const Profile& profile_of_run = outcome.answer.profile;
      faults = explain_fault(profile_of_run.errors.front(), environment.project_root, profile_of_run.kernels);
      if (profile_of_run.errors.front().kind == "step_limit" && !environment.limits.told.empty())
        faults += "  The answer did not finish within " + environment.limits.told + ".\n";
    }
  } catch (const ProfileError& error) {
    outcome.message =
        std::string("What the virtual GPU counted cannot be read: ") + error.what() + '\n' + printed(result);
    return outcome;
  }

  const bool ended = result.end == End::exited || result.end == End::signalled;
  if (request.device && ended && result.device_status != 0) {
    outcome.message = "The virtual GPU's own process ended (" + end_of_device(result.device_status) +
                      "), which is no fault of the answer. Tell the authors of warpbook what this program does.\n" +
                      plain_text(result.device_error, kShown) + printed(result);
    return outcome;
  }
  outcome.broken = broken_by(result, outcome.answer.profile.errors);
  outcome.message = explain_end(request, result, faults);
  if (!outcome.message.empty()) return outcome;
  read_reply(outcome, result.reply, nonce, environment, result, faults);
  if (outcome.status == Outcome::Status::failed && outcome.message.find("bad_alloc") != std::string::npos)
    outcome.broken = Outcome::Broken::memory;
  if (outcome.status != Outcome::Status::completed) return outcome;
  outcome.status = Outcome::Status::failed;
  if (device_has_arrays) {
    try {
      add_outputs(outcome, result, nonce);
    } catch (const FrameError& error) {
      outcome.message = std::string("What came back is no reply of the lab's worker: ") + error.what() + ".\n";
      return outcome;
    }
  }
  if (!faults.empty()) {
    outcome.message =
        faults + "  The program did not notice: check the result of every CUDA call.\n" + printed(result, true);
    return outcome;
  }
  if (environment.counted && outcome.answer.profile.text.empty()) {
    outcome.message =
        "The program ended without having used the device. An answer must not end the process, replace the CUDA "
        "runtime, or change its environment.\n" +
        printed(result);
    return outcome;
  }
  outcome.message = check_buffers(outcome.answer);
  if (outcome.message.empty()) outcome.status = Outcome::Status::completed;
  return outcome;
}

}  // namespace warpbook::grader
