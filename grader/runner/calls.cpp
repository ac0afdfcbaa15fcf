// Makes the calls of a case, with the functions that the answer registered.
#include <map>

#include "grader/judge/expected_fault.h"
#include "grader/runner/arguments.h"
#include "grader/runner/worker.cuh"

using namespace warpbook::grader;
using warpbook::simulator::remote::ArrayKind;

namespace {

/// The device arrays of a case, by name. Outputs come first in memory: an index past an input does not hit an output.
class Arrays {
 public:
  Arrays(const Case& given, const std::vector<Call>& calls) {
    for (const bool outputs : {true, false})
      for (const Call& call : calls)
        for (const Argument& argument : call.arguments)
          if ((argument.kind != Argument::Kind::input) == outputs) add(given, argument);
  }

  void* at(const std::string& name) const { return arrays_.at(name).address(); }

  void send_all(Reply& reply) const {
    // Waits for the answer, and fetches the arrays that the device process has.
    send(reply);
    for (const auto& [name, array] : arrays_) array.send(reply);
  }

 private:
  void add(const Case& given, const Argument& argument) {
    if (argument.kind == Argument::Kind::number || argument.kind == Argument::Kind::each) return;
    if (arrays_.count(argument.name) != 0) return;
    const bool is_input = argument.kind == Argument::Kind::input;
    const ArrayKind kind = is_input                                  ? ArrayKind::device_input
                           : argument.kind == Argument::Kind::in_out ? ArrayKind::device_in_out
                           : argument.kind == Argument::Kind::filled ? ArrayKind::device_filled
                                                                     : ArrayKind::device_output;
    arrays_.emplace(argument.name,
                    CaseArray(given, argument.name, argument.element, argument.count, kind,
                              is_input ? Value::Role::input_buffer : Value::Role::output_buffer, argument.fill));
  }

  std::map<std::string, CaseArray> arrays_;
};

std::vector<std::int64_t> integers_of(const Case& given, const std::string& name, Element element) {
  if (element == Element::i64) return given.array<std::int64_t>(name);
  const std::vector<std::int32_t> values = given.array<std::int32_t>(name);
  return {values.begin(), values.end()};
}

CaseArguments arguments_of(const Case& given, const Call& call, const Arrays& arrays) {
  std::vector<CaseArguments::Given> all;
  for (const Argument& argument : call.arguments) {
    CaseArguments::Given one{argument.kind, argument.name};
    if (argument.kind == Argument::Kind::number) {
      one.is_real = given.value(argument.name).element == Element::f64;
      if (one.is_real) one.reals = {given.real(argument.name)};
      if (!one.is_real) one.integers = {given.integer(argument.name)};
    } else if (argument.kind == Argument::Kind::each) {
      one.is_real = argument.element == Element::f64;
      if (one.is_real) one.reals = given.array<double>(argument.name);
      if (!one.is_real) one.integers = integers_of(given, argument.name, argument.element);
    } else {
      one.data = arrays.at(argument.name);
    }
    all.push_back(std::move(one));
  }
  return {call.function, std::move(all)};
}

const Function& function_of(const Call& call) {
  const Function* const function = find_function(call.function.c_str());
  if (function == nullptr) throw ValueError("the lab registers no function '" + call.function + "' (WB_FUNCTION)");
  if (function->parameters() != call.arguments.size())
    throw ValueError("the test gives " + call.function + "() " + std::to_string(call.arguments.size()) +
                     " arguments, but it has " + std::to_string(function->parameters()) + " parameters");
  if (!function->is_defined()) throw MissingFunction(call.function + "()");
  return *function;
}

}  // namespace

void run_case(const Case& given, Reply& reply) {
  const std::vector<Call> calls = calls_of(given);
  if (calls.empty()) {
    const Runner runner = find_runner(given.text("function").c_str());
    if (runner == nullptr) throw ValueError("the lab has no runner for '" + given.text("function") + "' (WB_RUNNER)");
    return runner(given, reply);
  }
  const Arrays arrays(given, calls);
  const bool will_fail = given.has(kExpectedFault);  // Then the device cannot be used afterwards.
  for (const Call& call : calls) {
    const Function& function = function_of(call);
    const CaseArguments arguments = arguments_of(given, call, arrays);
    ReturnedValues returned;
    if (&call == &calls.back() && !arguments.has_each() && !will_fail) {
      measure(reply, [&] {
        function.call(arguments, 0, returned);
        if (device_has_arrays()) observe_on_device(ArrayKind::observe_left, kLeft);
      });
    } else {
      for (std::size_t turn = 0; turn < arguments.calls(); ++turn) function.call(arguments, turn, returned);
      if (!will_fail) WB_CHECK(cudaGetLastError());
    }
    returned.put(function.result(), reply);
  }
  if (!will_fail) arrays.send_all(reply);
}
