// Requests of the Debug Adapter Protocol, one function each.
#include "common/simulator/debugger/dap.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "common/simulator/debugger/command_words.h"
#include "common/simulator/debugger/dap_frames.h"
#include "common/simulator/debugger/dap_front.h"
#include "common/simulator/debugger/ptx_listing.h"
#include "common/simulator/debugger/stop_text.h"

namespace warpbook::simulator::debugger {
namespace {

using Json = nlohmann::json;

const char* reason_text(Stop::Kind kind) {
  switch (kind) {
    case Stop::Kind::breakpoint:
      return "breakpoint";
    case Stop::Kind::watchpoint:
      return "data breakpoint";
    case Stop::Kind::step:
      return "step";
    case Stop::Kind::launch:
    case Stop::Kind::history:  // It has come back to where the kernel begins.
      return "entry";
    case Stop::Kind::interrupt:
      return "pause";
    default:
      return "exception";
  }
}

/// A stack frame's number combines the thread and its frame.
constexpr std::int64_t kFramesOfThread = 1 << 10;

/// "tile[3]" or "q.x", from a part's name as parts_of() returns it.
std::string part_of(const std::string& whole, const std::string& part) {
  if (part.front() == '<') return whole;  // A base class has no name.
  return "(" + whole + ")" + (part.front() == '[' ? part : "." + part);
}

/// An address as the protocol writes it.
std::string reference_text(std::uint64_t address) {
  std::ostringstream text;
  text << "0x" << std::hex << address;
  return text.str();
}

/// @throws EvaluationError if the request has no valid address
std::uint64_t address_of(const Json& arguments) {
  const std::string reference = arguments.at("memoryReference");
  char* end = nullptr;
  const std::uint64_t address = std::strtoull(reference.c_str(), &end, 0);
  if (reference.empty() || *end != '\0') throw EvaluationError("'" + reference + "' is not an address");
  return address + static_cast<std::uint64_t>(arguments.value("offset", std::int64_t{0}));
}

std::string base64(const std::vector<std::uint8_t>& bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k) three = three << 8 | (i + k < bytes.size() ? bytes[i + k] : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += i + k <= bytes.size() ? kDigits[three >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

}  // namespace

std::unique_ptr<Front> make_debug_adapter(int socket) { return std::make_unique<DebugAdapter>(socket); }

DebugAdapter::DebugAdapter(int socket) : socket_(socket) {}

DebugAdapter::~DebugAdapter() = default;

void DebugAdapter::ready(Session& session) {
  session_ = &session;
  commands_ = std::make_unique<Commands>(session);
  std::thread([this] { serve(); }).detach();
  event("initialized", Json::object());
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return configured_; });
  commands_->is_running = true;
}

void DebugAdapter::stopped(Session& session, const Stop& stop) {
  std::unique_lock lock(mutex_);
  apply_waiting();
  if (stop.kind == Stop::Kind::interrupt && !std::exchange(pausing_, false)) {
    session.resume = Resume::go;
    return;
  }
  standing_ = true;
  going_ = false;
  children_.clear();
  Json body = {{"reason", reason_text(stop.kind)},
               {"threadId", thread_number()},
               {"allThreadsStopped", true},
               {"text", trimmed(stop.text)},
               {"hitBreakpointIds", stop.breakpoints}};
  if (!stop.text.empty()) event("output", {{"category", "console"}, {"output", stop.text + "\n"}});
  event("stopped", body);
  changed_.wait(lock, [this] { return going_; });
  standing_ = false;
}

void DebugAdapter::launching(Session&) {
  const std::scoped_lock lock(mutex_);
  apply_waiting();
}

void DebugAdapter::resolved(Session& session) {
  const std::scoped_lock lock(mutex_);
  for (const Breakpoint& known : session.breakpoints) {
    if (known.is_watchpoint() || !known.places || !verified_.insert(known.number).second) continue;
    event("breakpoint", {{"reason", "changed"},
                         {"breakpoint",
                          {{"id", known.number},
                           {"verified", true},
                           {"line", known.places->line},
                           {"source", {{"name", base_name(known.places->file)}, {"path", known.places->file}}}}}});
  }
}

void DebugAdapter::apply_waiting() {
  for (const auto& [command, arguments] : waiting_) {
    if (command == "setBreakpoints")
      set_breakpoints(arguments);
    else
      set_function_breakpoints(arguments);
  }
  waiting_.clear();
}

void DebugAdapter::say(const std::string& text) { event("output", {{"category", "console"}, {"output", text}}); }

void DebugAdapter::ended(Session&, int) {
  over_ = true;
  ::shutdown(socket_, SHUT_WR);
}

void DebugAdapter::send(Json message) {
  const std::scoped_lock lock(sending_);
  message["seq"] = ++sequence_;
  const std::string framed = dap_frame(message.dump());
  for (std::size_t at = 0; at < framed.size();) {
    const ssize_t count = ::send(socket_, framed.data() + at, framed.size() - at, MSG_NOSIGNAL);
    if (count <= 0) return;
    at += static_cast<std::size_t>(count);
  }
}

void DebugAdapter::event(const char* name, const Json& body) {
  send({{"type", "event"}, {"event", name}, {"body", body}});
}

void DebugAdapter::serve() {
  DapFrames frames;
  for (char bytes[4096];;) {
    const ssize_t count = ::recv(socket_, bytes, sizeof bytes, 0);
    if (count <= 0) break;
    frames.add({bytes, static_cast<std::size_t>(count)});
    while (const auto text = frames.take()) {
      const Json request = Json::parse(*text, nullptr, false);
      if (!request.is_object() || !request.contains("command") || !request["command"].is_string()) continue;
      const std::string command = request["command"];
      Json response = {{"type", "response"},
                       {"request_seq", request.contains("seq") ? request["seq"] : Json(0)},
                       {"command", command},
                       {"success", true}};
      const std::unique_lock lock(mutex_);
      try {
        response["body"] = answer(command, request.value("arguments", Json::object()));
      } catch (const std::exception& error) {
        response["success"] = false;
        response["message"] = error.what();
      }
      send(response);
      changed_.notify_all();
    }
  }
  // The editor has disconnected, so the program ends; but a program that is ending on its own still has output to
  // write.
  if (!over_) ::_exit(1);
}

Json DebugAdapter::answer(const std::string& command, const Json& arguments) {
  if (command == "setBreakpoints" || command == "setFunctionBreakpoints") {
    if (!standing_ && configured_) {  // A grid may be reading the breakpoints now.
      waiting_.emplace_back(command, arguments);
      session_->interrupted = true;
      Json unverified = Json::array();
      for (std::size_t i = 0; i < arguments.value("breakpoints", Json::array()).size(); ++i)
        unverified.push_back({{"verified", false}, {"message", "set when the next kernel begins"}});
      return {{"breakpoints", unverified}};
    }
    return command == "setBreakpoints" ? set_breakpoints(arguments) : set_function_breakpoints(arguments);
  }
  if (command == "setExceptionBreakpoints") return Json::object();
  if (command == "configurationDone") {
    configured_ = true;
    return Json::object();
  }
  if (command == "threads") return threads();
  if (command == "pause") {
    pausing_ = true;
    session_->insists = true;
    session_->interrupted = true;
    return Json::object();
  }
  if (command == "disconnect" || command == "terminate") {
    std::thread([] {
      ::usleep(100000);  // Time for the answer to arrive.
      ::_exit(0);
    }).detach();
    return Json::object();
  }
  if (command == "setDataBreakpoints") return set_data_breakpoints(arguments);
  // Who has been told to go on stands until its thread has woken.
  if (!standing_ || going_) throw EvaluationError("No CUDA kernel is stopped.");
  if (command == "dataBreakpointInfo") return data_breakpoint_info(arguments);
  if (command == "exceptionInfo") return exception_info();
  if (command == "continue") return resume(Resume::go, arguments);
  if (command == "next")
    return resume(arguments.value("granularity", "") == "instruction" ? Resume::nexti : Resume::next, arguments);
  if (command == "stepIn")
    return resume(arguments.value("granularity", "") == "instruction" ? Resume::stepi : Resume::step, arguments);
  if (command == "stepOut") return resume(Resume::finish, arguments);
  if (command == "stepBack")
    return resume(arguments.value("granularity", "") == "instruction" ? Resume::reverse_stepi : Resume::reverse_next,
                  arguments);
  if (command == "reverseContinue") return resume(Resume::reverse_go, arguments);
  if (command == "stackTrace") return stack_trace(arguments);
  if (command == "scopes") return scopes(arguments);
  if (command == "variables") return variables(arguments);
  if (command == "evaluate") return evaluate(arguments);
  if (command == "disassemble") return disassemble(arguments);
  if (command == "readMemory") return read_memory(arguments);
  throw EvaluationError("the request '" + command + "' is not supported");
}

Json DebugAdapter::set_breakpoints(const Json& arguments) {
  const std::string path = arguments.at("source").at("path");
  for (std::size_t i = session_->breakpoints.size(); i-- > 0;) {
    const Breakpoint& known = session_->breakpoints[i];
    if (known.location.rfind(path + ":", 0) == 0) session_->remove(known.number);
  }
  Json all = Json::array();
  for (const Json& wanted : arguments.value("breakpoints", Json::array()))
    all.push_back(add_breakpoint(path + ":" + std::to_string(wanted.at("line").get<int>()), wanted));
  return {{"breakpoints", all}};
}

Json DebugAdapter::set_function_breakpoints(const Json& arguments) {
  for (const int number : function_breakpoints_) session_->remove(number);
  function_breakpoints_.clear();
  Json all = Json::array();
  for (const Json& wanted : arguments.value("breakpoints", Json::array())) {
    all.push_back(add_breakpoint(wanted.at("name"), wanted));
    if (all.back().contains("id")) function_breakpoints_.push_back(all.back()["id"]);
  }
  return {{"breakpoints", all}};
}

Json DebugAdapter::add_breakpoint(const std::string& location, const Json& wanted) {
  try {
    Breakpoint& made = session_->add_breakpoint(location, wanted.value("condition", ""), false);
    const std::string hits = wanted.value("hitCondition", "");
    if (!hits.empty()) made.ignored = static_cast<std::uint64_t>(std::max(0, whole_number(hits) - 1));
    Json answer = {{"id", made.number}, {"verified", made.places.has_value()}};
    if (made.places) {
      answer["line"] = made.places->line;
      verified_.insert(made.number);
    } else {
      answer["message"] = "no kernel loaded so far has code there";
    }
    return answer;
  } catch (const EvaluationError& error) {
    return {{"verified", false}, {"message", error.what()}};
  }
}

Json DebugAdapter::data_breakpoint_info(const Json& arguments) {
  std::string expression = arguments.at("name");
  if (const std::size_t reference = arguments.value("variablesReference", std::size_t{0}); reference != 0) {
    if (reference > children_.size()) throw EvaluationError("these variables no longer exist");
    const Children& of = children_[reference - 1];
    session_->focus = of.thread;
    session_->frame = of.frame;
    if (of.kind == Children::Kind::registers) expression.insert(0, "$");
    const bool target = of.kind == Children::Kind::value && plain(of.value.type).kind == Type::Kind::pointer;
    if (of.kind == Children::Kind::value && !target) expression = part_of(of.expression, expression);
  } else if (arguments.contains("frameId")) {
    look_at_frame(arguments["frameId"]);
  }
  ThreadContext context = session_->context();
  const Value value = Expression(expression).evaluate(context);
  if (value.place.kind == Place::Kind::none || value.bits != 0)
    return {{"dataId", nullptr},
            {"description", "'" + expression + "' is not stored anywhere, so it cannot be watched"}};
  const Json access = value.place.kind == Place::Kind::in_register ? Json{"write"} : Json{"read", "write", "readWrite"};
  const std::string thread = std::to_string(session_->focus.block) + " " + std::to_string(session_->focus.thread) +
                             " " + std::to_string(session_->frame);
  return {{"dataId", thread + " " + expression},
          {"description", expression + " of " + focus_text(session_->stopped_grid(), session_->focus)},
          {"accessTypes", access},
          {"canPersist", false}};
}

Json DebugAdapter::set_data_breakpoints(const Json& arguments) {
  std::map<std::string, int> kept;
  Json all = Json::array();
  const ThreadId focus = session_->focus;
  const unsigned frame = session_->frame;
  for (const Json& wanted : arguments.value("breakpoints", Json::array())) {
    const std::string data = wanted.at("dataId"), access = wanted.value("accessType", "write");
    const std::string key = access + " " + data;
    const auto known = data_breakpoints_.find(key);
    if (known != data_breakpoints_.end() && session_->find_breakpoint(known->second) != nullptr) {
      kept.insert(*known);
    } else {
      try {
        std::istringstream words(data);
        std::string expression;
        words >> session_->focus.block >> session_->focus.thread >> session_->frame >> std::ws;
        std::getline(words, expression);
        Breakpoint& made = session_->add_watchpoint(expression, access == "read"        ? Breakpoint::Kind::read
                                                                : access == "readWrite" ? Breakpoint::Kind::access
                                                                                        : Breakpoint::Kind::write);
        if (const std::string hits = wanted.value("hitCondition", ""); !hits.empty())
          made.ignored = static_cast<std::uint64_t>(std::max(0, whole_number(hits) - 1));
        kept[key] = made.number;
      } catch (const EvaluationError& error) {
        all.push_back({{"verified", false}, {"message", error.what()}});
        continue;
      }
    }
    all.push_back({{"id", kept[key]}, {"verified", true}});
  }
  session_->focus = focus;
  session_->frame = frame;
  for (const auto& [key, number] : data_breakpoints_)
    if (kept.count(key) == 0 && session_->find_breakpoint(number) != nullptr) session_->remove(number);
  data_breakpoints_ = std::move(kept);
  return {{"breakpoints", all}};
}

/// The exception's name is the first line of the stop's text.
Json DebugAdapter::exception_info() const {
  const std::string text = trimmed(session_->stop()->text);
  return {{"exceptionId", text.substr(0, text.find('\n'))}, {"description", text}, {"breakMode", "always"}};
}

std::int64_t DebugAdapter::thread_number() const {
  const GridView* const grid = session_->grid();
  if (grid == nullptr) return 1;
  const std::uint64_t warps = (grid->launch().block.count() + kWarpSize - 1) / kWarpSize;
  return static_cast<std::int64_t>(session_->focus.block * warps + session_->focus.warp() + 1);
}

Json DebugAdapter::threads() const {
  Json all = Json::array();
  if (standing_) {
    const GridView& grid = session_->stopped_grid();
    for (const BlockState* block : grid.blocks()) {
      for (const auto& warp : block->warps) {
        if (warp->live == 0) continue;
        const std::int64_t number = static_cast<std::int64_t>(block->linear * block->warps.size() + warp->index + 1);
        all.push_back({{"id", number},
                       {"name", "block " + triple_text(grid.block_index(block->linear)) + " warp " +
                                    std::to_string(warp->index)}});
      }
    }
  }
  if (all.empty()) all.push_back({{"id", 1}, {"name", "host"}});
  return {{"threads", all}};
}

void DebugAdapter::focus(std::int64_t thread) {
  if (thread == thread_number()) return;
  const GridView& grid = session_->stopped_grid();
  const auto warps = static_cast<std::int64_t>((grid.launch().block.count() + kWarpSize - 1) / kWarpSize);
  const ThreadId first{static_cast<std::uint64_t>((thread - 1) / warps),
                       static_cast<std::uint32_t>((thread - 1) % warps) * kWarpSize};
  const WarpState* const warp = thread < 1 ? nullptr : grid.find(first);
  if (warp == nullptr || warp->live == 0) throw EvaluationError("that warp has ended");
  session_->focus = first;
  while ((warp->live >> session_->focus.lane() & 1u) == 0) ++session_->focus.thread;
  session_->frame = 0;
}

void DebugAdapter::look_at_frame(std::int64_t number) {
  focus(number / kFramesOfThread);
  session_->frame = static_cast<unsigned>(number % kFramesOfThread);
}

Json DebugAdapter::stack_trace(const Json& arguments) {
  const std::int64_t thread = arguments.at("threadId");
  const ThreadId before = session_->focus;
  focus(thread);
  const std::vector<FrameView> frames = session_->stopped_grid().frames(session_->focus);
  Json all = Json::array();
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const CodePlace place = session_->stopped_grid().module().lines().place_of(frames[i].at->index);
    Json frame = {{"id", thread * kFramesOfThread + static_cast<std::int64_t>(i)},
                  {"name", session_->stopped_grid().module().lines().name(frames[i].function)},
                  {"line", place.line},
                  {"column", 1}};
    frame["instructionPointerReference"] = reference_text(frames[i].at->index);
    if (place.file != nullptr) frame["source"] = {{"name", base_name(*place.file)}, {"path", *place.file}};
    all.push_back(std::move(frame));
  }
  session_->focus = before;
  return {{"stackFrames", all}, {"totalFrames", all.size()}};
}

Json DebugAdapter::scopes(const Json& arguments) {
  const std::int64_t frame = arguments.at("frameId");
  look_at_frame(frame);
  Json all = Json::array();
  for (const auto& [name, kind] : {std::pair{"Locals", Children::Kind::locals},
                                   {"Arguments", Children::Kind::arguments},
                                   {"Shared", Children::Kind::shared},
                                   {"Built-ins", Children::Kind::built_ins},
                                   {"Registers", Children::Kind::registers}}) {
    children_.push_back({session_->focus, static_cast<unsigned>(frame % kFramesOfThread), kind, {}, ""});
    all.push_back(
        {{"name", name}, {"variablesReference", children_.size()}, {"expensive", kind == Children::Kind::registers}});
  }
  return {{"scopes", all}};
}

Json DebugAdapter::variable(const std::string& name, const std::string& expression, const Value& value) {
  ThreadContext context = session_->context();
  Json shown = {
      {"name", name}, {"evaluateName", expression}, {"type", type_text(value.type)}, {"variablesReference", 0}};
  try {
    shown["value"] = value_text(context, value);
    const Type& type = plain(value.type);
    if (type.kind == Type::Kind::pointer)
      shown["memoryReference"] = reference_text(number_of(context, value).bits);
    else if (value.place.kind == Place::Kind::memory && value.place.space != ptx::Space::param)
      shown["memoryReference"] = reference_text(value.place.address);
    const bool parts = type.kind == Type::Kind::structure || (type.kind == Type::Kind::array && type.count != 0);
    const bool points =
        type.kind == Type::Kind::pointer && size_of(type.target) != 0 && number_of(context, value).bits != 0;
    if (parts || points) {
      children_.push_back({session_->focus, session_->frame, Children::Kind::value, value, expression});
      shown["variablesReference"] = children_.size();
    }
  } catch (const EvaluationError& error) {
    shown["value"] = "<" + std::string(error.what()) + ">";
  }
  return shown;
}

Json DebugAdapter::variables(const Json& arguments) {
  const std::size_t reference = arguments.at("variablesReference");
  if (reference == 0 || reference > children_.size()) throw EvaluationError("these variables no longer exist");
  const Children of = children_[reference - 1];
  session_->focus = of.thread;
  session_->frame = of.frame;
  ThreadContext context = session_->context();
  Json all = Json::array();
  switch (of.kind) {
    case Children::Kind::locals:
    case Children::Kind::arguments:
      for (const Variable* known : context.variables(of.kind == Children::Kind::arguments))
        if (!context.is_shared(*known)) all.push_back(variable(known->name, known->name, context.value(*known)));
      break;
    case Children::Kind::shared:
      for (const Variable* known : context.shared_variables())
        all.push_back(variable(known->name, known->name, context.value(*known)));
      break;
    case Children::Kind::built_ins:
      for (const char* name : {"threadIdx", "blockIdx", "blockDim", "gridDim"})
        all.push_back(variable(name, name, context.named(name)));
      break;
    case Children::Kind::registers:
      for (const NamedRegister& known : context.names().registers)
        all.push_back(
            variable(known.name, "$" + known.name.substr(known.name.rfind('%') + 1), context.special(known.name)));
      break;
    case Children::Kind::value:
      if (plain(of.value.type).kind == Type::Kind::pointer) {
        const std::string target = "*(" + of.expression + ")";
        all.push_back(variable(target, target, Expression(target).evaluate(context)));
        break;
      }
      for (auto& [name, value] : parts_of(context, of.value))
        all.push_back(variable(name, part_of(of.expression, name), value));
      break;
  }
  return {{"variables", all}};
}

Json DebugAdapter::evaluate(const Json& arguments) {
  if (arguments.contains("frameId")) look_at_frame(arguments["frameId"]);
  const std::string text = arguments.at("expression");
  if (arguments.value("context", "") != "repl") {
    ThreadContext context = session_->context();
    const Json shown = variable(text, text, Expression(text).evaluate(context));
    Json result = {
        {"result", shown["value"]}, {"type", shown["type"]}, {"variablesReference", shown["variablesReference"]}};
    if (shown.contains("memoryReference")) result["memoryReference"] = shown["memoryReference"];
    return result;
  }
  // The debugger's own commands; anything else is evaluated as an expression.
  std::string output;
  After after = After::stay;
  try {
    after = commands_->execute(text, output);
  } catch (const UndefinedCommand&) {
    after = commands_->execute("output " + text, output);
  }
  if (after == After::resume) {
    going_ = true;
  } else if (after != After::stay) {
    throw EvaluationError("use the editor's own buttons for that");
  }
  return {{"result", output}, {"variablesReference", 0}};
}

Json DebugAdapter::disassemble(const Json& arguments) const {
  const ModuleView& module = session_->stopped_grid().module();
  const std::vector<std::uint32_t> all = instructions_from(module.program(), 0, module.program().details.size());
  const auto here = std::lower_bound(all.begin(), all.end(), address_of(arguments)) - all.begin();
  const std::int64_t from = here + arguments.value("instructionOffset", std::int64_t{0});
  Json found = Json::array();
  for (std::int64_t i = from; i < from + arguments.at("instructionCount").get<int>(); ++i) {
    if (i < 0 || i >= std::ssize(all)) {  // As many are expected as were asked for.
      found.push_back({{"address", "-1"}, {"instruction", ""}, {"presentationHint", "invalid"}});
      continue;
    }
    const std::uint32_t operation = all[static_cast<std::size_t>(i)];
    Json one = {{"address", reference_text(operation)},
                {"instruction", module.instruction(operation)},
                {"symbol", symbol_of(module, operation)}};
    if (const CodePlace place = module.lines().place_of(operation); place.file != nullptr) {
      one["location"] = {{"name", base_name(*place.file)}, {"path", *place.file}};
      one["line"] = place.line;
    }
    found.push_back(std::move(one));
  }
  return {{"instructions", found}};
}

Json DebugAdapter::read_memory(const Json& arguments) const {
  const std::uint64_t address = address_of(arguments), count = arguments.at("count");
  if (count > kMostBytes) throw EvaluationError("at most " + std::to_string(kMostBytes) + " bytes are read at once");
  ThreadContext context = session_->context();
  std::vector<std::uint8_t> bytes;
  try {
    bytes = context.read(ptx::Space::generic, address, count);
  } catch (const EvaluationError&) {  // Up to the first byte that nothing holds.
    try {
      while (bytes.size() < count)
        bytes.push_back(context.read(ptx::Space::generic, address + bytes.size(), 1).front());
    } catch (const EvaluationError&) {
      return {{"address", reference_text(address)}, {"data", base64(bytes)}, {"unreadableBytes", count - bytes.size()}};
    }
  }
  return {{"address", reference_text(address)}, {"data", base64(bytes)}};
}

Json DebugAdapter::resume(Resume kind, const Json& arguments) {
  if (arguments.contains("threadId")) focus(arguments["threadId"]);
  if (is_reverse(kind) && !session_->can_repeat())
    throw EvaluationError("Cannot go back: " + session_->cannot_repeat() + ".");
  if (kind == Resume::finish && session_->stopped_grid().frames(session_->focus).size() < 2) kind = Resume::go;
  session_->resume = kind;
  going_ = true;
  return kind == Resume::go ? Json{{"allThreadsContinued", true}} : Json::object();
}

}  // namespace warpbook::simulator::debugger
