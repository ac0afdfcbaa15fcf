// The command info: tables of breakpoints, threads, registers and so on.
#include <algorithm>
#include <bit>
#include <cstdio>
#include <map>
#include <sstream>

#include "common/simulator/debugger/command_words.h"
#include "common/simulator/debugger/commands.h"
#include "common/simulator/debugger/stop_text.h"

namespace warpbook::simulator::debugger {
namespace {

using Status = LaneState::Status;

const char* status_text(Status status) {
  switch (status) {
    case Status::at_operation:
      return "active";
    case Status::ready:
      return "ready";
    case Status::barrier:
      return "at barrier";
    case Status::lanes:
      return "waits for lanes of its warp";
    case Status::mbarrier:
      return "waits for an mbarrier";
    case Status::cluster:
      return "at cluster barrier";
    case Status::joining:
      return "waits to reconverge";
    case Status::exited:
      return "ended";
  }
  return "";
}

std::string place_text(const GridView& grid, const LaneState& state, ThreadId thread) {
  if (state.next == nullptr) return "";
  const std::vector<FrameView> frames = grid.frames(thread);
  const std::uint32_t at = frames.empty() ? state.next->index : frames[grid.user_frame(frames)].at->index;
  const CodePlace place = grid.module().lines().place_of(at);
  return place.file == nullptr ? "?" : base_name(*place.file) + ":" + std::to_string(place.line);
}

/// A table whose columns are as wide as their contents.
class Table {
 public:
  explicit Table(std::vector<std::string> head) { rows_.push_back(std::move(head)); }
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text() const {
    std::vector<std::size_t> width(rows_.front().size());
    for (const auto& row : rows_)
      for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], row[i].size());
    std::string text;
    for (const auto& row : rows_) {
      std::string line;
      for (std::size_t i = 0; i < row.size(); ++i) line += row[i] + std::string(width[i] - row[i].size() + 2, ' ');
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
};

std::string mask_text(std::uint32_t mask) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

}  // namespace

After Commands::info(const std::string& given) {
  std::string rest = given;
  if (rest.rfind("cuda", 0) == 0) rest = trimmed(rest.substr(4));
  const auto [subject, argument] = first_word(rest);
  const auto is = [&, &word = subject](const char* name, std::size_t least) {
    return word.size() >= least && std::string_view(name).substr(0, word.size()) == word;
  };
  if (rest.empty()) throw EvaluationError("\"info\" must be followed by a subject: `help info` lists them.");
  if (is("breakpoints", 1)) {
    info_breakpoints(false);
  } else if (is("watchpoints", 3)) {
    info_breakpoints(true);
  } else if (is("locals", 2)) {
    info_locals(false);
  } else if (is("args", 1)) {
    info_locals(true);
  } else if (is("registers", 1)) {
    info_registers(argument);
  } else if (is("threads", 1)) {
    info_threads();
  } else if (is("warps", 4)) {
    info_warps();
  } else if (is("lanes", 2)) {
    info_lanes();
  } else if (is("blocks", 2)) {
    info_blocks();
  } else if (is("kernels", 1)) {
    info_kernels();
  } else if (is("barriers", 2)) {
    info_barriers();
  } else if (is("display", 1)) {
    for (const Display& shown : displays_)
      out_ += std::to_string(shown.number) + ":   " + shown.expression.text() + "\n";
    if (displays_.empty()) out_ += "There are no auto-display expressions now.\n";
  } else if (is("frame", 1) || (is("line", 3) && argument.empty())) {
    out_ += where();
  } else if (is("line", 3)) {
    info_line(argument);
  } else if (is("source", 2)) {
    const std::string file = session_.current_file();
    out_ += file.empty() ? "No current source file.\n" : "Current source file is " + file + "\n";
  } else if (is("sources", 7)) {
    for (const auto& module : session_.modules())
      for (const std::string& file : module->lines().files()) out_ += file + "\n";
  } else if (is("devices", 3) || is("sms", 2)) {
    out_ += "device " + std::to_string(session_.stopped_grid().launch().device) + ", " +
            std::to_string(session_.stopped_grid().launch().multiprocessors) + " SMs\n";
  } else {
    throw EvaluationError("Undefined info command: \"" + rest + "\".  Try \"help info\".");
  }
  return After::stay;
}

void Commands::info_line(const std::string& location) {
  const auto [module, places] = loaded_places(location);
  const std::string wanted = location.substr(location.rfind(':') + 1);
  const bool is_line = wanted.find_first_not_of("0123456789") == std::string::npos;
  const std::string line = is_line ? wanted : std::to_string(places.line);
  out_ += "Line " + line + " of \"" + base_name(places.file) + "\" ";
  if (line == std::to_string(places.line)) {
    out_ += "has code";
  } else {
    out_ += "contains no code; the next line that does is " + std::to_string(places.line) + ",";
  }
  std::string functions;
  for (const std::uint32_t operation : places.operations)
    functions +=
        (functions.empty() ? " in " : ", ") + module->lines().full_name(module->program().details[operation].function);
  out_ += functions + ".\n";
}

void Commands::info_breakpoints(bool only_watchpoints) {
  Table table({"Num", "Type", "Disp", "Enb", "What"});
  bool any = false;
  for (const Breakpoint& known : session_.breakpoints) {
    if (only_watchpoints && !known.is_watchpoint()) continue;
    any = true;
    std::string what = known.location;
    if (known.places)
      what = (known.location.find(':') == std::string::npos ? known.location + " at " : "") +
             base_name(known.places->file) + ":" + std::to_string(known.places->line);
    if (!known.is_watchpoint() && !known.places) what += " (pending)";
    if (known.condition) what += " if " + known.condition->text();
    const char* const type = known.kind == Breakpoint::Kind::code    ? "breakpoint"
                             : known.kind == Breakpoint::Kind::write ? "hw watchpoint"
                             : known.kind == Breakpoint::Kind::read  ? "read watchpoint"
                                                                     : "acc watchpoint";
    if (known.hits != 0) what += ", already hit " + std::to_string(known.hits) + (known.hits == 1 ? " time" : " times");
    if (known.ignored != 0) what += ", ignore next " + std::to_string(known.ignored) + " hits";
    table.add({std::to_string(known.number), type, known.temporary ? "del" : "keep", known.enabled ? "y" : "n", what});
  }
  out_ += any ? table.text() : only_watchpoints ? "No watchpoints.\n" : "No breakpoints or watchpoints.\n";
}

void Commands::info_locals(bool parameters) {
  ThreadContext context = session_.context();
  const auto variables = context.variables(parameters);
  if (variables.empty()) {
    const ModuleView& module = session_.stopped_grid().module();
    if (!module.problem().empty()) throw EvaluationError("The debug information cannot be read: " + module.problem());
    if (!module.has_variables())
      throw EvaluationError("No variables are known: compile with nvcc -G. `info registers` shows the registers.");
    out_ += parameters ? "No arguments.\n" : "No locals.\n";
  }
  for (const Variable* variable : variables) {
    out_ += variable->name + " = ";
    try {
      out_ += value_text(context, context.value(*variable));
    } catch (const EvaluationError& error) {
      out_ += "<" + std::string(error.what()) + ">";
    }
    out_ += "\n";
  }
}

void Commands::info_registers(const std::string& rest) {
  ThreadContext context = session_.context();
  std::vector<std::string> wanted;
  std::istringstream words(rest);
  for (std::string word; words >> word;) wanted.push_back(word[0] == '$' ? word.substr(1) : word);
  if (wanted.empty())
    for (const NamedRegister& known : context.names().registers) wanted.push_back(known.name);
  Table table({"Register", "Hex", "Value"});
  for (const std::string& name : wanted) {
    const Value value = context.special(name);
    const NamedRegister& known = *context.find_register(name);
    table.add({known.name, value_text(context, value, {'x', 1}), value_text(context, value)});
  }
  if (wanted.empty())
    out_ += "The function has no registers.\n";
  else
    out_ += table.text();
}

/// Consecutive threads at the same place share a line, as in cuda-gdb.
void Commands::info_threads() {
  const GridView& grid = session_.stopped_grid();
  Table table({"", "BlockIdx", "ThreadIdx", "To BlockIdx", "To ThreadIdx", "Count", "Line", "State"});
  for (const BlockState* block : grid.blocks()) {
    const auto threads = static_cast<std::uint32_t>(grid.launch().block.count());
    for (std::uint32_t first = 0; first < threads;) {
      const auto state = [&](std::uint32_t thread) {
        const LaneState lane = grid.state_of(*block->warps[thread / kWarpSize], thread % kWarpSize);
        return std::pair(place_text(grid, lane, {block->linear, thread}), std::string(status_text(lane.status)));
      };
      const auto here = state(first);
      std::uint32_t end = first + 1;
      while (end < threads && state(end) == here) ++end;
      const bool focused =
          session_.focus.block == block->linear && session_.focus.thread >= first && session_.focus.thread < end;
      if (here.second != status_text(Status::exited) || focused)
        table.add({focused ? "*" : "", triple_text(grid.block_index(block->linear)),
                   triple_text(grid.thread_index(first)), triple_text(grid.block_index(block->linear)),
                   triple_text(grid.thread_index(end - 1)), std::to_string(end - first), here.first, here.second});
      first = end;
    }
  }
  out_ += table.text();
}

void Commands::info_warps() {
  const GridView& grid = session_.stopped_grid();
  Table table({"", "BlockIdx", "Wp", "Live lanes", "Active lanes", "Line", "State"});
  for (const BlockState* block : grid.blocks()) {
    for (const auto& warp : block->warps) {
      std::map<std::pair<std::string, std::string>, std::uint32_t> groups;
      for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        const LaneState state = grid.state_of(*warp, lane);
        if (state.status == Status::exited) continue;
        const std::string place = place_text(grid, state, {block->linear, warp->index * kWarpSize + lane});
        groups[{place, status_text(state.status)}] |= 1u << lane;
      }
      const bool focused = session_.focus.block == block->linear && session_.focus.warp() == warp->index;
      if (groups.empty()) groups[{"", "ended"}] = 0;
      for (const auto& [where, lanes] : groups)
        table.add({focused ? "*" : "", triple_text(grid.block_index(block->linear)), std::to_string(warp->index),
                   mask_text(warp->live), mask_text(lanes), where.first, where.second});
    }
  }
  out_ += table.text();
}

void Commands::info_lanes() {
  const GridView& grid = session_.stopped_grid();
  const WarpState* const warp = grid.find(session_.focus);
  if (warp == nullptr) throw EvaluationError("The block in focus has ended.");
  Table table({"", "Ln", "ThreadIdx", "Line", "State"});
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    const std::uint32_t thread = session_.focus.warp() * kWarpSize + lane;
    if (thread >= grid.launch().block.count()) break;
    const LaneState state = grid.state_of(*warp, lane);
    table.add({thread == session_.focus.thread ? "*" : "", std::to_string(lane), triple_text(grid.thread_index(thread)),
               place_text(grid, state, {session_.focus.block, thread}), status_text(state.status)});
  }
  out_ += table.text();
}

void Commands::info_blocks() {
  const GridView& grid = session_.stopped_grid();
  Table table({"", "BlockIdx", "State", "SM", "Live threads"});
  for (const BlockState* block : grid.blocks())
    table.add({block->linear == session_.focus.block ? "*" : "", triple_text(grid.block_index(block->linear)),
               "running", std::to_string(grid.sm_of(block->linear)), std::to_string(block->live_threads)});
  out_ += table.text();
}

void Commands::info_kernels() {
  const GridView& stopped = session_.stopped_grid();
  Table table({"", "Kernel", "Dev", "Grid", "GridDim", "BlockDim", "Shared bytes", "Invocation"});
  for (const GridDebug* known : session_.grids()) {
    const GridView& grid = known->view();
    const Launch& launch = grid.launch();
    const std::vector<FrameView> frames = &grid == &stopped ? grid.frames(session_.focus) : std::vector<FrameView>();
    const std::string call = frames.empty() ? known->about().kernel : frame_text(session_, frames, frames.size() - 1);
    table.add({&grid == &stopped ? "*" : "", std::to_string(known->about().number), std::to_string(launch.device),
               std::to_string(launch.grid_id), triple_text(launch.grid), triple_text(launch.block),
               std::to_string(launch.kernel->shared_bytes + launch.dynamic_shared_bytes), call});
  }
  out_ += table.text();
}

void Commands::info_barriers() {
  const GridView& grid = session_.stopped_grid();
  Table table({"", "BlockIdx", "Barrier", "Arrived", "Expected", "Waiting threads", "Line"});
  bool any = false;
  for (const BlockState* block : grid.blocks()) {
    for (unsigned number = 0; number < BlockState::kBarriers; ++number) {
      const Barrier& barrier = block->barriers[number];
      if (barrier.arrived == 0) continue;
      unsigned waiting = 0;
      std::string line;
      for (const auto& warp : block->warps) {
        for (unsigned lane = 0; lane < kWarpSize; ++lane) {
          const LaneState state = grid.state_of(*warp, lane);
          if (state.status != Status::barrier || state.barrier != static_cast<std::int32_t>(number)) continue;
          ++waiting;
          const std::string here = place_text(grid, state, {block->linear, warp->index * kWarpSize + lane});
          if (line.find(here) == std::string::npos) line += (line.empty() ? "" : ", ") + here;
        }
      }
      any = true;
      table.add({block->linear == session_.focus.block ? "*" : "", triple_text(grid.block_index(block->linear)),
                 std::to_string(number), std::to_string(barrier.arrived),
                 barrier.expected == 0 ? std::to_string(block->live_threads) : std::to_string(barrier.expected),
                 std::to_string(waiting), line});
    }
  }
  out_ += any ? table.text() : "No thread waits at a barrier of its block.\n";
}

}  // namespace warpbook::simulator::debugger
