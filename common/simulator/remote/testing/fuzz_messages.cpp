// Sends the device's side messages that no program would send: recorded conversations with random changes.
//
//   fuzz_messages ITERATIONS SEED FILE...     of run_apart --record, or .ptx: a program whose kernels are launched
//
// Each batch of iterations runs in its own process, which must end by itself: the worst that a message may do is end
// its connection (WireError). A batch that crashes or hangs is reported with its seed. With clang and -fsanitize=fuzzer
// this file is also a target for libFuzzer: an input is a file as written by run_apart --record.
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "common/command_line/command_line.h"
#include "common/simulator/remote/calls.h"
#include "common/simulator/remote/device/remote_host.h"
#include "common/simulator/remote/device/session.h"
#include "common/simulator/remote/testing/conversation.h"
#include "common/simulator/remote/testing/ptx_program.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/runtime.h"

namespace {

using namespace warpbook::simulator;
using namespace warpbook::simulator::remote;

using Conversation = std::vector<RecordedCall>;

constexpr unsigned kBatch = 50;         ///< Iterations of one process.
constexpr unsigned kBatchSeconds = 60;  ///< Of CPU time, so that a busy machine does not count. After that it hangs.
constexpr unsigned kWaits = 600;        ///< Elapsed seconds. After that it is considered stuck.
constexpr std::uint64_t kMostData = std::uint64_t{2} << 30;
constexpr const char* kSteps = "200000";  ///< Instructions of a launch.

/// Results of the messages; shared by all processes.
struct Outcome {
  std::uint64_t answered = 0, refused = 0, as_recorded = 0, launched = 0;
  std::uint64_t iteration = 0, call = 0;  ///< The one in progress.
};

/// Executes the calls of a conversation. Handles whose values differ from the recorded ones are replaced.
class Replay {
 public:
  explicit Replay(Outcome& outcome) : outcome_(outcome) {}

  void run(const Conversation& calls) {
    for (const RecordedCall& call : calls) answer(call);
    session_.host_function.reset();
  }

 private:
  void answer(const RecordedCall& call) {
    outcome_.call = call.head.call;
    std::vector<std::byte> arguments = call.arguments;
    replace_handles(arguments);
    Reader from(arguments);
    Writer results, answer;
    try {
      std::optional<runtime::PerThreadDefaultStream> own_stream;
      if ((call.head.flags & kPerThreadStream) != 0) own_stream.emplace();
      answer_call(call.head.call, session_, from, results);
      ++outcome_.answered;
      const bool is_launch = call.head.call == static_cast<std::uint16_t>(Call::launch);
      outcome_.launched += is_launch && results.bytes() == std::vector<std::byte>(sizeof(std::uint64_t));
    } catch (const std::exception&) {
      ++outcome_.refused;
      session_.host_function.reset();
    }
    remote_host().put_effects(answer, session_);
    answer.raw(results.bytes().data(), results.bytes().size());
    outcome_.as_recorded += begins_as(call.answer, answer.bytes());
    learn_handles(call.answer, answer.bytes());
  }

  /// The number of effects and what follows it; if there are no effects, the error.
  static bool begins_as(const std::vector<std::byte>& recorded, const std::vector<std::byte>& now) {
    constexpr std::size_t kBegin = 2 * sizeof(std::uint32_t);
    const std::size_t count = std::min(kBegin, recorded.size());
    return count != 0 && count <= now.size() &&
           std::equal(recorded.begin(), recorded.begin() + static_cast<std::ptrdiff_t>(count), now.begin());
  }

  template <class Visit>
  static void each_word(std::vector<std::byte>& bytes, Visit visit) {
    constexpr std::size_t kMost = 256;  // Images and arrays contain no handles.
    for (std::size_t at = 0; at + sizeof(std::uint64_t) <= std::min(bytes.size(), kMost); ++at) {
      std::uint64_t word;
      std::memcpy(&word, bytes.data() + at, sizeof word);
      if (visit(word)) std::memcpy(bytes.data() + at, &word, sizeof word);
    }
  }

  void replace_handles(std::vector<std::byte>& arguments) const {
    each_word(arguments, [&](std::uint64_t& word) {
      const auto found = handles_.find(word);
      if (found == handles_.end()) return false;
      word = found->second;
      return true;
    });
  }

  void learn_handles(const std::vector<std::byte>& recorded, const std::vector<std::byte>& now) {
    constexpr std::uint64_t kHandles = std::uint64_t{1} << 40;  // Pointers of this process are above.
    // At any byte: the effects come before the results and have any length.
    for (std::size_t at = 0; at + sizeof(std::uint64_t) <= std::min(recorded.size(), now.size()); ++at) {
      std::uint64_t before, after;
      std::memcpy(&before, recorded.data() + at, sizeof before);
      std::memcpy(&after, now.data() + at, sizeof after);
      if (before != after && before > kHandles && before < kHandles << 8) handles_[before] = after;
    }
  }

  Outcome& outcome_;
  Session session_;
  std::map<std::uint64_t, std::uint64_t> handles_;
};

/// Makes random changes in conversations.
class Mutator {
 public:
  Mutator(const std::vector<Conversation>& all, std::uint64_t seed) : all_(all), random_(seed) {}

  Conversation next() {
    Conversation calls = all_[below(all_.size())];
    for (std::size_t changes = 1 + below(6); changes > 0; --changes) change(calls);
    return calls;
  }

 private:
  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : random_() % bound; }

  std::uint64_t interesting() {
    static constexpr std::array<std::uint64_t, 25> kWords = {0,
                                                             1,
                                                             2,
                                                             3,
                                                             7,
                                                             0x7f,
                                                             0xff,
                                                             0xffff,
                                                             0x7fffffff,
                                                             0x80000000,
                                                             0xffffffff,
                                                             0x100000000,
                                                             0x7fffffffffffffff,
                                                             0x8000000000000000,
                                                             0xffffffffffffffff,
                                                             0xfffffffffffff000,
                                                             GlobalMemory::kBase,
                                                             GlobalMemory::kBase + 4096,
                                                             GlobalMemory::kHostBegin,
                                                             GlobalMemory::kBase + GlobalMemory::kBytes,
                                                             std::uint64_t{1} << 40,
                                                             std::uint64_t{1} << 47,
                                                             0x466243b1,
                                                             0xba55ed50,
                                                             0x6b6e696c2d706277};  // Finally the first bytes of images.
    const std::uint64_t word = kWords[below(kWords.size())];
    return below(3) == 0 ? word + below(9) - 4 : word;
  }

  void change(Conversation& calls) {
    if (calls.empty()) return;
    const std::size_t at = below(calls.size());
    RecordedCall& call = calls[at];
    switch (below(12)) {
      case 0:
        call.head.call = static_cast<std::uint16_t>(below(kCalls + 2u));
        break;
      case 1:
        calls.erase(calls.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      case 2:
        calls.insert(calls.begin() + static_cast<std::ptrdiff_t>(below(calls.size())), RecordedCall(call));
        break;
      case 3: {
        const Conversation& other = all_[below(all_.size())];
        if (!other.empty()) calls.insert(calls.begin() + static_cast<std::ptrdiff_t>(at), other[below(other.size())]);
        break;
      }
      case 4:
        call.arguments.resize(below(call.arguments.size() + 16));
        break;
      case 5:
        std::swap(call, calls[below(calls.size())]);
        break;
      case 6:
        call.head.flags ^= kPerThreadStream;
        break;
      case 7:
      case 8:
        change_text(call.arguments);
        break;
      default:
        change_word(call.arguments);
    }
  }

  void change_word(std::vector<std::byte>& bytes) {
    if (bytes.empty()) return;
    // Prefers the beginning, which contains the numbers, to what may be an image.
    const std::size_t at = below(below(2) == 0 ? std::min<std::size_t>(bytes.size(), 128) : bytes.size());
    const std::size_t width = std::min<std::size_t>(bytes.size() - at, std::size_t{1} << below(4));
    const std::uint64_t word = below(4) == 0 ? random_() : interesting();
    std::memcpy(bytes.data() + at, &word, width);
  }

  static bool is_text(std::byte byte) {
    const auto c = static_cast<unsigned char>(byte);
    return (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\t';
  }

  /// PTX: changes a number, removes or repeats a line, or inserts a line from elsewhere.
  void change_text(std::vector<std::byte>& bytes) {
    constexpr std::size_t kLeast = 200;
    const auto begin =
        std::search_n(bytes.begin(), bytes.end(), kLeast, 0, [](std::byte b, int) { return is_text(b); });
    if (begin == bytes.end()) return change_word(bytes);
    const auto end = std::find_if_not(begin, bytes.end(), is_text);
    std::string text;
    for (auto at = begin; at != end; ++at) text += static_cast<char>(*at);
    const std::size_t length = text.size();
    for (std::size_t changes = 1 + below(3); changes > 0; --changes) change_line(text);
    const auto offset = static_cast<std::size_t>(begin - bytes.begin());
    // The number of bytes precedes them; else the size stays the same and padding at the end is lost.
    bool before_is_other = true;
    if (offset >= sizeof(std::uint64_t)) {
      std::uint64_t before = 0;
      std::memcpy(&before, bytes.data() + offset - sizeof before, sizeof before);
      if (before == length) {
        before_is_other = false;
        before = text.size();
        std::memcpy(bytes.data() + offset - sizeof before, &before, sizeof before);
      }
    }
    if (before_is_other) text.resize(length, ' ');
    std::vector<std::byte> tail(bytes.begin() + static_cast<std::ptrdiff_t>(offset + length), bytes.end());
    bytes.resize(offset);
    for (const char c : text) bytes.push_back(static_cast<std::byte>(c));
    bytes.insert(bytes.end(), tail.begin(), tail.end());
  }

  void change_line(std::string& text) {
    if (text.empty()) return;
    const auto line_at = [&](std::size_t at) {
      const std::size_t begin = text.rfind('\n', at) == std::string::npos ? 0 : text.rfind('\n', at) + 1;
      const std::size_t end = std::min(text.find('\n', begin), text.size() - 1);
      return std::pair(begin, end + 1 - std::min(begin, end + 1));
    };
    const auto [begin, count] = line_at(below(text.size()));
    switch (below(5)) {
      case 0:
        text.erase(begin, count);
        break;
      case 1:
        text.insert(begin, text.substr(begin, count));
        break;
      case 2: {
        const auto [other, other_count] = line_at(below(text.size()));
        text.insert(begin, text.substr(other, other_count));
        break;
      }
      default: {
        const std::size_t digit = text.find_first_of("0123456789", below(text.size()));
        if (digit == std::string::npos) return;
        std::size_t last = text.find_first_not_of("0123456789", digit);
        if (last == std::string::npos) last = text.size();
        text.replace(digit, last - digit, std::to_string(below(2) == 0 ? interesting() : below(300)));
      }
    }
  }

  const std::vector<Conversation>& all_;
  std::mt19937_64 random_;
};

void start_device(bool limited) {
  if (limited) ::setenv("WARPBOOK_STEP_LIMIT", kSteps, 1);
  ::setenv("WARPBOOK_THREADS", "1", 1);
  ::unsetenv("WARPBOOK_PROFILE");
  remote_host();
}

std::vector<std::byte> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto* const begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

}  // namespace

#if WARPBOOK_LIBFUZZER
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Outcome outcome;
  static const bool started = (start_device(true), true);
  (void)started;
  Replay(outcome).run(read_conversation({reinterpret_cast<const std::byte*>(data), size}));
  cudaDeviceReset();
  return 0;
}
#else
namespace {

/// Runs @p work in its own process. @param limited limits memory and the steps of kernels @returns its status
template <class Work>
int run_apart(bool limited, Work work) {
  const pid_t child = ::fork();
  if (child == 0) {
#if !WARPBOOK_SANITIZED
    const rlimit data{kMostData, kMostData};
    if (limited) ::setrlimit(RLIMIT_DATA, &data);
#endif
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    const rlimit most_seconds{kBatchSeconds, kBatchSeconds + 1};
    ::setrlimit(RLIMIT_CPU, &most_seconds);
    ::alarm(kWaits);
    start_device(limited);
    work();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

const char* name_of_end(int status) {
  if (!WIFSIGNALED(status)) return "an error";
  const int signal = WTERMSIG(status);
  return signal == SIGALRM || signal == SIGXCPU ? "a hang" : strsignal(signal);
}

int run_batch(const std::vector<Conversation>& all, std::uint64_t seed, unsigned iterations, Outcome& outcome) {
  return run_apart(true, [&] {
    Mutator mutator(all, seed);
    for (unsigned i = 0; i < iterations; ++i) {
      outcome.iteration = i;
      Replay(outcome).run(mutator.next());
      cudaDeviceReset();
    }
  });
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t iterations = 0, seed = 0;
  std::vector<std::string> files;
  warpbook::CommandLine line("Sends messages of a hostile program, made of recorded ones.");
  line.add("ITERATIONS", iterations, "Conversations to send").required();
  line.add("SEED", seed, "Of what is changed in them").required();
  line.add("FILE", files, "Recorded conversations (.calls), or PTX to be loaded (.ptx)").required();
  if (const std::optional<int> status = line.parse(argc, argv, 2)) return *status;
  std::vector<Conversation> all;
  std::size_t recorded = 0;
  for (const std::string& file : files) {
    const bool is_ptx = file.ends_with(".ptx");
    all.push_back(is_ptx ? program_of(read_file(file)) : read_conversation(read_file(file)));
    if (!is_ptx) recorded += all.back().size();
    if (all.back().empty()) {
      std::fprintf(stderr, "%s: no conversation\n", file.c_str());
      return 2;
    }
  }
  auto* const outcome = static_cast<Outcome*>(
      ::mmap(nullptr, sizeof(Outcome), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  *outcome = {};
  int failed = 0;
  // First the unchanged conversations: one that no longer makes sense tests nothing.
  for (const Conversation& calls : all) failed += run_apart(false, [&] { Replay(*outcome).run(calls); }) != 0;
  const std::uint64_t as_recorded = outcome->as_recorded;
  for (std::uint64_t done = 0; done < iterations; done += kBatch) {
    const auto now = static_cast<unsigned>(std::min<std::uint64_t>(kBatch, iterations - done));
    const int status = run_batch(all, seed + done, now, *outcome);
    if (status == 0) continue;
    ++failed;
    std::printf("%s in iteration %llu of the batch with seed %lu, call number %llu: fuzz_messages %u %lu ...\n",
                name_of_end(status), static_cast<unsigned long long>(outcome->iteration), seed + done,
                static_cast<unsigned long long>(outcome->call), kBatch, seed + done);
    std::fflush(stdout);
  }
  std::printf(
      "%zu recorded calls, %llu answered as then; %llu messages answered, %llu refused, %llu kernels launched, %d "
      "batches failed "
      "(seed %lu)\n",
      recorded, static_cast<unsigned long long>(as_recorded), static_cast<unsigned long long>(outcome->answered),
      static_cast<unsigned long long>(outcome->refused), static_cast<unsigned long long>(outcome->launched), failed,
      seed);
  const bool is_current = as_recorded * 10 >= recorded * 9;
  if (!is_current) std::fprintf(stderr, "the conversations are of another time: record them again (README.md)\n");
  return failed == 0 && is_current && outcome->answered > 0 && outcome->refused > 0 && outcome->launched > 0 ? 0 : 1;
}
#endif
