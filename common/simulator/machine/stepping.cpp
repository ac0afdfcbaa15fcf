// Shows the operations of a program to a StepObserver.
#include <utility>

#include "common/simulator/machine/control.h"
#include "common/simulator/machine/step_observer.h"
#include "common/simulator/machine/taint_rule.h"

namespace warpbook::simulator {
namespace {

thread_local StepObserver* latest_step_observer = nullptr;

const Operation* end_here(Warp& warp) {
  warp.stop = Stop::fault;
  return nullptr;
}

const Operation* stepped_operation(Warp& warp, const Operation* operation) {
  StepObserver& observer = *latest_step_observer;
  WarpState& state = state_of(warp);
  if (!observer.before(state, *operation)) return end_here(warp);
  const Operation* const next = observer.program->handlers[operation->index](warp, operation);
  return observer.after(state, *operation, next) ? next : end_here(warp);
}

}  // namespace

StepObserver::StepObserver() : before_(std::exchange(latest_step_observer, this)) {}
StepObserver::~StepObserver() { latest_step_observer = before_; }
StepObserver* StepObserver::latest() { return latest_step_observer; }

SteppedProgram decode_stepped(const ptx::Module& module, const SymbolAddress& address_of,
                              const DecodeOptions& options) {
  SteppedProgram stepped;
  stepped.program = decode(module, address_of, handler_set(), options, &stepped.names);
  Program& program = *stepped.program;
  if (options.watched) watch(program);
  if (options.follows_undefined) follow_undefined(program);
  stepped.handlers.assign(program.operations.size(), nullptr);
  for (Operation& operation : program.code) {
    if (program.details[operation.index].internal) continue;
    stepped.handlers[operation.index] = std::exchange(operation.handler, &stepped_operation);
  }
  return stepped;
}

}  // namespace warpbook::simulator
