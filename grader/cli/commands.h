// The subcommands of `warpbook`. Each returns the exit status; errors are exceptions that main() prints.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warpbook::grader {

/// Where the command in @p build_folder/bin finds the project's Python packages and device descriptions: in that folder
/// itself if it is installed, else in the sources that it was built from.
std::string project_root_of(const std::string& build_folder);

/// warpbook run
struct RunOptions {
  std::vector<std::string> command;  ///< The program and its arguments.
  std::string library_folder;        ///< Where the virtual GPU's libcudart.so.13 is.
  std::string tool_folder;           ///< Where the nvcc is that is put before NVIDIA's on PATH.
  std::string project_root;          ///< project_root_of() the command's folder.
  std::string profile, trace, device = "h200", devices, threads, schedule_seed, step_limit,
                              cache_control;         ///< Empty: not given.
  std::string check, check_report, error_exit_code;  ///< Empty: not given.
  std::vector<std::string> suppressions;
  std::string kernel_name, launch_skip, launch_count, profile_from_start;  ///< Limits of the profile; empty: not given.
  std::vector<std::string> nvtx_include;
  bool debug = false, batch = false;        ///< warpbook debug, and its --batch.
  std::vector<std::string> debug_commands;  ///< "x FILE" and "ex COMMAND", in their order.
  int debugger_socket = -1;                 ///< For the Debug Adapter Protocol; -1: the debugger uses the terminal.
};

/// Replaces this process by the program, on the virtual GPU. Returns only by throwing.
[[noreturn]] void run_program(const RunOptions& options);

/// Names of the described devices.
std::vector<std::string> known_devices(const std::string& project_root);

/// warpbook devices: prints them.
int list_devices(const std::string& project_root);
/// warpbook debug --dap: speaks the Debug Adapter Protocol on standard input and output. @returns the exit code
int run_debug_adapter(const RunOptions& options);

/// warpbook results
struct ResultsOptions {
  std::string build_folder;
  std::string answer = "student";
  std::string output;             ///< Folder of results.json and the profiles.
  bool grade = false;             ///< Run the tests first; otherwise take the records that ctest left.
  bool large = false;             ///< On a real GPU: run the ladders on the large benchmarks too.
  std::vector<std::string> labs;  ///< Only these; none: all.
};

/// Writes results.json and the profiles of the ladder, and prints the table. Returns 1 if one of the project's own
/// solutions has failed; a student's answers may be unfinished.
int write_results(const ResultsOptions& options);

/// warpbook explain: prints what the tests of the named run (named_run()) found. @param ctest the process id of ctest
int explain_run(const std::string& build_folder, long ctest);

/// A subcommand that is implemented by a Python package.
struct PythonCommand {
  const char* name;
  const char* module;  ///< Started as `python3 -m MODULE NAME --build-folder BUILD ARGUMENTS...`.
  const char* description;
};

/// All of them.
const std::vector<PythonCommand>& python_commands();

/// The interpreter that Python commands are started with: a path, or a name that is found on PATH.
std::string python();

/// Replaces this process by the command `name`, so that signals and the exit status pass through. Returns if `name` is
/// not a command in Python. @throws std::runtime_error if Python cannot be started
void run_python_command(const std::string& build_folder, const std::string& name,
                        const std::vector<std::string>& arguments);

/// How a program gets its CUDA runtime.
struct CudaLinkage {
  bool elf = false;                 ///< False: a script, or not a program at all.
  bool device_code = false;         ///< There is CUDA device code in it.
  std::vector<std::string> needed;  ///< Shared libraries that it links (DT_NEEDED).
};

/// Reads an ELF file's dynamic section. @throws std::runtime_error if the file cannot be read or is damaged
CudaLinkage read_linkage(const std::string& path);

}  // namespace warpbook::grader
