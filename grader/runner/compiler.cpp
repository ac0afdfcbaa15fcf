// Running nvcc on a test's own program, and reading its messages and its PTX.
#include "grader/runner/compiler.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "grader/judge/pattern.h"
#include "grader/runner/process.h"
#include "grader/runner/temporary_folder.h"

namespace warpbook::grader {

namespace {

/// Messages and output of one run of nvcc.
struct NvccRun {
  bool succeeded = false;
  std::map<int, std::string> said;
  std::string text, made;
};

/// "warning" or "error" first: of several messages of a line, the worst counts.
bool is_error_message(const std::string& message) { return message.rfind("error", 0) == 0; }

void note_message(std::map<int, std::string>& said, int line, const std::string& message) {
  const auto [place, is_new] = said.try_emplace(line, message);
  if (!is_new && is_error_message(message) && !is_error_message(place->second)) place->second = message;
}

NvccRun run_nvcc(const std::string& nvcc, const std::string& program, const std::vector<std::string>& options) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() + "/program.cu") << program;
  ProcessRequest request;
  request.program = nvcc;
  request.arguments = {"-arch=sm_90", "-std=c++20", "-o", "made", "program.cu"};
  request.arguments.insert(request.arguments.end(), options.begin(), options.end());
  request.folder = folder.path();
  request.environment = {{"TMPDIR", folder.path()}};
  for (const char* name : {"PATH", "HOME", "LD_LIBRARY_PATH"})
    if (const char* value = std::getenv(name)) request.environment[name] = value;
  request.limits.wall_s = 120;
  const ProcessResult result = run_process(request);
  if (result.end != End::exited) throw std::runtime_error(nvcc + " did not finish: " + result.error);
  NvccRun run{result.code == 0, {}, result.output + result.error, {}};
  static const Pattern kMessage("program\\.cu\\(([0-9]+)\\) ?: ((error|[Ww]arning)[^\n]*)");
  for (auto found = kMessage.search(run.text); !found.empty();) {
    note_message(run.said, std::stoi(std::string(found[1])), std::string(found[2]));
    found = kMessage.search(run.text, static_cast<std::size_t>(found[0].end() - std::string_view(run.text).begin()));
  }
  std::ostringstream made;
  if (run.succeeded) made << std::ifstream(folder.path() + "/made").rdbuf();
  run.made = made.str();
  return run;
}

/// Empties the lines with errors. @returns whether there was one
bool take_out(std::string& program, const std::map<int, std::string>& said) {
  std::istringstream in(program);
  std::string line, left;
  bool taken = false;
  for (int number = 1; std::getline(in, line); ++number) {
    const auto found = said.find(number);
    const bool refused = found != said.end() && is_error_message(found->second) && !line.empty();
    left += refused ? "\n" : line + "\n";
    taken |= refused;
  }
  program = left;
  return taken;
}

bool is_part_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }

}  // namespace

std::int32_t Compiled::verdict(int line) const {
  const auto found = said_.find(line);
  return found == said_.end() ? 0 : is_error_message(found->second) ? 2 : 1;
}

std::string Compiled::message(int line) const {
  const auto found = said_.find(line);
  return found == said_.end() ? "nvcc says nothing." : "nvcc says: " + found->second;
}

std::vector<std::string> Compiled::ptx_of(const std::string& kernel) const {
  std::vector<std::string> lines;
  std::istringstream in(ptx_);
  for (std::string line; std::getline(in, line);) {
    if (lines.empty() && line.find(".entry " + kernel + "(") == std::string::npos) continue;
    if (line == "}") return lines;
    line.resize(std::min(line.size(), line.find("//")));
    line.erase(0, line.find_first_not_of(" \t"));
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

std::int32_t Compiled::count(const std::string& kernel, const std::string& word) const {
  std::int32_t found = 0;
  for (const std::string& line : ptx_of(kernel))
    for (std::size_t at = line.find(word); at != std::string::npos; at = line.find(word, at + 1)) {
      const bool begins = at == 0 || !(is_part_of_word(line[at - 1]) || line[at - 1] == '.');
      const std::size_t end = at + word.size();
      found += begins && (end == line.size() || !is_part_of_word(line[end]));
    }
  return found;
}

std::vector<std::int32_t> Compiled::counts(int kernels, const std::string& word) const {
  std::vector<std::int32_t> all;
  for (int kernel = 1; kernel <= kernels; ++kernel) all.push_back(count("k" + std::to_string(kernel), word));
  return all;
}

std::int32_t Compiled::between(const std::string& kernel, const std::string& text) const {
  std::vector<std::string> lines = ptx_of(kernel);
  const auto has_text = [&](const std::string& line) { return line.find(text) != std::string::npos; };
  lines.erase(lines.begin(), std::find_if(lines.begin(), lines.end(), has_text));
  lines.erase(std::find_if(lines.rbegin(), lines.rend(), has_text).base(), lines.end());
  const auto instructions = std::count_if(lines.begin(), lines.end(), [&](const std::string& line) {
    return !has_text(line) && line.front() != '.' && line.back() == ';';
  });
  return static_cast<std::int32_t>(instructions);
}

Compiled compile_program(const std::string& nvcc, const std::string& program, CompileFor pass) {
  if (!std::filesystem::exists(nvcc))
    throw std::runtime_error(nvcc +
                             " does not exist, but this test needs it. Run common/setup.sh, then configure again.");
  std::map<int, std::string> said;
  std::string left = program, ptx;
  std::vector<std::vector<std::string>> passes = {{"-ptx"}};
  if (pass == CompileFor::relocatable_device) passes.front().push_back("-rdc=true");
  if (pass == CompileFor::both) passes.push_back({"-cuda"});
  for (const std::vector<std::string>& options : passes) {
    for (bool done = false; !done;) {
      const NvccRun run = run_nvcc(nvcc, left, options);
      for (const auto& [line, message] : run.said) note_message(said, line, message);
      if (run.succeeded && &options == &passes.front()) ptx = run.made;
      done = run.succeeded;
      if (!done && !take_out(left, run.said))
        throw std::runtime_error("nvcc failed, but names no line of the program:\n" + run.text);
    }
  }
  const auto lines = std::count(program.begin(), program.end(), '\n');
  return {static_cast<std::int32_t>(lines), std::move(said), std::move(ptx)};
}

}  // namespace warpbook::grader
