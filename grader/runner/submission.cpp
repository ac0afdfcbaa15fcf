// From a case to an outcome: the private folders, the frame, the profile, and a message for every way to fail.
#include "grader/runner/submission.h"

#include <sys/resource.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>

#include "common/cuda/random.h"
#include "grader/judge/expected_fault.h"
#include "grader/judge/fault.h"
#include "grader/judge/plain_text.h"
#include "grader/judge/poison.h"
#include "grader/judge/profile_limit.h"
#include "grader/judge/refusal.h"
#include "grader/runner/host_line.h"
#include "grader/runner/program_end.h"
#include "grader/runner/protocol.h"
#include "grader/runner/temporary_folder.h"

namespace warpbook::grader {

namespace {

/// Every case allocates megabytes in a new process: half of a test's time was spent in page faults (1.4 million in
/// openacc_comparison's tests). With these settings glibc uses 2 MiB pages, and one heap for all threads; it does not
/// walk all small freed pieces whenever a large one is freed, as each grid does (a tenth of the time of tests with
/// thousands of grids); and it keeps what is freed, so that the next grid's blocks need no new pages (a fifth to
/// a third of the page faults of scan's longest test).
const std::pair<const std::string, std::string> kMallocSettings = {
    "GLIBC_TUNABLES",
    "glibc.malloc.hugetlb=1:glibc.malloc.arena_max=1:glibc.malloc.mxfast=0:"
    "glibc.malloc.trim_threshold=4294967296:glibc.malloc.mmap_threshold=33554432"};

constexpr std::int64_t kGuardZone = 4096;
constexpr std::int64_t kGuardStep = 256;  // What cudaMalloc aligns to: arrays stay aligned to it.
constexpr std::int64_t kGuardSteps = 63;
constexpr std::uint64_t kLargestProfile = 256ull << 20;

std::string end_of_device(int status) {
  return status > 0 && status < 65 && strsignal(status) != nullptr
             ? std::string("status or signal ") + std::to_string(status)
             : "status " + std::to_string(status);
}

/// The most bytes of an answer's text in a message.
constexpr std::size_t kShown = 2000;

/// The virtual GPU's first complaints, with paths from the project's root.
std::vector<std::string> complaints_of(const Profile& profile, const Sources& sources) {
  constexpr std::size_t kMost = 3;
  std::vector<std::string> result;
  for (const std::string& line : profile.complaints)
    if (result.size() < kMost) result.push_back(plain_text(sources.without_roots(line), kShown));
  return result;
}

/// A fault and a refused launch tell more than the virtual GPU's complaints.
void add_complaints(Finding& finding, const Answer& answer) {
  if (finding.kind == FindingKind::refused_launch || !answer.profile.errors.empty()) return;
  for (const std::string& complaint : answer.complaints)
    finding.before.push_back("The virtual GPU complained: " + complaint);
}

std::vector<Printed> printed_by(const ProcessResult& result) {
  std::vector<Printed> printed;
  const auto add = [&](const char* stream, const std::string& text) {
    std::string shown = plain_text(text, kShown);
    while (!shown.empty() && shown.back() == '\n') shown.pop_back();
    if (!shown.empty()) printed.push_back({stream, shown});
  };
  add("stderr", result.error);
  add("stdout", result.output);
  return printed;
}

void add_printed(Finding& finding, const ProcessResult& result) {
  for (Printed& printed : printed_by(result)) finding.printed.push_back(std::move(printed));
}

/// The usual cause of a runtime error without a fault.
std::string launch_hint(const Finding& finding) {
  if (finding.topic == "cudaErrorInsufficientDriver" || finding.topic == "cudaErrorNoDevice")
    return "This machine has no usable GPU. Without one, use the virtual GPU: cmake --preset sim";
  if (finding.subject != "cudaGetLastError()") return "";
  if (finding.topic != "cudaErrorInvalidValue" && finding.topic != "cudaErrorInvalidConfiguration") return "";
  return "A launch was refused, or a call before it: cudaFree() and cudaMemcpy() do not know memory from malloc() in a "
         "kernel, say. A real GPU does not say which: a grid of 0 blocks, more than 1024 threads in a block, too "
         "much "
         "shared memory?";
}

/// The finding in a line, with its facts and its first place.
std::string in_one_line(const Finding& finding) {
  std::string line = finding.headline;
  for (const std::string& fact : finding.facts) line += " " + fact;
  if (!finding.sites.empty())
    line += " It is at " + finding.sites[0].file + ":" + std::to_string(finding.sites[0].line) + ".";
  return line;
}

/// The error that the program reports.
Finding failure_of(const Values& reply, const std::string& said, const Limits& limits) {
  const auto text = [&](const std::string& name) {
    return reply.has(name) ? plain_text(reply.text(name), kShown) : std::string();
  };
  const std::string kind = text(kErrorKind);
  Finding finding = finding_of(FindingKind::program_error, "The answer failed: " + said);
  if (kind == "call") {
    finding.kind = FindingKind::call_failed;
    finding.topic = text(kErrorName);
    finding.subject = text(kErrorCall);
    finding.what_to_try = launch_hint(finding);
  } else if (kind == "function") {
    finding.topic = "missing_function";
    finding.subject = text(kErrorCall);
  } else if (kind == "memory") {
    finding.kind = FindingKind::memory_limit;
    finding.topic = "host";
    if (limits.memory_bytes != 0) {
      finding.what_to_try =
          "Host memory ran out: an answer may use " + std::to_string(limits.memory_bytes >> 20) + " MiB.";
      finding.limit = Limit{static_cast<double>(limits.memory_bytes), true};
    }
  }
  return finding;
}

/// The profile from the device process. @throws ProfileError if it is too large
std::string profile_of(const ProcessResult& result) {
  const std::vector<std::byte>& bytes = result.device_returned;
  if (bytes.size() > kLargestProfile)  // Parsed, it takes several times as much of the grader's own memory.
    throw ProfileError("it has " + std::to_string(bytes.size() >> 20) + " MiB; at most " +
                       std::to_string(kLargestProfile >> 20) + " are allowed");
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Adds the outputs that the device process kept to the program's reply.
void add_outputs(Outcome& outcome, const ProcessResult& result, std::uint64_t nonce) {
  for (const auto& [name, value] : outcome.answer.reply.all())
    if (value.role != Value::Role::plain)
      throw FrameError("'" + name + "' is an output, but does not come from the device");
  Frame frame = decode(result.device_reply);
  if (frame.nonce != nonce) throw std::logic_error("the device process answered with the nonce of another run");
  for (auto& [name, value] : std::move(frame.values).release()) {
    if (value.scalar) outcome.answer.device.put(name, value);
    outcome.answer.reply.put(name, std::move(value));
  }
}

std::string element_word(std::size_t count) { return std::to_string(count) + (count == 1 ? " byte" : " bytes"); }

}  // namespace

Outcome& Outcome::fail(Finding found) {
  status = Status::failed;
  finding = std::move(found);
  return *this;
}

std::optional<Finding> check_buffers(const Answer& answer) {
  const auto wrote_outside = [](const std::string& name, std::size_t before, std::size_t after) {
    Finding finding = finding_of(FindingKind::wrote_outside,
                                 "The answer wrote outside the array '" + name + "': " + element_word(before) +
                                     " before its beginning, " + element_word(after) +
                                     " after its end were changed. Compare the index with the number of elements.");
    finding.subject = name;
    finding.evidence = {{"changed_before", static_cast<double>(before), "bytes"},
                        {"changed_behind", static_cast<double>(after), "bytes"}};
    return finding;
  };
  const auto wrong = [](FindingKind kind, const std::string& name, const std::string& headline) {
    Finding finding = finding_of(kind, headline);
    finding.subject = name;
    return finding;
  };
  for (const auto& [name, value] : answer.reply.all()) {
    if (!name.ends_with(kChangedBehind) || name.size() == kChangedBehind.size()) continue;
    return wrote_outside(name.substr(0, name.size() - kChangedBehind.size()), 0,
                         static_cast<std::size_t>(answer.reply.integer(name)));
  }
  const auto seed = static_cast<std::uint64_t>(answer.given.integer(kPoisonSeed));
  for (const auto& entry : answer.reply.all()) {
    const std::string& name = entry.first;
    const Value& value = entry.second;
    if (value.role == Value::Role::plain) continue;
    const std::size_t guard = value.guard_bytes;
    if (value.bytes.size() < 2 * guard || guard != static_cast<std::size_t>(answer.given.integer(kGuardBytes))) {
      return wrong(FindingKind::forged_reply, name,
                   "The buffer '" + name + "' came back with other guard zones than it was given.");
    }
    const std::uint64_t mixed = poison_seed_of(seed, name);
    const auto differing = [&](std::size_t begin, std::size_t end) {
      std::size_t count = 0;
      for (std::size_t i = begin; i < end; ++i)
        count += std::to_integer<std::uint8_t>(value.bytes[i]) != poison_byte(mixed, i) ? 1 : 0;
      return count;
    };
    const std::size_t before = differing(0, guard), after = differing(value.bytes.size() - guard, value.bytes.size());
    if (before + after > 0) return wrote_outside(name, before, after);
    if (value.role != Value::Role::input_buffer) continue;
    if (!answer.given.has(name))
      return wrong(FindingKind::forged_reply, name,
                   "The buffer '" + name + "' came back as an input, but the case has none.");
    const Value& given = answer.given.value(name);
    const std::span<const std::byte> now = std::span(value.bytes).subspan(guard, value.bytes.size() - 2 * guard);
    if (given.element != value.element || now.size() != given.bytes.size() ||
        !std::equal(now.begin(), now.end(), given.bytes.begin())) {
      return wrong(FindingKind::changed_input, name,
                   "The answer changed its input '" + name + "'. Inputs are const: write results to the outputs only.");
    }
  }
  return std::nullopt;
}

Case prepared_case(Case given, const Environment& environment, Random& secret) {
  // A different zone size in each run also gives every array another address.
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
      {"PATH", "/usr/bin:/bin"}, {"HOME", folder}, {"TMPDIR", folder}, {"LANG", "C.UTF-8"}, kMallocSettings};
  // An OpenACC program without a device must fail: by default it would silently run on the host.
  request.environment["ACC_DEVICE_TYPE"] = "nvidia";
  if (environment.counted) {
    DeviceRequest device;
    device.program = environment.device_process;
    device.environment = {{"LANG", "C.UTF-8"},
                          kMallocSettings,
                          {"WARPBOOK_DEVICE", environment.device},
                          {"WARPBOOK_CACHE_CONTROL", "all"},  // Every kernel is judged by itself, as by a profiler.
                          {"WARPBOOK_COMPLAINTS", "profile"},
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

std::optional<Finding> explain_end(const ProcessRequest& request, const ProcessResult& result,
                                   const std::optional<Finding>& fault) {
  std::optional<Finding> ended = reason_of_end(request.program, result, request.limits);
  if (!ended) return std::nullopt;
  if (fault) {
    Finding finding = *fault;
    finding.more.push_back(ended->headline);
    finding.evidence.insert(finding.evidence.end(), ended->evidence.begin(), ended->evidence.end());
    ended = std::move(finding);
  }
  add_printed(*ended, result);
  return ended;
}

void read_reply(Outcome& outcome, std::span<const std::byte> bytes, std::uint64_t nonce, const Environment& environment,
                const ProcessResult& result, const std::optional<Finding>& fault) {
  try {
    Frame frame = decode(bytes);
    if (frame.nonce != nonce) throw FrameError("the nonce is not the one of this run");
    const std::string status = frame.values.text(kStatus);
    if (status == "not_started") {
      outcome.status = Outcome::Status::not_started;
      outcome.where.file = environment.sources.relative(plain_text(frame.values.text(kMessage), kShown));
      outcome.where.line = static_cast<int>(frame.values.integer(kLine));
      return;
    }
    if (status != "completed") {
      const std::string said = environment.sources.relative(
          frame.values.has(kMessage) ? plain_text(frame.values.text(kMessage), kShown) : "");
      Finding finding = fault ? *fault : failure_of(frame.values, said, environment.limits);
      if (fault) finding.saw = said;
      add_printed(finding, result);
      outcome.fail(std::move(finding));
      return;
    }
    if (frame.values.has(kMeasuredUs)) outcome.answer.measured_us = frame.values.real(kMeasuredUs);
    outcome.answer.reply = std::move(frame.values);
    outcome.status = Outcome::Status::completed;
  } catch (const std::runtime_error& error) {
    Finding finding = finding_of(FindingKind::forged_reply,
                                 std::string("The reply does not come from the lab's worker: ") + error.what() + ".",
                                 "Only the lab's worker may use the channel to the grader.");
    add_printed(finding, result);
    outcome.fail(std::move(finding));
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
  if (result.end == End::timed_out || result.end == End::machine_busy) return Outcome::Broken::clock;
  if (result.end == End::too_much_work) return Outcome::Broken::work;
  if (!faults.empty() && faults.front().kind == "step_limit") return Outcome::Broken::work;
  if (result.end == End::too_much_memory || result.error.find("bad_alloc") != std::string::npos)
    return Outcome::Broken::memory;
  return Outcome::Broken::nothing;
}

/// Host code has no line in the profile: the device process only knows its offset in the program's file.
void add_host_line(FaultRecord& fault, const std::string& worker) {
  if (fault.host_offset == 0 || !fault.file.empty()) return;
  if (const auto found = host_line(std::filesystem::absolute(worker).string(), fault.host_offset)) {
    fault.file = found->file;
    fault.line = found->line;
  }
}

/// The variables and files by which a case reaches the device's process, and the program.
void set_case(ProcessRequest& request, const Case& given, const Environment& environment) {
  if (given.has(kLaunchBlocking))
    request.environment["CUDA_LAUNCH_BLOCKING"] = std::to_string(given.integer(kLaunchBlocking));
  if (!request.device) return;
  auto& variables = request.device->environment;
  for (const auto& [name, variable] : {std::pair{kScheduleSeed, "WARPBOOK_SCHEDULE_SEED"},
                                       {kStreamPriorities, "WARPBOOK_STREAM_PRIORITIES"},
                                       {kMultiprocessors, "WARPBOOK_MULTIPROCESSORS"},
                                       {kClockRate, "WARPBOOK_CLOCK_RATE"},
                                       {kLaunchBlocking, "CUDA_LAUNCH_BLOCKING"}})
    if (given.has(name)) variables[variable] = std::to_string(given.integer(name));
  for (const auto& [name, variable] : {std::pair{kProfileKernel, "WARPBOOK_PROFILE_KERNEL"},
                                       {kProfileSkip, "WARPBOOK_PROFILE_LAUNCH_SKIP"},
                                       {kProfileCount, "WARPBOOK_PROFILE_LAUNCH_COUNT"},
                                       {kProfileFromStart, "WARPBOOK_PROFILE_FROM_START"},
                                       {kProfileRanges, "WARPBOOK_PROFILE_NVTX"}})
    if (given.has(name)) variables[variable] = given.text(name);
  if (given.has(kProfileRanges))
    request.environment["NVTX_INJECTION64_PATH"] = environment.library_folder + "/libcudart.so.13";
  if (!environment.checks.empty()) variables["WARPBOOK_CHECK"] = environment.checks;
}

/// Puts what the virtual GPU counted into the outcome. @returns the fault that it found, if any @throws ProfileError
std::optional<Finding> read_profile(Outcome& outcome, const ProcessResult& result, const std::string& worker,
                                    const Environment& environment) {
  Profile& profile = outcome.answer.profile;
  const std::string text = profile_of(result);
  if (!text.empty()) profile = parse_profile(text);
  outcome.answer.complaints = complaints_of(profile, environment.sources);
  if (profile.errors.empty()) return std::nullopt;
  add_host_line(profile.errors.front(), worker);
  Finding fault = explain_fault(profile.errors.front(), environment.sources, profile.kernels);
  if (fault.kind == FindingKind::step_limit && environment.limits.patience) {
    fault.more.push_back("The answer did not finish within " + allowed_work(environment.limits) + ".");
    add_allowed_work(fault, environment.limits);
  }
  return fault;
}

Finding failure_of_grader(const char* topic, std::string headline, const ProcessResult& result) {
  Finding finding = finding_of(FindingKind::grader_failed, std::move(headline));
  finding.topic = topic;
  add_printed(finding, result);
  return finding;
}

/// Nothing if the device's process ended well, or was ended with the program.
std::optional<Finding> failure_of_device(const ProcessResult& result) {
  const bool ended_itself = result.end == End::exited || result.end == End::signalled;
  if (!ended_itself || result.device_status == 0) return std::nullopt;
  Finding finding = failure_of_grader("device",
                                      "The virtual GPU's own process failed (" + end_of_device(result.device_status) +
                                          "), which is not the answer's fault. Tell the authors of warpbook what this "
                                          "program does.",
                                      result);
  finding.printed.insert(finding.printed.begin(),
                         {"the virtual GPU's stderr", plain_text(result.device_error, kShown)});
  return finding;
}

/// A launch that the device refused explains the error that the program reports; if it reports none, it is a complaint.
void add_refusal(Outcome& outcome, const Environment& environment) {
  auto refusal = explain_refusal(outcome.answer.profile, environment.source, environment.sources);
  if (!refusal) return;
  if (outcome.status == Outcome::Status::completed) {
    outcome.answer.complaints.push_back(in_one_line(*refusal));
  } else if (outcome.finding.kind == FindingKind::call_failed) {
    refusal->printed = outcome.finding.printed;
    outcome.fail(std::move(*refusal));
  }
}

/// Whether the fault is the one that the case expects.
bool is_expected(const Answer& answer) {
  return answer.given.has(kExpectedFault) && answer.given.text(kExpectedFault) == answer.profile.errors.front().kind;
}

/// What is wrong with a program that replied, apart from its outputs' contents.
std::optional<Finding> problem_of(const Answer& answer, std::optional<Finding> fault, bool counted,
                                  const ProcessResult& result) {
  if (fault && !is_expected(answer)) {
    fault->more.push_back("The program did not notice: check the result of every CUDA call.");
    add_printed(*fault, result);
    return fault;
  }
  if (counted && answer.profile.text.empty()) {
    Finding finding = finding_of(FindingKind::device_unused,
                                 "The program ended without having used the device. An answer must not end the "
                                 "process, replace the CUDA runtime, or change its environment.");
    add_printed(finding, result);
    return finding;
  }
  return check_buffers(answer);
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
  set_case(request, given, environment);
  if (request.device) request.device->input = encode(outcome.answer.given, nonce);
  // The program may not see its arrays: it gets them from the device.
  // On a real GPU the program has the arrays; changes are of no use to it.
  const bool device_has_arrays = request.device && !environment.library_folder.empty();
  request.input = encode(device_has_arrays ? without_contents(outcome.answer.given) : outcome.answer.given, nonce);
  const double before = cpu_of_children();
  const ProcessResult result = run_process(request);
  outcome.cpu_s = cpu_of_children() - before;
  outcome.answer.wall_us = result.wall_us;
  outcome.answer.printed = printed_by(result);

  std::optional<Finding> fault;
  try {
    fault = read_profile(outcome, result, worker, environment);
  } catch (const ProfileError& error) {
    return outcome.fail(failure_of_grader(
        "profile", std::string("What the virtual GPU counted cannot be read: ") + error.what(), result));
  }
  if (request.device)
    if (auto failure = failure_of_device(result)) return outcome.fail(std::move(*failure));
  outcome.broken = broken_by(result, outcome.answer.profile.errors);
  if (auto end = explain_end(request, result, fault)) {
    add_complaints(*end, outcome.answer);
    return outcome.fail(std::move(*end));
  }
  read_reply(outcome, result.reply, nonce, environment, result, fault);
  if (outcome.status == Outcome::Status::failed && outcome.finding.kind == FindingKind::memory_limit)
    outcome.broken = Outcome::Broken::memory;
  add_refusal(outcome, environment);
  if (outcome.status == Outcome::Status::failed) add_complaints(outcome.finding, outcome.answer);
  if (outcome.status != Outcome::Status::completed) return outcome;
  try {
    if (device_has_arrays) add_outputs(outcome, result, nonce);
  } catch (const FrameError& error) {
    return outcome.fail(
        finding_of(FindingKind::forged_reply,
                   std::string("The reply does not come from the lab's worker: ") + error.what() + "."));
  }
  if (auto problem = problem_of(outcome.answer, std::move(fault), environment.counted, result))
    outcome.fail(std::move(*problem));
  return outcome;
}

}  // namespace warpbook::grader
