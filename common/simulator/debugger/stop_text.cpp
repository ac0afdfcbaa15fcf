// Texts for stops.
#include "common/simulator/debugger/stop_text.h"

#include <fstream>
#include <map>

#include "common/simulator/debugger/session.h"

namespace warpbook::simulator::debugger {
namespace {

/// CUDA_EXCEPTION_n and its name, from cuda-gdb's list.
const char* exception_name(FaultKind kind) {
  switch (kind) {
    case FaultKind::out_of_bounds:
      return "CUDA_EXCEPTION_14, Warp Illegal Address";
    case FaultKind::misaligned:
      return "CUDA_EXCEPTION_6, Warp Misaligned Address";
    case FaultKind::wrong_space:
      return "CUDA_EXCEPTION_7, Warp Invalid Address Space";
    case FaultKind::invalid_pc:
      return "CUDA_EXCEPTION_8, Warp Invalid PC";
    case FaultKind::assertion:
      return "CUDA_EXCEPTION_12, Warp Assert";
    case FaultKind::stack_overflow:
      return "CUDA_EXCEPTION_2, Lane User Stack Overflow";
    case FaultKind::trap:
      return "SIGTRAP, Trace/breakpoint trap";
    case FaultKind::deadlock:
    case FaultKind::divergent_barrier:
      return "SIGTRAP: no thread of the grid can continue";
    case FaultKind::step_limit:
      return "SIGXCPU: the limit of instructions is reached";
    default:
      return "CUDA_EXCEPTION_4, Warp Illegal Instruction";
  }
}

const std::vector<std::string>& lines_of(const std::string& file) {
  // Never destroyed: commands are still entered after the program has ended.
  static auto& known = *new std::map<std::string, std::vector<std::string>>;
  const auto [place, fresh] = known.try_emplace(file);
  if (fresh) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) place->second.push_back(line);
  }
  return place->second;
}

std::string arguments_text(const Session& session, const GridView& grid, const FrameView& frame) {
  ThreadContext context(grid, session.focus, frame, session.history);
  std::string text;
  for (const Variable* variable : context.variables(true)) {
    std::string value;
    try {
      const Value found = context.value(*variable);
      const Type& type = plain(found.type);
      // As in gdb: aggregates and pointer types are left out here.
      const Type& shown = type.is_reference ? plain(type.target) : type;
      const Format format{shown.kind == Type::Kind::pointer ? 'a' : char{}};
      value = is_scalar(shown) ? value_text(context, found, format) : "...";
    } catch (const EvaluationError& error) {
      value = "<" + std::string(error.what()) + ">";
    }
    text += (text.empty() ? "" : ", ") + variable->name + "=" + value;
  }
  return text;
}

}  // namespace

std::string fault_text(const Fault& fault) {
  return std::string("\nCUDA Exception: ") + exception_name(fault.kind) + "\n" + fault.message + "\n";
}

std::string finding_text(const CheckFinding& finding) {
  std::string text = "\nCheck " + std::string(name_of(finding.check)) + ": " + finding.message + "\n";
  for (const CheckSite& site : finding.sites) {
    text += "  " + site.role;
    if (!site.kernel.empty()) text += " by block " + triple(site.block) + ", thread " + triple(site.thread);
    if (!site.file.empty()) text += " at " + base_name(site.file) + ":" + std::to_string(site.line);
    if (!site.value.empty()) text += ", value " + site.value_is + " " + site.value;
    text += "\n";
  }
  return text;
}

std::string focus_text(const GridView& grid, ThreadId thread) {
  return "block " + triple_text(grid.block_index(thread.block)) + ", thread " +
         triple_text(grid.thread_index(thread.thread)) + ", device " + std::to_string(grid.launch().device) + ", sm " +
         std::to_string(grid.sm_of(thread.block)) + ", warp " + std::to_string(thread.warp()) + ", lane " +
         std::to_string(thread.lane());
}

std::string frame_text(const Session& session, const std::vector<FrameView>& frames, std::size_t number) {
  const GridView& grid = session.stopped_grid();
  const FrameView& frame = frames[number];
  const SourceMap& lines = grid.module().lines();
  std::string text = lines.name(frame.function);
  if (grid.module().program().functions[frame.function].entry)
    text += "<<<" + triple_text(grid.launch().grid) + "," + triple_text(grid.launch().block) + ">>>";
  text += " (" + arguments_text(session, grid, frame) + ")";
  const CodePlace place = lines.place_of(frame.at->index);
  if (place.file != nullptr) text += " at " + base_name(*place.file) + ":" + std::to_string(place.line);
  return text;
}

std::string source_text(const std::string& file, std::uint32_t from, std::uint32_t to) {
  const std::vector<std::string>& lines = lines_of(file);
  std::string text;
  for (std::uint32_t line = std::max(from, 1u); line <= to && line <= lines.size(); ++line)
    text += std::to_string(line) + "\t" + lines[line - 1] + "\n";
  return text;
}

std::string line_text(const GridView& grid, const FrameView& frame) {
  const CodePlace place = grid.module().lines().place_of(frame.at->index);
  if (place.file != nullptr) {
    const std::string text = source_text(*place.file, place.line, place.line);
    return text.empty() ? std::to_string(place.line) + "\tin " + *place.file + "\n" : text;
  }
  const OperationDetail& detail = grid.module().program().details[frame.at->index];
  return "PTX line " + std::to_string(detail.ptx_line) + "\t" + detail.spelling + "\n";
}

}  // namespace warpbook::simulator::debugger
