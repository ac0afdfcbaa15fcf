// Loads device modules: choose PTX, parse, place variables, decode.
#include "common/simulator/runtime/device_module.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "common/simulator/kernel/needed_functions.h"
#include "common/simulator/machine/launch.h"
#include "common/simulator/ptx/parser.h"
#include "common/simulator/runtime/debugging.h"
#include "common/simulator/runtime/fat_binary.h"
#include "common/simulator/runtime/grid_handle.h"
#include "common/simulator/runtime/host.h"
#include "common/simulator/runtime/kernel_name.h"
#include "common/simulator/runtime/link_modules.h"
#include "common/simulator/runtime/lto_link.h"
#include "common/simulator/runtime/unused_atomics.h"
#include "common/simulator/runtime/video_sums.h"

namespace warpbook::simulator::runtime {
namespace {

constexpr int kNoKernelImage = 209;          // cudaErrorNoKernelImageForDevice
constexpr int kUnsupportedPtxVersion = 222;  // cudaErrorUnsupportedPtxVersion
constexpr int kInvalidPtx = 218;             // cudaErrorInvalidPtx
constexpr int kInvalidImage = 200;           // cudaErrorInvalidKernelImage
constexpr int kMemoryAllocation = 2;         // cudaErrorMemoryAllocation
constexpr std::uint64_t kVariableAlignment = 256;

/// NVIDIA's libcudadevrt contains the device runtime for newer devices as PTX that calls into the driver. The virtual
/// GPU implements the device runtime itself (device_calls.h).
bool is_device_runtime(const std::string& ptx) { return ptx.find("__cuda_syscall_cnpv2") != std::string::npos; }

/// 90 for "sm_90", "sm_90a" and "sm_90, debug"; 0 for anything else.
unsigned architecture_of(const std::string& target) {
  constexpr const char* kPrefix = "sm_";
  if (target.rfind(kPrefix, 0) != 0) return 0;
  return static_cast<unsigned>(std::strtoul(target.c_str() + std::strlen(kPrefix), nullptr, 10));
}

/// Transformations of all code before it is decoded.
ptx::Module complete(ptx::Module module) {
  split_video_sums(module);
  reduce_unused_atomics(module);
  return module;
}

struct LoadError : std::runtime_error {
  LoadError(int c, const std::string& what) : std::runtime_error(what), code(c) {}
  int code;
};

/// The newest PTX that a driver of CUDA 13.0 knows is 9.0.
void check_version(const ptx::Module& module) {
  if (module.version_major < 9 || (module.version_major == 9 && module.version_minor == 0)) return;
  throw LoadError(kUnsupportedPtxVersion,
                  "the module is of PTX " + std::to_string(module.version_major) + "." +
                      std::to_string(module.version_minor) +
                      ", and the newest that is known is 9.0: compile it with CUDA 13.0 or older");
}

}  // namespace

Kernel& DeviceModule::add_kernel(const void* host, const char* mangled) {
  auto kernel = std::make_unique<Kernel>();
  kernel->module = this;
  kernel->host = host;
  kernel->mangled = mangled;
  kernel->name = kernel_name(mangled);
  return *kernels_.emplace_back(std::move(kernel));
}

Kernel& DeviceModule::kernel(const std::string& mangled) {
  for (const auto& kernel : kernels_) {
    if (kernel->mangled == mangled) return *kernel;
  }
  return add_kernel(nullptr, mangled.c_str());
}

DeviceVariable& DeviceModule::add_variable(DeviceVariable variable) {
  variable.module = this;
  return *variables_.emplace_back(std::make_unique<DeviceVariable>(std::move(variable)));
}

const std::optional<ModuleError>& DeviceModule::load(GlobalMemory& memory, unsigned architecture,
                                                     const DecodeOptions& decode_options) {
  Loaded& loaded = here();
  std::optional<ModuleError>& error_here = loaded.error;
  if (loaded.loaded || error_here) return error_here;
  decode_options_ = decode_options;
  try {
    std::shared_ptr<const Code>& code = codes_[architecture];
    if (!code) code = load_images(architecture);
    loaded.code = code;
    place_variables(memory);
    relocate(memory);
    publish_managed();
    loaded.loaded = true;
  } catch (const LoadError& error) {
    error_here = ModuleError{error.code, error.what()};
  } catch (const ptx::ParseError& error) {
    error_here = ModuleError{kInvalidPtx, error.what()};
  } catch (const FatBinaryError& error) {
    error_here = ModuleError{kInvalidImage, error.what()};
  } catch (const std::runtime_error& error) {
    error_here = ModuleError{kInvalidImage, error.what()};
  }
  return error_here;
}

void DeviceModule::unload(GlobalMemory& memory) {
  Loaded& gone = here();
  for (const auto& [name, address] : gone.addresses)
    if (managed_.count(name) == 0) memory.free(address);
  if (gone.code) gone.code->debugger_views[active_device()] = nullptr;
  gone = Loaded();
}

void DeviceModule::forget(GlobalMemory& memory) {
  for (const auto& [name, address] : managed_) memory.free(address);
  managed_.clear();
  codes_.clear();
  images_ = {};
}

std::shared_ptr<const DeviceModule::Code> DeviceModule::load_images(unsigned architecture) {
  auto made = std::make_shared<Code>();
  std::vector<ptx::Module> modules;
  bool has_cubin = false, has_lto_ir = false;
  const auto add = [&](const std::string& text) {
    modules.push_back(ptx::parse(text));
    check_version(modules.back());
    if (is_debugged()) made->texts.push_back(text);
  };
  for (const std::string& text : images_.ptx) add(text);
  if (!modules.empty()) made->ptx_version = architecture_of(modules.back().target);
  std::vector<std::string> embedded;
  std::vector<std::string_view> lto_ir;
  if (!images_.cubin.empty() && images_.cubin_architecture == architecture) made->cubin = read_cubin(images_.cubin);
  const auto containers = wrapper_ == nullptr ? images_.containers : read_fat_binary(wrapper_);
  for (const FatBinaryContainer& container : containers) {
    if (const FatBinaryEntry* cubin = choose_cubin(container, architecture)) {
      // The first container of a device-linked program holds the linked cubin, whose numbers are final.
      auto kernels = read_cubin(cubin->read());
      made->cubin.insert(kernels.begin(), kernels.end());
    }
    for (const FatBinaryEntry& entry : container.entries) {
      has_cubin = has_cubin || entry.kind == FatBinaryEntry::Kind::cubin;
      has_lto_ir = has_lto_ir || entry.kind == FatBinaryEntry::Kind::lto_ir;
    }
    if (const FatBinaryEntry* entry = choose_ptx(container, architecture)) {
      std::string text = entry->read();
      if (is_device_runtime(text)) continue;
      made->ptx_version = entry->architecture;
      embedded.push_back(std::move(text));
    } else if (const FatBinaryEntry* code = choose_lto_ir(container, architecture);
               code != nullptr && wrapper_ != nullptr) {
      made->ptx_version = std::max(made->ptx_version, code->architecture);
      lto_ir.push_back(container.bytes);
    }
  }
  // Of a program that nvcc has linked. The driver links none itself.
  if (!lto_ir.empty()) embedded.push_back(link_lto_ir(lto_ir, std::max(architecture, made->ptx_version)));
  if (modules.empty() && embedded.size() == 1 && !made->cubin.empty() && !is_debugged()) {
    ModuleText text(std::move(embedded.front()));
    if (ptx::Module heads = text.heads(); text.can_be_parted(heads)) {
      made->ptx = std::move(heads);
      made->text = std::move(text);
      add_limits(*made);
      return made;
    }
    embedded.front() = std::move(text).release();
  }
  for (const std::string& text : embedded) add(text);
  if (modules.empty() && has_lto_ir) {
    throw LoadError(kNoKernelImage,
                    "the device code is LTO-IR (code=lto_90) without PTX, which only NVIDIA's linker can compile: "
                    "rebuild with -gencode arch=compute_90,code=compute_90, or link it at run time with nvJitLink "
                    "under warpbook run");
  }
  if (modules.empty() && (has_cubin || !kernels_.empty())) {
    throw LoadError(
        kNoKernelImage,
        "no PTX in this program: rebuild with -arch=sm_90 or -gencode arch=compute_90,code=compute_90, and without "
        "-dlto, which leaves machine code alone");
  }
  add_grid_calls(modules);
  if (modules.size() == 1) {
    made->ptx = std::move(modules.front());
  } else {
    made->ptx = link_modules(std::move(modules));
  }
  made->ptx = complete(std::move(made->ptx));
  add_limits(*made);
  return made;
}

void DeviceModule::add_limits(Code& code) {
  for (const ptx::Function& function : code.ptx.functions)
    if (function.max_registers) code.register_limits[function.name] = *function.max_registers;
  code.uses_heap = simulator::uses_heap(code.ptx);
}

void DeviceModule::place_variables(GlobalMemory& memory) {
  for (const ptx::Variable& variable : here().code->ptx.variables) {
    if (variable.external || (variable.space != ptx::Space::global && variable.space != ptx::Space::constant)) continue;
    if (here().addresses.count(variable.name) != 0) continue;
    if (const auto shared = managed_.find(variable.name); variable.managed && shared != managed_.end()) {
      here().addresses[variable.name] = shared->second;
      continue;
    }
    const std::uint64_t bytes = variable.bytes() == 0 ? 1 : variable.bytes();
    const std::uint64_t alignment = variable.alignment > kVariableAlignment ? variable.alignment : kVariableAlignment;
    const Allocation* place = memory.allocate(bytes, variable.managed ? MemoryKind::managed : MemoryKind::module,
                                              alignment, variable.name, active_device());
    if (place == nullptr) {
      throw LoadError(kMemoryAllocation,
                      "variable '" + variable.name + "' of " + std::to_string(bytes) + " bytes does not fit in memory");
    }
    here().addresses[variable.name] = place->address;
    if (variable.managed) managed_[variable.name] = place->address;
    std::memset(place->host, 0, bytes);
    if (variable.initial.size() > bytes)
      throw LoadError(kInvalidPtx, "variable '" + variable.name + "' has more initial bytes than bytes");
    if (!variable.initial.empty()) std::memcpy(place->host, variable.initial.data(), variable.initial.size());
    if (variable.space == ptx::Space::constant) memory.set_constant(place->address, false);
  }
}

unsigned DeviceModule::register_limit(const std::string& mangled) const {
  const auto& limits = here().code->register_limits;
  const auto found = limits.find(mangled);
  return found == limits.end() ? 0 : found->second;
}

std::uint64_t DeviceModule::constant_bytes() const {
  std::uint64_t bytes = 0;
  for (const ptx::Variable& variable : here().code->ptx.variables) {
    if (variable.external || variable.space != ptx::Space::constant) continue;
    const std::uint64_t alignment = std::max<std::uint64_t>(variable.alignment, 1);
    bytes = (bytes + alignment - 1) / alignment * alignment + variable.bytes();
  }
  return bytes;
}

void DeviceModule::relocate(GlobalMemory& memory) {
  for (const ptx::Variable& variable : here().code->ptx.variables) {
    const auto place = here().addresses.find(variable.name);
    if (place == here().addresses.end()) continue;
    for (const ptx::Variable::Relocation& relocation : variable.relocations) {
      const auto target = here().addresses.find(relocation.symbol);
      const auto address = target != here().addresses.end() ? std::optional(target->second)
                                                            : program().function_address(relocation.symbol);
      if (!address) {
        throw LoadError(kInvalidPtx, "the initial value of variable '" + variable.name + "' is the address of '" +
                                         relocation.symbol + "', which this program does not define");
      }
      const std::uint64_t value = *address + static_cast<std::uint64_t>(relocation.addend);
      const std::uint64_t bytes = std::min<std::uint64_t>(relocation.bytes, sizeof value);
      const Allocation* const target_place = memory.find(place->second);
      if (relocation.offset > target_place->bytes || bytes > target_place->bytes - relocation.offset)
        throw LoadError(kInvalidPtx, "an address in variable '" + variable.name + "' lies outside it");
      std::memcpy(target_place->host + relocation.offset, &value, bytes);
    }
  }
}

void DeviceModule::publish_managed() {
  for (const auto& variable : variables_) {
    if (!variable->managed) continue;
    const std::uint64_t address = address_of(variable->name);
    host().publish(variable->host, address);
  }
}

const Program& DeviceModule::program() {
  Loaded& loaded = here();
  if (loaded.code == nullptr) throw DecodeError("the module is not loaded on this device");
  if (!loaded.program && loaded.code->text)
    loaded.program = decode_here(complete(loaded.code->text->all_functions()));
  else if (!loaded.program)
    loaded.program = decode_here(loaded.code->ptx);
  return *loaded.program;
}

const Program& DeviceModule::program(const std::string& kernel) {
  Loaded& loaded = here();
  // A debugger has one view of all functions.
  if (loaded.code == nullptr || loaded.program || is_debugged()) return program();
  const auto [place, is_new] = loaded.programs.try_emplace(kernel);
  if (is_new) place->second = decode_for(kernel);
  return place->second ? *place->second : program();
}

std::unique_ptr<Program> DeviceModule::decode_for(const std::string& kernel) const {
  const Code& code = *here().code;
  try {
    std::optional<ptx::Module> parsed;
    if (code.text) parsed = complete(code.text->functions_for(kernel));
    const ptx::Module& module = parsed ? *parsed : code.ptx;
    if (const auto needed = needed_functions(module, kernel)) return decode_here(module, &*needed);
  } catch (const DecodeError&) {
    // Whether that is an error depends on the other kernels.
  }
  return nullptr;
}

std::unique_ptr<Program> DeviceModule::decode_here(const ptx::Module& module, const std::set<std::string>* only) const {
  const Loaded& loaded = here();
  const auto address_of = [&loaded](const std::string& name) -> std::optional<std::uint64_t> {
    const auto place = loaded.addresses.find(name);
    if (place == loaded.addresses.end()) return std::nullopt;
    return place->second;
  };
  DecodeOptions options = decode_options_;
  options.only = only;
  options.judges = loaded.code->cubin.empty();
  return decode(module, address_of, options);
}

std::uint64_t DeviceModule::address_of(const std::string& variable) const {
  const auto place = here().addresses.find(variable);
  return place == here().addresses.end() ? 0 : place->second;
}

const CubinKernel* DeviceModule::cubin_kernel(const std::string& mangled) const {
  const auto kernel = here().code->cubin.find(mangled);
  return kernel == here().code->cubin.end() ? nullptr : &kernel->second;
}

}  // namespace warpbook::simulator::runtime
