// Commands that inspect: values, sources, frames and the thread in focus.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <sstream>

#include "common/simulator/debugger/command_words.h"
#include "common/simulator/debugger/commands.h"
#include "common/simulator/debugger/ptx_listing.h"
#include "common/simulator/debugger/stop_text.h"

namespace warpbook::simulator::debugger {
namespace {

/// Removes "3", "(3)", "(3,1)" or "3,1,0" from the start of @p text.
std::optional<Dim3> take_triple(std::string& text) {
  std::size_t at = text.find_first_not_of(" \t");
  if (at == std::string::npos) return std::nullopt;
  const bool brackets = text[at] == '(';
  if (brackets) ++at;
  std::uint32_t parts[3] = {0, 0, 0};
  for (unsigned i = 0;; ++i) {
    while (at < text.size() && text[at] == ' ') ++at;
    const std::size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
    if (i == 3 || end == at || end - at > 9) return std::nullopt;
    parts[i] = static_cast<std::uint32_t>(std::strtoul(text.c_str() + at, nullptr, 10));
    at = end;
    while (brackets && at < text.size() && text[at] == ' ') ++at;
    if (at >= text.size() || text[at] != ',') break;
    ++at;
  }
  if (brackets && (at >= text.size() || text[at++] != ')')) return std::nullopt;
  text = trimmed(text.substr(at));
  return Dim3{parts[0], parts[1], parts[2]};
}

std::string members_text(const Type* type) {
  const Type& whole = plain(type);
  if (whole.kind == Type::Kind::enumeration) {
    std::string text = "enum " + whole.name + " {";
    for (std::size_t i = 0; i < whole.enumerators.size(); ++i)
      text += (i == 0 ? "" : ", ") + whole.enumerators[i].first + " = " + std::to_string(whole.enumerators[i].second);
    return text + "}";
  }
  if (whole.kind != Type::Kind::structure) return type_text(type);
  std::string text = "struct " + whole.name, bases;
  const auto is_base = [](const Member& member) { return member.name.empty() && !plain(member.type).name.empty(); };
  for (const Member& member : whole.members)
    if (is_base(member)) bases += (bases.empty() ? " : " : ", ") + plain(member.type).name;
  text += bases + " {\n";
  for (const Member& member : whole.members) {
    if (is_base(member)) continue;
    const Type* element = member.type;
    std::string extents;
    for (; element != nullptr && element->kind == Type::Kind::array; element = element->target)
      extents += "[" + std::to_string(element->count) + "]";
    text += "    " + type_text(element) + " " + member.name + extents +
            (member.bits == 0 ? "" : " : " + std::to_string(member.bits)) + ";\n";
  }
  return text + "}";
}

/// "0x200000001000:	"text"" @param address set behind the terminating zero
std::string text_at(Context& context, std::uint64_t& address) {
  constexpr std::size_t kMost = 200;
  char at[32];
  std::snprintf(at, sizeof at, "0x%llx:\t", static_cast<unsigned long long>(address));
  Value value;
  while ((value.bytes.empty() || value.bytes.back() != 0) && value.bytes.size() < kMost)
    value.bytes.push_back(context.read(ptx::Space::generic, address++, 1).front());
  value.type = array_of(basic_type("char"), value.bytes.size());
  return at + value_text(context, value) + (value.bytes.back() == 0 ? "\n" : "...\n");
}

}  // namespace

Value Commands::evaluated(const std::string& expression) {
  const Expression parsed(expression);
  ThreadContext context = session_.context();
  Value value = parsed.evaluate(context);
  // The history keeps the value that was printed.
  if (size_of(value.type) <= kMostBytes && value.bytes.empty()) value.bytes = bytes_of(context, value);
  value.bits = 0;
  return value;
}

After Commands::print(const std::string& given) {
  std::string rest = given;
  Format format;
  format.letter = take_format(rest).letter;
  const Value value = evaluated(rest.empty() ? "$" : rest);
  ThreadContext context = session_.context();
  const std::string text = value_text(context, value, format);
  session_.history.push_back(value);
  out_ += "$" + std::to_string(session_.history.size()) + " = " + text + "\n";
  return After::stay;
}

After Commands::output(const std::string& given) {
  std::string rest = given;
  Format format;
  format.letter = take_format(rest).letter;
  const Value value = evaluated(rest);
  ThreadContext context = session_.context();
  out_ += value_text(context, value, format);
  return After::stay;
}

After Commands::whatis(const std::string& rest) {
  ThreadContext context = session_.context();
  out_ += "type = " + type_text(Expression(rest).evaluate(context).type) + "\n";
  return After::stay;
}

After Commands::ptype(const std::string& rest) {
  ThreadContext context = session_.context();
  std::string name = rest.rfind("struct ", 0) == 0 ? trimmed(rest.substr(7)) : rest;
  const Type* type = context.type_named(name);
  if (type == nullptr) type = basic_type(name);
  if (type == nullptr) type = Expression(rest).evaluate(context).type;
  out_ += "type = " + members_text(type) + "\n";
  return After::stay;
}

After Commands::examine(const std::string& given) {
  std::string rest = given;
  const ExamineFormat format = take_format(rest, "xduotcfazsi");
  ThreadContext context = session_.context();
  std::uint64_t address =
      number_of(context, Expression(rest.empty() && format.letter == 'i' ? "$pc" : rest).evaluate(context)).bits;
  if (format.letter == 'i') {
    const GridView& grid = session_.stopped_grid();
    if (address >= grid.module().program().operations.size())
      throw EvaluationError("There is no instruction at that address; $pc is the number of the next one.");
    out_ += listing_text(grid.module(), instructions_from(grid.module().program(), address, format.count),
                         session_.focused_frame().at->index, false);
    return After::stay;
  }
  if (format.letter == 's') {
    for (unsigned i = 0; i < format.count; ++i) out_ += text_at(context, address);
    return After::stay;
  }
  const unsigned bytes = format.size == 'b'                           ? 1
                         : format.size == 'h'                         ? 2
                         : format.size == 'g' || format.letter == 'a' ? 8
                                                                      : 4;
  const char letter = format.letter == 0 ? 'x' : format.letter;
  const Type* const type = letter == 'f' ? floating_type(bytes) : integer_type(bytes, letter == 'd' || letter == 'c');
  const unsigned in_row = 16 / bytes;
  for (unsigned i = 0; i < format.count; ++i, address += bytes) {
    if (i % in_row == 0) {
      char text[32];
      std::snprintf(text, sizeof text, "%s0x%llx:", i == 0 ? "" : "\n", static_cast<unsigned long long>(address));
      out_ += text;
    }
    Value value;
    value.type = type;
    value.bytes = context.read(ptx::Space::generic, address, bytes);
    out_ += "\t" + value_text(context, value, {letter == 'x' ? 'z' : letter, 200});
  }
  out_ += "\n";
  return After::stay;
}

After Commands::disassemble(const std::string& given) {
  std::string rest = given;
  const bool with_source = take_format(rest, "sm").letter != 0;
  const ModuleView& module = session_.stopped_grid().module();
  const FrameView frame = session_.focused_frame();
  std::uint32_t function = frame.function;
  if (!rest.empty()) {
    const auto places = module.lines().at_function(rest);
    if (!places) throw EvaluationError("Function \"" + rest + "\" not defined in the module that is stopped.");
    function = module.program().details[places->operations.front()].function;
  }
  const Function& of = module.program().functions[function];
  std::vector<std::uint32_t> all = instructions_from(module.program(), of.begin, of.end - of.begin);
  std::erase_if(all, [&](std::uint32_t operation) { return operation >= of.end; });
  out_ += "Dump of PTX code for function " + module.lines().name(function) + ":\n" +
          listing_text(module, all, frame.at->index, with_source) + "End of PTX dump.\n";
  return After::stay;
}

After Commands::display(const std::string& given) {
  if (!given.empty()) {
    std::string rest = given;
    Format format;
    format.letter = take_format(rest).letter;
    displays_.push_back({next_display_++, format, Expression(rest), true});
    if (session_.stop() == nullptr) return After::stay;
  }
  out_ += displays();
  return After::stay;
}

After Commands::undisplay(const std::string& rest) {
  if (rest.empty()) displays_.clear();
  std::istringstream words(rest);
  for (std::string word; words >> word;) {
    const int number = whole_number(word);
    if (std::erase_if(displays_, [&](const Display& known) { return known.number == number; }) == 0)
      throw EvaluationError("No display number " + word + ".");
  }
  return After::stay;
}

std::string Commands::displays() {
  std::string text;
  for (const Display& shown : displays_) {
    text += std::to_string(shown.number) + ": " + shown.expression.text() + " = ";
    try {
      ThreadContext context = session_.context();
      text += value_text(context, shown.expression.evaluate(context), shown.format);
    } catch (const EvaluationError& error) {
      text += "<" + std::string(error.what()) + ">";
    }
    text += "\n";
  }
  return text;
}

std::string Commands::focus_line() const {
  return "[Switching focus to CUDA kernel " + std::to_string(session_.kernel_number()) + ", grid " +
         std::to_string(session_.stopped_grid().launch().grid_id) + ", " +
         focus_text(session_.stopped_grid(), session_.focus) + "]\n";
}

/// The selected frame and its line.
std::string Commands::where() {
  const GridView& grid = session_.stopped_grid();
  const std::vector<FrameView> frames = grid.frames(session_.focus);
  if (frames.empty()) return "The thread in focus has ended.\n";
  const std::size_t number = std::min<std::size_t>(session_.frame, frames.size() - 1);
  list_line_ = 0;
  return frame_text(session_, frames, number) + "\n" + line_text(grid, frames[number]);
}

std::string Commands::stop_text(const Stop& stop) {
  const GridView& grid = session_.stopped_grid();
  const std::vector<FrameView> frames = grid.frames(session_.focus);
  static ThreadId last_focus;
  static std::uint64_t last_kernel = ~std::uint64_t{0};
  static std::uint32_t last_function = 0;
  static std::size_t last_depth = 0;
  std::string text;
  const bool switched = !(session_.focus == last_focus) || session_.kernel_number() != last_kernel;
  if (switched) text += focus_line();
  list_line_ = 0;
  if (frames.empty()) {
    text += stop.text + "The thread in focus has ended.\n";
  } else {
    const std::size_t shown = std::min<std::size_t>(session_.frame, frames.size() - 1);
    const bool elsewhere = frames.front().function != last_function || frames.size() != last_depth;
    text += stop.text;
    if (!stop.text.empty() || switched || elsewhere) text += frame_text(session_, frames, shown) + "\n";
    text += line_text(grid, frames[shown]);
    last_function = frames.front().function;
    last_depth = frames.size();
  }
  last_focus = session_.focus;
  last_kernel = session_.kernel_number();
  return text + displays();
}

After Commands::backtrace(const std::string&) {
  const std::vector<FrameView> frames = session_.stopped_grid().frames(session_.focus);
  if (frames.empty()) throw EvaluationError("No stack: the thread in focus has ended.");
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const std::string number = std::to_string(i);
    out_ += "#" + number + std::string(number.size() < 2 ? 2 : 1, ' ') + frame_text(session_, frames, i) + "\n";
  }
  return After::stay;
}

After Commands::select_frame(std::ptrdiff_t number) {
  const std::vector<FrameView> frames = session_.stopped_grid().frames(session_.focus);
  if (number < 0) throw EvaluationError("Bottom (innermost) frame selected; you cannot go down.");
  if (static_cast<std::size_t>(number) >= frames.size())
    throw EvaluationError("Initial frame selected; you cannot go up.");
  session_.frame = static_cast<unsigned>(number);
  out_ += "#" + std::to_string(number) + "  " + where();
  return After::stay;
}

After Commands::frame(const std::string& rest) {
  return select_frame(rest.empty() ? static_cast<std::ptrdiff_t>(session_.frame) : whole_number(rest));
}
After Commands::up(const std::string& rest) {
  return select_frame(static_cast<std::ptrdiff_t>(session_.frame) + (rest.empty() ? 1 : whole_number(rest)));
}
After Commands::down(const std::string& rest) {
  return select_frame(static_cast<std::ptrdiff_t>(session_.frame) - (rest.empty() ? 1 : whole_number(rest)));
}

std::pair<const ModuleView*, CodePlaces> Commands::loaded_places(const std::string& location) const {
  for (const auto& module : session_.modules())
    if (auto places = find_places(*module, location, session_.current_file()))
      return {module.get(), *std::move(places)};
  throw EvaluationError("There is no code at \"" + location + "\" in a loaded module.");
}

After Commands::list(const std::string& rest) {
  if (rest.empty() && list_line_ == 0) {
    const FrameView frame = session_.focused_frame();
    const CodePlace place = session_.stopped_grid().module().lines().place_of(frame.at->index);
    if (place.file == nullptr) throw EvaluationError("No line is known here: compile with nvcc -G or -lineinfo.");
    list_file_ = *place.file;
    list_line_ = place.line > list_size_ / 2 ? place.line - list_size_ / 2 : 1;
  } else if (!rest.empty()) {
    const CodePlaces places = loaded_places(rest).second;
    const bool line = rest.find_first_not_of("0123456789") == std::string::npos;
    list_file_ = places.file;
    const std::uint32_t middle = line ? static_cast<std::uint32_t>(whole_number(rest)) : places.line;
    list_line_ = middle > list_size_ / 2 ? middle - list_size_ / 2 : 1;
  }
  const std::string text = source_text(list_file_, list_line_, list_line_ + list_size_ - 1);
  if (text.empty()) throw EvaluationError("No lines from " + std::to_string(list_line_) + " on in " + list_file_ + ".");
  out_ += text;
  list_line_ += list_size_;
  return After::stay;
}

After Commands::cuda(const std::string& rest) {
  const GridView* grid = &session_.stopped_grid();
  ThreadId wanted = session_.focus;
  std::string left = rest, shown;
  bool changes = false, thread = false;
  std::optional<std::uint32_t> warp, lane;
  constexpr std::string_view kCoordinates = " kernel grid block thread warp lane device sm ";
  while (!(left = trimmed(left)).empty()) {
    std::size_t end = 0;
    while (end < left.size() && std::isalpha(static_cast<unsigned char>(left[end])) != 0) ++end;
    const std::string what = left.substr(0, end);
    if (what.empty() || kCoordinates.find(" " + what + " ") == std::string_view::npos)
      throw EvaluationError("Unrecognized argument: " + left +
                            ". Coordinates are kernel, block, thread, warp and lane.");
    left = trimmed(left.substr(end));
    const bool given = !left.empty() && (left[0] == '(' || std::isdigit(static_cast<unsigned char>(left[0])) != 0);
    if (!given) {
      shown += shown.empty() ? "" : ", ";
      if (what == "kernel") shown += "kernel " + std::to_string(session_.kernel_number());
      if (what == "grid") shown += "grid " + std::to_string(grid->launch().grid_id);
      if (what == "block") shown += "block " + triple_text(grid->block_index(wanted.block));
      if (what == "thread") shown += "thread " + triple_text(grid->thread_index(wanted.thread));
      if (what == "device") shown += "device " + std::to_string(grid->launch().device);
      if (what == "sm") shown += "sm " + std::to_string(grid->sm_of(wanted.block));
      if (what == "warp") shown += "warp " + std::to_string(wanted.warp());
      if (what == "lane") shown += "lane " + std::to_string(wanted.lane());
      continue;
    }
    const std::optional<Dim3> at = take_triple(left);
    if (!at) throw EvaluationError("Bad coordinates: " + left + ".");
    changes = true;
    if (what == "block") {
      const auto linear = GridView::linear_in(grid->launch().grid, *at);
      if (!linear) throw EvaluationError("Invalid coordinates: the grid has no block " + triple_text(*at) + ".");
      wanted.block = *linear;
    } else if (what == "thread") {
      const auto linear = GridView::linear_in(grid->launch().block, *at);
      if (!linear) throw EvaluationError("Invalid coordinates: the block has no thread " + triple_text(*at) + ".");
      wanted.thread = static_cast<std::uint32_t>(*linear);
      thread = true;
    } else if (what == "warp") {
      warp = at->x;
    } else if (what == "lane") {
      lane = at->x;
    } else if (what == "kernel") {
      session_.look_at(at->x);
      grid = &session_.stopped_grid();
      wanted = session_.focus;
    } else {
      const std::uint64_t own = what == "grid"     ? grid->launch().grid_id
                                : what == "device" ? grid->launch().device
                                                   : grid->sm_of(wanted.block);
      if (at->x != own)
        throw EvaluationError("Invalid coordinates: only " + what + " " + std::to_string(own) + " is stopped here.");
    }
  }
  if (!changes) {
    out_ += (shown.empty() ? "kernel " + std::to_string(session_.kernel_number()) + ", grid " +
                                 std::to_string(grid->launch().grid_id) + ", " + focus_text(*grid, wanted)
                           : shown) +
            "\n";
    return After::stay;
  }
  if (!thread && (warp || lane))
    wanted.thread = warp.value_or(wanted.warp()) * kWarpSize + lane.value_or(warp ? 0 : wanted.lane());
  if (wanted.thread >= grid->launch().block.count() || lane.value_or(0) >= kWarpSize)
    throw EvaluationError("Invalid coordinates: the block has " + std::to_string(grid->launch().block.count()) +
                          " threads.");
  if (grid->find(wanted) == nullptr)
    throw EvaluationError("Invalid coordinates: block " + triple_text(grid->block_index(wanted.block)) +
                          " does not run now: `info cuda blocks` shows those that do.");
  session_.focus = wanted;
  session_.frame = 0;
  out_ += focus_line() + where();
  return After::stay;
}

}  // namespace warpbook::simulator::debugger
