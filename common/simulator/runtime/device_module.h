// A device module: one registered fat binary, or images given to the driver, with kernels and variables. It is loaded
// on each device when first used there, with its own copy of the variables.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/simulator/kernel/program.h"
#include "common/simulator/machine/global_memory.h"
#include "common/simulator/runtime/active_device.h"
#include "common/simulator/runtime/cubin.h"
#include "common/simulator/runtime/fat_binary.h"
#include "common/simulator/runtime/module_text.h"

namespace warpbook::simulator::debugger {
class ModuleView;
}

namespace warpbook::simulator::runtime {

class DeviceModule;

/// A kernel as the program refers to it: what cudaKernel_t points to.
struct Kernel {
  DeviceModule* module = nullptr;
  const void* host = nullptr;  ///< The host function that stands for it.
  std::string mangled;
  std::string name;  ///< Demangled.
  struct Settings {
    std::uint32_t max_dynamic_shared = 0;  ///< cudaFuncAttributeMaxDynamicSharedMemorySize; 0: the default.
    int carveout = -1;                     ///< cudaFuncAttributePreferredSharedMemoryCarveout
    bool non_portable_cluster = false;     ///< cudaFuncAttributeNonPortableClusterSizeAllowed
  };
  /// Settings for the active device.
  Settings& settings() { return by_device_[active_device()]; }
  const Settings& settings() const { return by_device_[active_device()]; }

 private:
  std::array<Settings, kMostDevices> by_device_;
};

/// A __device__, __constant__ or __managed__ variable as the program refers to it.
struct DeviceVariable {
  DeviceModule* module = nullptr;
  const void* host = nullptr;  ///< The shadow variable, or for managed variables the pointer that the host uses.
  std::string name;
  std::uint64_t bytes = 0;
  bool constant = false;
  bool managed = false;
};

/// Why a module cannot be used: a runtime error, and a message that says what to do.
struct ModuleError {
  int code = 0;
  std::string message;
};

/// What a program gives to the driver at run time: PTX texts to link, or containers of images.
struct ModuleImages {
  std::vector<std::string> ptx;
  std::vector<FatBinaryContainer> containers;  ///< They point into the program's memory: valid until the first load
                                               ///< only.
  std::string cubin;                           ///< Compiled from the texts by NVIDIA's compiler, or empty.
  unsigned cubin_architecture = 0;
};

class DeviceModule {
 public:
  /// @param wrapper the program's fat binary wrapper; it must outlive the module, and is only read when needed
  explicit DeviceModule(const void* wrapper) : wrapper_(wrapper) {}
  explicit DeviceModule(ModuleImages images) : images_(std::move(images)) {}

  Kernel& add_kernel(const void* host, const char* mangled);
  DeviceVariable& add_variable(DeviceVariable variable);

  /// The kernel with the mangled name @p mangled, which the program or only its PTX may know: other kernels may launch
  /// it.
  Kernel& kernel(const std::string& mangled);

  /// Parses the PTX, places the variables in @p memory and passes managed ones to the host. Does nothing the second
  /// time. @returns the error, which stays the same until unload()
  const std::optional<ModuleError>& load(GlobalMemory& memory, unsigned architecture,
                                         const DecodeOptions& decode_options = {});
  /// Drops the device's state (cudaDeviceReset): variables get their initial values at the next load, except managed
  /// ones, which keep their contents (H200, 2026-11-24).
  void unload(GlobalMemory& memory);
  /// Frees managed variables and the code, too, once no device has loaded the module nor will. The kernels' names stay.
  void forget(GlobalMemory& memory);

  /// The decoded program, of all functions; load() must have succeeded. @throws DecodeError
  const Program& program();
  /// A program with everything that @p kernel needs: only that, if possible. @throws DecodeError
  const Program& program(const std::string& kernel);
  /// The same for the debugger, with the names of the source. Only libcudart has it. @throws DecodeError
  std::shared_ptr<const debugger::ModuleView> debugger_view();
  bool loaded() const { return here().loaded; }
  /// The only device that can use it: set for what a program loads into a context. -1: all devices
  int only_device = -1;

  /// Whether a kernel of the module may allocate memory. Call after load().
  bool uses_heap() const { return here().code->uses_heap; }
  /// Address of a variable; load() must have succeeded. Zero if the module has no such variable.
  std::uint64_t address_of(const std::string& variable) const;
  /// Address of a managed variable, which survives a device reset. Zero if it has not been loaded anywhere.
  std::uint64_t managed_address_of(const std::string& variable) const {
    const auto place = managed_.find(variable);
    return place == managed_.end() ? 0 : place->second;
  }
  /// What ptxas determined for a kernel, or nullptr if there is no cubin for the device.
  const CubinKernel* cubin_kernel(const std::string& mangled) const;
  /// A kernel's .maxnreg; 0 if it has none.
  unsigned register_limit(const std::string& mangled) const;
  std::uint64_t constant_bytes() const;  ///< Of its __constant__ variables. Call after load().
  unsigned ptx_version() const { return here().code->ptx_version; }  ///< Architecture of the PTX: 90.

  const std::vector<std::unique_ptr<DeviceVariable>>& variables() const { return variables_; }
  const std::vector<std::unique_ptr<Kernel>>& kernels() const { return kernels_; }

 private:
  /// The code for all devices of one architecture.
  struct Code {
    ptx::Module ptx;                 ///< If there is `text`, without the bodies of functions.
    std::optional<ModuleText> text;  ///< ptxas has accepted it: a kernel's functions are parsed when the kernel is
                                     ///< first used.
    unsigned ptx_version = 0;
    bool uses_heap = false;
    std::map<std::string, CubinKernel> cubin;
    std::map<std::string, unsigned> register_limits;
    // If the process is debugged: the PTX, and the debugger's view of it on each device.
    std::vector<std::string> texts;
    mutable std::array<std::shared_ptr<const debugger::ModuleView>, kMostDevices> debugger_views;
  };
  /// The module's state on one device.
  struct Loaded {
    bool loaded = false;
    std::optional<ModuleError> error;
    std::shared_ptr<const Code> code;
    std::map<std::string, std::uint64_t> addresses;
    std::unique_ptr<Program> program;                          ///< With all functions.
    std::map<std::string, std::unique_ptr<Program>> programs;  ///< By kernel; nullptr: it needs the complete program.
  };
  Loaded& here() { return by_device_[active_device()]; }
  const Loaded& here() const { return by_device_[active_device()]; }

  std::shared_ptr<const Code> load_images(unsigned architecture);
  static void add_limits(Code& code);
  std::unique_ptr<Program> decode_here(const ptx::Module& module, const std::set<std::string>* only = nullptr) const;
  std::unique_ptr<Program> decode_for(const std::string& kernel) const;
  void place_variables(GlobalMemory& memory);
  void relocate(GlobalMemory& memory);
  void publish_managed();

  const void* wrapper_ = nullptr;
  ModuleImages images_;
  std::vector<std::unique_ptr<Kernel>> kernels_;
  std::vector<std::unique_ptr<DeviceVariable>> variables_;
  DecodeOptions decode_options_;
  std::map<unsigned, std::shared_ptr<const Code>> codes_;  ///< By architecture.
  std::array<Loaded, kMostDevices> by_device_;
  std::map<std::string, std::uint64_t> managed_;  ///< Where managed variables are, for all devices.
};

}  // namespace warpbook::simulator::runtime
