// Runs addr2line once for each file that contains one of the places.
#include "common/simulator/runtime/host_lines.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <map>
#include <sstream>
#include <string_view>

namespace warpbook::simulator::runtime {
namespace {

constexpr std::size_t kAddressesAtOnce = 1000;
constexpr std::chrono::seconds kPatience(30);  // For the debug information of one file.

/// The output of a command; what it printed until then if it takes longer than kPatience.
std::string output_of(std::vector<std::string> words) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  // Do not pass on the program's environment: it may preload the virtual GPU.
  char locale[] = "LC_ALL=C";
  char* environment[] = {locale, nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = -1;
  const int failed = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environment);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  std::string text;
  if (failed == 0) {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    std::array<char, 4096> part;
    while (true) {
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
      pollfd wanted{ends[0], POLLIN, 0};
      if (left <= 0 || ::poll(&wanted, 1, static_cast<int>(left)) <= 0) {
        ::kill(child, SIGKILL);
        break;
      }
      const ssize_t n = ::read(ends[0], part.data(), part.size());
      if (n <= 0) break;
      text.append(part.data(), static_cast<std::size_t>(n));
    }
    ::waitpid(child, nullptr, 0);
  }
  ::close(ends[0]);
  return text;
}

/// A function at an address: inlined calls give several, the innermost first.
struct HostFunction {
  std::string name;  ///< Mangled.
  HostLine at;
};

/// "/path/x.cu:14 (discriminator 2)"
HostLine parse_line(const std::string& text) {
  const std::string place = text.substr(0, text.find(" (discriminator"));
  const auto colon = place.rfind(':');
  HostLine line;
  if (colon == std::string::npos || place.rfind("??", 0) == 0) return line;
  const std::string_view digits = std::string_view(place).substr(colon + 1);
  std::from_chars(digits.data(), digits.data() + digits.size(), line.line);
  if (line.line != 0) line.file = place.substr(0, colon);
  return line;
}

using Functions = std::map<std::uint64_t, std::vector<HostFunction>>;

/// The functions at @p offsets of the file @p path.
void find_functions(const std::string& path, const std::vector<std::uint64_t>& offsets, Functions& found) {
  for (std::size_t begin = 0; begin < offsets.size(); begin += kAddressesAtOnce) {
    std::vector<std::string> words{"addr2line", "-a", "-f", "-i", "-e", path};
    for (std::size_t i = begin; i < std::min(offsets.size(), begin + kAddressesAtOnce); ++i) {
      char text[32];
      std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(offsets[i]));
      words.emplace_back(text);
    }
    std::istringstream lines(output_of(std::move(words)));
    std::vector<HostFunction>* functions = nullptr;
    for (std::string line; std::getline(lines, line);) {
      if (line.rfind("0x", 0) == 0) {
        functions = &found[std::stoull(line, nullptr, 16)];
      } else if (std::string place; functions != nullptr && std::getline(lines, place)) {
        functions->push_back({line, parse_line(place)});
      }
    }
  }
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// "x" of "/tmp/tmpxft_00003_0-6_x.cudafe1.cpp", which nvcc writes for the host compiler; of other files nothing.
std::string source_of(const std::string& path) {
  const std::string name = base_name(path);
  const auto end = name.find(".cudafe1.cpp"), process = name.rfind("tmpxft_", 0) == 0 ? name.find('-') : 0;
  if (end == std::string::npos || process == std::string::npos) return {};
  const auto begin = process == 0 ? 0 : name.find('_', process) + 1;
  return name.substr(begin, end - begin);
}

/// In code that is not optimised, addr2line of binutils 2.40 says that host templates of x.cu are in x.cudafe1.cpp: it
/// takes a DWARF 5 unit's file 0 for file 1. The lines are right. Gives them the file that other functions have been
/// found in.
void name_sources(Functions& functions) {
  std::map<std::string, std::string> paths;
  for (const auto& [offset, inlined] : functions)
    for (const HostFunction& function : inlined)
      if (const std::string name = base_name(function.at.file); !name.empty() && source_of(name).empty())
        paths[name.substr(0, name.rfind('.'))] = function.at.file;
  for (auto& [offset, inlined] : functions)
    for (HostFunction& function : inlined)
      if (const auto path = paths.find(source_of(function.at.file)); path != paths.end())
        function.at.file = path->second;
}

/// Neither the program's author nor the reader of a finding wrote that line.
bool is_foreign(const HostFunction& function, const std::set<std::string>& kernels) {
  if (function.name == "_start" || has(function.name, "__device_stub__") || kernels.count(function.name) != 0)
    return true;
  const std::string& file = function.at.file;
  const std::string name = base_name(file);
  if (name == "cuda_runtime.h" || name == "cuda_runtime_api.h" || has(name, ".cudafe1.") || has(name, ".stub.c"))
    return true;
  constexpr std::string_view kFolders[] = {"/include/crt/",  "/include/thrust/", "/include/cub/",
                                           "/include/cuda/", "/include/cccl/",   "/include/c++/"};
  return file.rfind("/usr/include/", 0) == 0 || std::any_of(std::begin(kFolders), std::end(kFolders),
                                                            [&](std::string_view folder) { return has(file, folder); });
}

/// Skips the caller of main: its debug information may be installed even where the program has none.
bool is_c_library(const std::string& path) { return base_name(path).rfind("libc.so", 0) == 0; }

}  // namespace

std::vector<HostLine> lines_of(const HostPlaces& places, const std::set<std::size_t>& wanted,
                               const std::set<std::string>& kernels) {
  std::vector<std::set<std::uint64_t>> offsets(places.files().size());
  for (const std::size_t place : wanted)
    for (const HostFrame& frame : places.frames(place)) offsets[frame.file].insert(frame.offset);
  std::vector<Functions> functions(offsets.size());
  for (std::size_t file = 0; file < offsets.size(); ++file)
    if (!offsets[file].empty() && !is_c_library(places.files()[file])) {
      find_functions(places.files()[file], {offsets[file].begin(), offsets[file].end()}, functions[file]);
      name_sources(functions[file]);
    }

  std::vector<HostLine> lines(places.count());
  for (const std::size_t place : wanted) {
    if (place >= lines.size()) continue;
    for (const HostFrame& frame : places.frames(place)) {
      const auto& at = functions[frame.file][frame.offset];
      const auto own = std::find_if(at.begin(), at.end(), [&](const HostFunction& function) {
        return !function.at.file.empty() && !is_foreign(function, kernels);
      });
      if (own == at.end()) continue;
      lines[place] = own->at;
      break;
    }
  }
  return lines;
}

}  // namespace warpbook::simulator::runtime
