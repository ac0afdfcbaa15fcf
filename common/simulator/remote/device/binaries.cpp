// Fat binaries, kernels and variables that a program registers.
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "common/simulator/remote/arguments.h"
#include "common/simulator/remote/device/images.h"
#include "common/simulator/remote/device/session.h"
#include "common/simulator/runtime/cuda_api.h"

namespace warpbook::simulator::remote {
namespace {

/// A wrapper in nvcc's format, around containers that came with a message.
struct Binary {
  Image image;
  void** handle = nullptr;
  std::deque<std::string> names;  ///< Names of kernels and variables.
};

std::map<std::uint64_t, Binary>& binaries() {
  static auto* const all = new std::map<std::uint64_t, Binary>;
  return *all;
}

Binary& binary_of(Reader& from) {
  const auto number = from.get<std::uint64_t>();
  const auto found = binaries().find(number);
  if (found == binaries().end() || found->second.handle == nullptr)
    throw WireError("there is no fat binary number " + std::to_string(number));
  return found->second;
}

constexpr std::size_t kMostNames = 1 << 16;

const char* keep_name(Binary& binary, Reader& from) {
  if (binary.names.size() >= kMostNames) throw WireError("a fat binary has more than 65,536 kernels and variables");
  binary.names.push_back(from.text());
  if (binary.names.back().size() > kLongestName) throw WireError("a name is longer than 65,536 letters");
  return binary.names.back().c_str();
}

}  // namespace

void answer_register_binary(Session&, Reader& from, Writer& to) {
  const std::uint64_t number = binaries().size() + 1;
  Binary& binary = binaries()[number];
  binary.image.read(from);
  from.end();
  binary.handle = __cudaRegisterFatBinary(const_cast<void*>(binary.image.wrapper()));
  __cudaRegisterFatBinaryEnd(binary.handle);
  to.put(number);
}

void answer_unregister_binary(Session&, Reader& from, Writer&) {
  Binary& binary = binary_of(from);
  __cudaUnregisterFatBinary(binary.handle);
  binary.handle = nullptr;
}

void answer_register_function(Session&, Reader& from, Writer&) {
  Binary& binary = binary_of(from);
  const auto host = from.get<std::uint64_t>();
  const char* name = keep_name(binary, from);
  from.end();
  __cudaRegisterFunction(binary.handle, reinterpret_cast<const char*>(host), nullptr, name, -1, nullptr, nullptr,
                         nullptr, nullptr, nullptr);
}

void answer_register_variable(Session&, Reader& from, Writer&) {
  Binary& binary = binary_of(from);
  const auto host = from.get<std::uint64_t>();
  const char* name = keep_name(binary, from);
  const auto bytes = from.get<std::uint64_t>();
  const bool constant = from.get<std::uint8_t>() != 0, managed = from.get<std::uint8_t>() != 0;
  from.end();
  if (managed) {
    __cudaRegisterManagedVar(binary.handle, reinterpret_cast<void**>(host), nullptr, name, 0, bytes, constant, 0);
  } else {
    __cudaRegisterVar(binary.handle, reinterpret_cast<char*>(host), nullptr, name, 0, bytes, constant, 0);
  }
}

void answer_init_module(Session&, Reader& from, Writer& to) {
  Binary& binary = binary_of(from);
  to.put<char>(__cudaInitModule(binary.handle));
}

}  // namespace warpbook::simulator::remote
