// Finds the device process through a function of its libraries.
#include "grader/runner/device_arrays.h"

#include <dlfcn.h>

#include "common/simulator/remote/arrays.h"

namespace warpbook::grader {

namespace {

using simulator::remote::ArrayError;
using simulator::remote::ArrayKind;

using Ask = int (*)(int kind, const char* name, int element, std::uint64_t bytes, void** address);

Ask ask() {
  static const auto function = reinterpret_cast<Ask>(dlsym(RTLD_DEFAULT, "warpbookArray"));
  return function;
}

std::string text_of(ArrayError error) {
  switch (error) {
    case ArrayError::none:
      break;
    case ArrayError::unknown:
      return "the case has no array of this name";
    case ArrayError::wrong_size:
      return "the case's array has another size";
    case ArrayError::taken:
      return "it was requested before";
    case ArrayError::no_memory:
      return "device memory is used up";
    case ArrayError::no_such_place:
      return "its memory is not the beginning of pinned or managed memory that is large enough";
  }
  return "error " + std::to_string(static_cast<int>(error));
}

void* request(ArrayKind kind, const std::string& name, Element element, std::size_t bytes, void* place) {
  const int error = ask()(static_cast<int>(kind), name.c_str(), static_cast<int>(element), bytes, &place);
  if (error != 0) throw ValueError("the array '" + name + "': " + text_of(static_cast<ArrayError>(error)));
  return place;
}

std::vector<std::byte> fetch(const std::string& name, const Value& withheld) {
  std::vector<std::byte> bytes(withheld.count() * size_of(withheld.element));
  std::byte none{};
  request(ArrayKind::host_contents, name, withheld.element, bytes.size(), bytes.empty() ? &none : bytes.data());
  return bytes;
}

}  // namespace

bool device_has_arrays() {
  const bool has = ask() != nullptr;
  if (has) fetch_withheld() = fetch;
  return has;
}

void* device_array(ArrayKind kind, const std::string& name, Element element, std::size_t bytes, void* place) {
  return request(kind, name, element, bytes, place);
}

void observe_on_device(ArrayKind kind, const std::string& name, const void* what) {
  request(kind, name, Element::u8, 0, const_cast<void*>(what));
}

void take_device_arrays() { request(ArrayKind::take, "", Element::u8, 0, nullptr); }

}  // namespace warpbook::grader
