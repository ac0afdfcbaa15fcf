// The subcommands of `warpbook`. Each returns the exit status; errors are exceptions that main() prints.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warpbook::grader {

/// Where the project's Python packages and device descriptions lie for the command in @p build_folder/bin: in that
/// folder itself if it is installed, else in the sources that it was built from.
std::string project_root_of(const std::string& build_folder);

/// warpbook run
struct RunOptions {
  std::vector<std::string> command;  ///< The program and its arguments.
  std::string library_folder;        ///< Where the virtual GPU's libcudart.so.13 is.
  std::string tool_folder;           ///< Where the nvcc is that goes before NVIDIA's on PATH.
  std::string project_root;          ///< project_root_of() the command's folder.
  std::string profile, trace, device = "h200", devices, threads, schedule_seed, step_limit;  ///< Empty: not given.
  std::string check, check_report, error_exit_code;                                          ///< The same.
  std::vector<std::string> suppressions;
  std::string kernel_name, launch_skip, launch_count, profile_from_start;  ///< Of what is profiled; empty: not given.
  std::vector<std::string> nvtx_include;
  bool debug = false, batch = false;        ///< warpbook debug, and its --batch.
  std::vector<std::string> debug_commands;  ///< "x FILE" and "ex COMMAND", in their order.
  int debugger_socket = -1;  ///< Over which the debugger speaks the Debug Adapter Protocol; -1: it does not.
};

/// Replaces this process by the program, on the virtual GPU. Returns only by throwing.
[[noreturn]] void run_program(const RunOptions& options);

/// Names of the described devices.
std::vector<std::string> known_devices(const std::string& project_root);

/// warpbook devices: prints them.
int list_devices(const std::string& project_root);
/// warpbook debug --dap: speaks the Debug Adapter Protocol on standard input and output. @returns the exit code
int run_debug_adapter(const RunOptions& options);

/// warpbook results, warpbook demo
struct ResultsOptions {
  std::string build_folder;
  std::string answer = "student";
  std::string output;  ///< Folder of results.json and the profiles.
  bool grade = false;  ///< Run the tests first; otherwise take the records that ctest left.
  bool large = false;  ///< On a real GPU: run the ladders on the large benchmarks too.
};

/// Writes results.json and the profiles of the ladder, and prints the table. Returns 1 if an answer that was graded
/// here and now has failed.
int write_results(const ResultsOptions& options);

/// warpbook explain: what the tests of the named run (named_run()) said about the labs. @param ctest its process id
int explain_run(const std::string& build_folder, long ctest);

/// A subcommand that a Python package carries out.
struct PythonCommand {
  const char* name;
  const char* module;  ///< Started as `python3 -m MODULE NAME --build-folder BUILD ARGUMENTS...`.
  const char* description;
};

/// All of them.
const std::vector<PythonCommand>& python_commands();

/// The interpreter that Python commands are started with: a path, or a name to be looked for in PATH.
std::string python();

/// Replaces this process by the command `name`, so that signals and the exit status pass through. Returns if it is no
/// command in Python. @throws std::runtime_error if Python cannot be started
void run_python_command(const std::string& build_folder, const std::string& name,
                        const std::vector<std::string>& arguments);

/// How a program gets its CUDA runtime.
struct CudaLinkage {
  bool elf = false;                 ///< False: a script, or no program at all.
  bool device_code = false;         ///< There is CUDA device code in it.
  std::vector<std::string> needed;  ///< Shared libraries it names.
};

/// Reads an ELF file's dynamic section. @throws std::runtime_error if the file cannot be read or is damaged
CudaLinkage read_linkage(const std::string& path);

}  // namespace warpbook::grader
