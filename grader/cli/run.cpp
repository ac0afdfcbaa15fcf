// warpbook run: any program built by `nvcc -cudart shared`, and Python's CUDA packages, on the virtual GPU.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "grader/cli/commands.h"
#include "grader/judge/file_lock.h"

namespace warpbook::grader {

namespace {

namespace fs = std::filesystem;

constexpr const char* kRuntime = "libcudart.so.13";
constexpr const char* kDriver = "libcuda.so.1";

/// The file that a shell would run.
std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    if (!fs::exists(name)) throw std::runtime_error("the program '" + name + "' does not exist");
    if (fs::is_directory(name)) throw std::runtime_error("'" + name + "' is a folder, not a program");
    if (access(name.c_str(), X_OK) != 0)
      throw std::runtime_error("the program '" + name + "' is not executable: chmod +x " + name);
    return name;
  }
  const char* search = std::getenv("PATH");
  std::istringstream path(search != nullptr ? search : "");
  for (std::string candidate; std::getline(path, candidate, ':');) {
    if (candidate.empty()) continue;
    candidate.append("/").append(name);
    if (access(candidate.c_str(), X_OK) == 0 && !fs::is_directory(candidate)) return candidate;
  }
  std::string hint = fs::exists(name) ? "; a program in this folder is started as ./" + name : "";
  throw std::runtime_error("the program '" + name + "' is not on PATH" + hint);
}

/// @returns whether the program itself links the CUDA libraries that it needs; otherwise it may load them later, as
/// scripts and Python do
bool check_linkage(const std::string& program) {
  const CudaLinkage linkage = read_linkage(program);
  const auto runtime = std::find_if(linkage.needed.begin(), linkage.needed.end(),
                                    [](const std::string& name) { return name.rfind("libcudart.so", 0) == 0; });
  if (runtime != linkage.needed.end()) {
    if (*runtime == kRuntime) return true;
    throw std::runtime_error("'" + program + "' needs " + *runtime + "; the virtual GPU is " + kRuntime +
                             ". Rebuild the program with nvcc 13.");
  }
  // A program that uses the driver API. nvcc links its own runtime into it, too; if the program calls that one, the
  // virtual GPU says so then.
  if (std::find(linkage.needed.begin(), linkage.needed.end(), kDriver) != linkage.needed.end()) return true;
  if (linkage.device_code) {
    throw std::runtime_error("'" + program +
                             "' is not linked to a shared CUDA runtime, so the virtual GPU cannot replace it. "
                             "Rebuild with: nvcc -cudart shared");
  }
  // No CUDA in the file itself: a script, or a program that loads one. Whatever it loads finds the virtual GPU.
  return false;
}

void check_device(const std::string& project_root, const std::string& device) {
  if (fs::path(device).extension() == ".json") {
    if (!fs::is_regular_file(device))
      throw std::runtime_error("the device description '" + device + "' does not exist");
    return;
  }
  const auto known = known_devices(project_root);
  if (std::find(known.begin(), known.end(), device) != known.end()) return;
  std::string list;
  for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
  throw std::runtime_error("there is no device '" + device + "'; there is: " + (list.empty() ? "none" : list));
}

/// @param devices a number, or a list of names
void check_devices(const std::string& project_root, const std::string& devices) {
  constexpr unsigned long kMost = 16;
  const auto wrong = [&](const std::string& what) {
    return std::runtime_error("--devices: '" + devices + "' " + what +
                              ": a number from 1 to 16, or a list of names (h200,h200), is expected");
  };
  if (devices.empty()) return;
  if (devices.find_first_not_of("0123456789") == std::string::npos) {
    const unsigned long count = devices.size() > 3 ? kMost + 1 : std::stoul(devices);
    if (count == 0 || count > kMost) throw wrong("is not a number of devices");
    return;
  }
  if (devices.back() == ',') throw wrong("ends with a comma");
  std::istringstream list(devices);
  unsigned long count = 0;
  for (std::string name; std::getline(list, name, ',');) {
    if (name.empty()) throw wrong("has an empty name");
    if (++count > kMost) throw wrong("has too many names");
    check_device(project_root, name);
  }
}

std::string lines_of(const std::vector<std::string>& texts) {
  std::string lines;
  for (const std::string& text : texts) lines += text + "\n";
  return lines;
}

void set(const char* name, const std::string& value) {
  if (!value.empty()) setenv(name, value.c_str(), 1);
}

/// The same for a file that the program is to write.
void set_path(const char* name, const std::string& path, const std::string& what) {
  if (path.empty()) return;
  const fs::path folder = fs::absolute(path).parent_path();
  if (!fs::is_directory(folder))
    throw std::runtime_error("the folder of the " + what + ", " + folder.string() + ", does not exist");
  set(name, fs::absolute(path).string());
}

/// Sets the limits of a profile. Its ranges come from NVTX, unless the program's NVTX has a tool already.
void set_filter(const RunOptions& options) {
  set("WARPBOOK_PROFILE_KERNEL", options.kernel_name);
  set("WARPBOOK_PROFILE_LAUNCH_SKIP", options.launch_skip);
  set("WARPBOOK_PROFILE_LAUNCH_COUNT", options.launch_count);
  set("WARPBOOK_PROFILE_NVTX", lines_of(options.nvtx_include));
  set("WARPBOOK_PROFILE_FROM_START", options.profile_from_start);
  if (!options.profile.empty() || !options.trace.empty())
    setenv("NVTX_INJECTION64_PATH", (options.library_folder + "/" + kRuntime).c_str(), 0);
}

/// The debugger runs inside the program (common/simulator/debugger).
void set_debugger(const RunOptions& options) {
  if (!options.debug) return;
  set("WARPBOOK_DEBUG", options.debugger_socket < 0 ? "console" : "dap:" + std::to_string(options.debugger_socket));
  set("WARPBOOK_DEBUG_BATCH", options.batch ? "1" : "");
  std::vector<std::string> commands;
  for (const std::string& given : options.debug_commands) {
    const bool file = given.rfind("x ", 0) == 0;
    if (file && !fs::is_regular_file(given.substr(2)))
      throw std::runtime_error("the file of commands '" + given.substr(2) + "' does not exist");
    commands.push_back(file ? "x " + fs::absolute(given.substr(2)).string() : given);
  }
  set("WARPBOOK_DEBUG_COMMANDS", lines_of(commands));
}

/// Puts @p first before what the variable holds.
void prepend(const char* name, const std::string& first, const char* separator) {
  const char* const inherited = std::getenv(name);
  set(name, first + (inherited != nullptr && *inherited != 0 ? separator + std::string(inherited) : ""));
}

/// Loads the virtual GPU into every process before anything else. Python packages open NVIDIA's libraries by their full
/// paths, but get a library with the same name that is already loaded.
void load_first(const std::string& folder) {
  std::string files;
  // LD_PRELOAD cannot hold a path with one of these characters; a name alone is found on the library path.
  const bool nameable = folder.find_first_of(" :") == std::string::npos;
  for (const char* const file : {kRuntime, kDriver, "libnvrtc.so.13", "libnvJitLink.so.13"}) {
    if (fs::exists(folder + "/" + file)) files += (files.empty() ? "" : ":") + (nameable ? folder + "/" + file : file);
  }
  prepend("LD_PRELOAD", files, ":");
}

/// What programs that compile at run time look for: the toolkit, and an nvcc whose output the virtual GPU can run.
void offer_tools(const RunOptions& options) {
  if (fs::exists(options.tool_folder)) prepend("PATH", options.tool_folder, ":");
  const char* const given = std::getenv("CUDA_HOME") != nullptr ? std::getenv("CUDA_HOME") : std::getenv("CUDA_PATH");
  const std::string toolkit = given != nullptr ? given : fs::exists(WARPBOOK_TOOLKIT) ? WARPBOOK_TOOLKIT : "";
  if (given == nullptr) set("CUDA_HOME", toolkit);
  // PyCUDA looks for the device runtime here, and otherwise beside nvcc.
  if (std::getenv("CUDA_ROOT") == nullptr) set("CUDA_ROOT", toolkit);
}

/// Builds the libraries if they are missing in the build folder of a clone: grading labs does not need them.
void build_libraries(const RunOptions& options) {
  const auto exists = [&options](const char* name) { return fs::exists(options.library_folder + "/" + name); };
  if (exists(kRuntime) && exists(kDriver)) return;
  const std::string build = fs::path(options.library_folder).parent_path().string();
  if (!fs::exists(build + "/CMakeCache.txt"))
    throw std::runtime_error(options.library_folder + "/" + kRuntime + " is missing. Install warpbook again");
  std::fputs("warpbook: building the virtual GPU's libraries for `warpbook run`, once\n", stderr);
  // As `warpbook check` does: two builds at a time would disturb each other.
  const FileLock lock(build + "/warpbook_check.lock");
  if (exists(kRuntime) && exists(kDriver)) return;  // Another process has built them meanwhile.
  const pid_t builder = fork();
  if (builder == 0) {
    dup2(STDERR_FILENO, STDOUT_FILENO);  // What is printed there is the program's.
    execl(WARPBOOK_CMAKE, "cmake", "--build", build.c_str(), "--target", "warpbook_libraries", nullptr);
    _exit(127);
  }
  int status = 0;
  while (builder > 0 && waitpid(builder, &status, 0) < 0 && errno == EINTR) continue;
  if (builder < 0 || status != 0 || !exists(kRuntime))
    throw std::runtime_error("the virtual GPU's libraries could not be built. Repeat: cmake --build " + build +
                             " --target warpbook_libraries");
}

}  // namespace

void run_program(const RunOptions& options) {
  const std::string program = find_program(options.command.front());
  const bool linked = check_linkage(program);
  check_device(options.project_root, options.device);
  check_devices(options.project_root, options.devices);
  build_libraries(options);
  prepend("LD_LIBRARY_PATH", options.library_folder, ":");
  if (!linked) {
    load_first(options.library_folder);
    offer_tools(options);
  }
#ifdef WARPBOOK_PRELOAD
  // A sanitized virtual GPU in a program that is not sanitized: the sanitizer's runtime is loaded first, and ignores
  // the program's own leaks and faults.
  prepend("LD_PRELOAD", WARPBOOK_PRELOAD, ":");
  set("ASAN_OPTIONS", "detect_leaks=0:handle_segv=0");
#endif
  set("WARPBOOK_DEVICE", options.device);
  set("WARPBOOK_DEVICES", options.devices);
  set("WARPBOOK_THREADS", options.threads);
  set("WARPBOOK_SCHEDULE_SEED", options.schedule_seed);
  set("WARPBOOK_STEP_LIMIT", options.step_limit);
  set("WARPBOOK_CACHE_CONTROL", options.cache_control);
  set_path("WARPBOOK_PROFILE", options.profile, "profile");
  set_path("WARPBOOK_TRACE", options.trace, "trace");
  set("WARPBOOK_CHECK", options.check);
  set_path("WARPBOOK_CHECK_REPORT", options.check_report, "check report");
  set("WARPBOOK_CHECK_EXITCODE", options.error_exit_code);
  set("WARPBOOK_CHECK_SUPPRESS", lines_of(options.suppressions));
  set_filter(options);

  set_debugger(options);

  std::vector<char*> arguments;
  for (const std::string& argument : options.command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execv(program.c_str(), arguments.data());
  throw std::runtime_error("'" + program + "' cannot be started: " + std::strerror(errno));
}

}  // namespace warpbook::grader
