// Creates the debugger that the environment asks for, and passes launches to it: in libcudart only.
#include "common/simulator/runtime/debugging.h"

#include <unistd.h>

#include <cstdlib>
#include <mutex>
#include <sstream>
#include <string>

#include "common/simulator/debugger/console.h"
#include "common/simulator/debugger/dap_front.h"
#include "common/simulator/debugger/module_view.h"
#include "common/simulator/debugger/session.h"
#include "common/simulator/machine/step_observer.h"
#include "common/simulator/runtime/device_module.h"
#include "common/simulator/runtime/kernel_name.h"

namespace warpbook::simulator::runtime {
namespace {

debugger::Session* the_session = nullptr;  // Never destroyed: the program's last handlers may still launch.

std::string debug_setting(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

std::unique_ptr<debugger::Front> make_front() {
  constexpr std::string_view kProtocol = "dap:";
  const std::string kind = debug_setting("WARPBOOK_DEBUG");
  if (kind.rfind(kProtocol, 0) == 0) return debugger::make_debug_adapter(std::atoi(kind.c_str() + kProtocol.size()));
  debugger::ConsoleOptions options;
  options.batch = !debug_setting("WARPBOOK_DEBUG_BATCH").empty();
  std::istringstream lines(debug_setting("WARPBOOK_DEBUG_COMMANDS"));
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) options.commands.push_back(line);
  return std::make_unique<debugger::Console>(std::move(options));
}

void end_debugging(int status, void*) { the_session->front().ended(*the_session, status); }

}  // namespace

std::shared_ptr<const debugger::ModuleView> DeviceModule::debugger_view() {
  Loaded& loaded = here();
  if (loaded.code == nullptr) throw DecodeError("the module is not loaded on this device");
  std::shared_ptr<const debugger::ModuleView>& view = loaded.code->debugger_views[active_device()];
  if (!view) {
    const SymbolAddress address_of = [addresses =
                                          loaded.addresses](const std::string& name) -> std::optional<std::uint64_t> {
      const auto place = addresses.find(name);
      if (place == addresses.end()) return std::nullopt;
      return place->second;
    };
    auto program =
        std::make_shared<const SteppedProgram>(decode_stepped(loaded.code->ptx, address_of, decode_options_));
    view = std::make_shared<const debugger::ModuleView>(
        debugger::ModuleSource{std::move(program), loaded.code->texts, address_of});
  }
  return view;
}

bool is_debugged() {
  static const bool debugged = [] {
    const char* const value = std::getenv("WARPBOOK_DEBUG");
    return value != nullptr && *value != '\0';
  }();
  return debugged;
}

void begin_debugging() {
  if (!is_debugged()) return;
  static std::once_flag once;
  std::call_once(once, [] {
    the_session = new debugger::Session(make_front());
    ::on_exit(end_debugging, nullptr);
    the_session->front().ready(*the_session);
  });
}

LaunchResult run_debugged(Runtime& runtime, const GridRun& run, const Launch& launch, DeviceRuntime* device_runtime) {
  begin_debugging();
  debugger::DebuggedLaunch about;
  about.module = run.kernel->module->debugger_view();
  about.kernel = function_name(run.kernel->name);
  about.mangled = run.kernel->mangled;
  if (runtime.checker) about.findings = &runtime.findings;
  return the_session->run(launch, device_runtime, about);
}

}  // namespace warpbook::simulator::runtime
