// The Debug Adapter Protocol over a socket, by which editors debug kernels.
//
// A thread reads requests and answers them. It needs a lock that the program's thread holds except while the program is
// stopped. What editors see as threads are the warps of the running blocks.
#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/simulator/debugger/commands.h"

namespace warpbook::simulator::debugger {

class DebugAdapter : public Front {
 public:
  /// @param socket carries the protocol
  explicit DebugAdapter(int socket);
  ~DebugAdapter() override;
  void ready(Session& session) override;
  void launching(Session& session) override;
  void resolved(Session& session) override;
  void stopped(Session& session, const Stop& stop) override;
  void say(const std::string& text) override;
  void ended(Session& session, int status) override;

 private:
  using Json = nlohmann::json;

  void serve();
  void send(Json message);
  void event(const char* name, const Json& body);
  /// @throws EvaluationError if the request cannot be carried out
  Json answer(const std::string& command, const Json& arguments);

  Json set_breakpoints(const Json& arguments);
  Json set_function_breakpoints(const Json& arguments);
  Json set_data_breakpoints(const Json& arguments);
  /// The id by which a displayed variable can be watched, or why it cannot be.
  Json data_breakpoint_info(const Json& arguments);
  Json exception_info() const;
  Json threads() const;
  Json stack_trace(const Json& arguments);
  Json scopes(const Json& arguments);
  Json variables(const Json& arguments);
  Json evaluate(const Json& arguments);
  /// Instructions before and behind an address, which is the number of an operation.
  Json disassemble(const Json& arguments) const;
  /// As the thread in focus sees it.
  Json read_memory(const Json& arguments) const;
  Json resume(Resume kind, const Json& arguments);
  /// Selects a warp: its thread in focus if it has it, else its first live thread.
  void focus(std::int64_t thread);
  /// The same for a stack frame.
  void look_at_frame(std::int64_t number);
  std::int64_t thread_number() const;
  /// @param expression names the variable in the selected frame
  Json variable(const std::string& name, const std::string& expression, const Value& value);
  Json add_breakpoint(const std::string& location, const Json& wanted);
  /// Requests that arrived while a grid was running.
  void apply_waiting();

  /// What a variablesReference stands for.
  struct Children {
    ThreadId thread;
    unsigned frame = 0;
    enum class Kind : std::uint8_t { locals, arguments, shared, registers, built_ins, value } kind = Kind::locals;
    Value value;
    std::string expression;  ///< The expression for the value.
  };

  int socket_;
  Session* session_ = nullptr;
  std::unique_ptr<Commands> commands_;
  std::mutex mutex_, sending_;
  std::condition_variable changed_;
  bool configured_ = false, going_ = false, standing_ = false, pausing_ = false;
  std::vector<std::pair<std::string, Json>> waiting_;
  std::vector<int> function_breakpoints_;
  std::map<std::string, int> data_breakpoints_;  ///< By dataId.
  std::set<int> verified_;                       ///< Breakpoints that the editor knows to be verified.
  int sequence_ = 0;
  std::atomic<bool> over_{false};   ///< The program is ending on its own.
  std::vector<Children> children_;  ///< By variablesReference - 1; valid until the grid continues.
};

}  // namespace warpbook::simulator::debugger
