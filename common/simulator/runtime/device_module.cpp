// Loads device modules: choose PTX, parse, place variables, decode.
#include "common/simulator/runtime/device_module.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "common/simulator/machine/launch.h"
#include "common/simulator/ptx/parser.h"
#include "common/simulator/runtime/fat_binary.h"
#include "common/simulator/runtime/grid_handle.h"
#include "common/simulator/runtime/host.h"
#include "common/simulator/runtime/kernel_name.h"
#include "common/simulator/runtime/link_modules.h"
#include "common/simulator/runtime/unused_atomics.h"
#include "common/simulator/runtime/video_sums.h"

namespace warpbook::simulator::runtime {
namespace {

constexpr int kNoKernelImage = 209;   // cudaErrorNoKernelImageForDevice
constexpr int kInvalidPtx = 218;      // cudaErrorInvalidPtx
constexpr int kInvalidImage = 200;    // cudaErrorInvalidKernelImage
constexpr int kMemoryAllocation = 2;  // cudaErrorMemoryAllocation
constexpr std::uint64_t kVariableAlignment = 256;

/// NVIDIA's libcudadevrt holds the device runtime for newer devices as PTX, in terms of calls into the driver. The
/// virtual GPU answers the device runtime itself (device_calls.h).
bool is_device_runtime(const std::string& ptx) { return ptx.find("__cuda_syscall_cnpv2") != std::string::npos; }

/// 90 for "sm_90", "sm_90a" and "sm_90, debug"; 0 if the text is something else.
unsigned architecture_of(const std::string& target) {
  constexpr const char* kPrefix = "sm_";
  if (target.rfind(kPrefix, 0) != 0) return 0;
  return static_cast<unsigned>(std::strtoul(target.c_str() + std::strlen(kPrefix), nullptr, 10));
}

struct LoadError : std::runtime_error {
  LoadError(int c, const std::string& what) : std::runtime_error(what), code(c) {}
  int code;
};

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
  if (loaded_ || error_) return error_;
  decode_options_ = decode_options;
  try {
    if (!ptx_) load_images(architecture);
    place_variables(memory);
    relocate(memory);
    publish_managed();
    loaded_ = true;
  } catch (const LoadError& error) {
    error_ = ModuleError{error.code, error.what()};
  } catch (const ptx::ParseError& error) {
    error_ = ModuleError{kInvalidPtx, error.what()};
  } catch (const FatBinaryError& error) {
    error_ = ModuleError{kInvalidImage, error.what()};
  } catch (const std::runtime_error& error) {
    error_ = ModuleError{kInvalidImage, error.what()};
  }
  return error_;
}

void DeviceModule::unload(GlobalMemory& memory) {
  for (const auto& [name, address] : addresses_) memory.free(address);
  addresses_.clear();
  program_.reset();
  loaded_ = false;
  error_.reset();
}

void DeviceModule::load_images(unsigned architecture) {
  std::vector<ptx::Module> modules;
  bool has_cubin = false, has_lto_ir = false;
  for (const std::string& text : images_.ptx) modules.push_back(ptx::parse(text));
  if (!modules.empty()) ptx_version_ = architecture_of(modules.back().target);
  if (!images_.cubin.empty() && images_.cubin_architecture == architecture) cubin_ = read_cubin(images_.cubin);
  const auto containers = wrapper_ == nullptr ? std::move(images_.containers) : read_fat_binary(wrapper_);
  for (const FatBinaryContainer& container : containers) {
    if (const FatBinaryEntry* cubin = choose_cubin(container, architecture)) {
      // The first container of a device-linked program holds the linked cubin, whose figures are the final ones.
      auto kernels = read_cubin(cubin->read());
      cubin_.insert(kernels.begin(), kernels.end());
    }
    for (const FatBinaryEntry& entry : container.entries) {
      has_cubin = has_cubin || entry.kind == FatBinaryEntry::Kind::cubin;
      has_lto_ir = has_lto_ir || entry.kind == FatBinaryEntry::Kind::lto_ir;
    }
    if (const FatBinaryEntry* entry = choose_ptx(container, architecture)) {
      const std::string text = entry->read();
      if (is_device_runtime(text)) continue;
      ptx_version_ = entry->architecture;
      modules.push_back(ptx::parse(text));
    }
  }
  if (modules.empty() && has_lto_ir) {
    throw LoadError(kNoKernelImage,
                    "the device code is LTO-IR (nvcc -dlto, code=lto_90) without PTX, which only NVIDIA's linker can "
                    "compile: rebuild without -dlto, with -gencode arch=compute_90,code=compute_90, or link it at run "
                    "time with nvJitLink under warpbook run");
  }
  if (modules.empty() && (has_cubin || !kernels_.empty())) {
    throw LoadError(kNoKernelImage,
                    "no PTX in this program: rebuild with -arch=sm_90 or -gencode arch=compute_90,code=compute_90");
  }
  add_grid_calls(modules);
  if (modules.size() == 1) {
    ptx_ = std::move(modules.front());
  } else {
    ptx_ = link_modules(std::move(modules));
  }
  for (const ptx::Function& function : ptx_->functions) {
    if (function.max_registers) register_limits_[function.name] = *function.max_registers;
  }
  split_video_sums(*ptx_);
  reduce_unused_atomics(*ptx_);
}

void DeviceModule::place_variables(GlobalMemory& memory) {
  for (const ptx::Variable& variable : ptx_->variables) {
    if (variable.external || (variable.space != ptx::Space::global && variable.space != ptx::Space::constant)) continue;
    if (addresses_.count(variable.name) != 0) continue;
    const std::uint64_t bytes = variable.bytes() == 0 ? 1 : variable.bytes();
    const std::uint64_t alignment = variable.alignment > kVariableAlignment ? variable.alignment : kVariableAlignment;
    const Allocation* place =
        memory.allocate(bytes, variable.managed ? MemoryKind::managed : MemoryKind::module, alignment, variable.name);
    if (place == nullptr) {
      throw LoadError(kMemoryAllocation,
                      "variable '" + variable.name + "' of " + std::to_string(bytes) + " bytes does not fit in memory");
    }
    addresses_[variable.name] = place->address;
    std::memset(place->host, 0, bytes);
    if (variable.initial.size() > bytes)
      throw LoadError(kInvalidPtx, "variable '" + variable.name + "' has more initial bytes than bytes");
    if (!variable.initial.empty()) std::memcpy(place->host, variable.initial.data(), variable.initial.size());
    if (variable.space == ptx::Space::constant) memory.set_read_only(place->address, true);
  }
}

unsigned DeviceModule::register_limit(const std::string& mangled) const {
  const auto found = register_limits_.find(mangled);
  return found == register_limits_.end() ? 0 : found->second;
}

std::uint64_t DeviceModule::constant_bytes() const {
  std::uint64_t bytes = 0;
  for (const ptx::Variable& variable : ptx_->variables) {
    if (variable.external || variable.space != ptx::Space::constant) continue;
    const std::uint64_t alignment = std::max<std::uint64_t>(variable.alignment, 1);
    bytes = (bytes + alignment - 1) / alignment * alignment + variable.bytes();
  }
  return bytes;
}

void DeviceModule::relocate(GlobalMemory& memory) {
  for (const ptx::Variable& variable : ptx_->variables) {
    const auto place = addresses_.find(variable.name);
    if (place == addresses_.end()) continue;
    for (const ptx::Variable::Relocation& relocation : variable.relocations) {
      const auto target = addresses_.find(relocation.symbol);
      const auto address =
          target != addresses_.end() ? std::optional(target->second) : program().function_address(relocation.symbol);
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
  if (!program_) {
    const auto address_of = [this](const std::string& name) -> std::optional<std::uint64_t> {
      const auto place = addresses_.find(name);
      if (place == addresses_.end()) return std::nullopt;
      return place->second;
    };
    program_ = decode(*ptx_, address_of, decode_options_);
  }
  return *program_;
}

std::uint64_t DeviceModule::address_of(const std::string& variable) const {
  const auto place = addresses_.find(variable);
  return place == addresses_.end() ? 0 : place->second;
}

const CubinKernel* DeviceModule::cubin_kernel(const std::string& mangled) const {
  const auto kernel = cubin_.find(mangled);
  return kernel == cubin_.end() ? nullptr : &kernel->second;
}

}  // namespace warpbook::simulator::runtime
