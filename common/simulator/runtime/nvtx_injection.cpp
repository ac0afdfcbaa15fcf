// This library can be the one that NVTX_INJECTION64_PATH names: it records the program's NVTX calls as annotations.
#include <cstdio>
#include <exception>
#include <string>
#include <type_traits>
#include <utility>

#include "common/simulator/runtime/annotation_call.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/nvtx_interface.h"

namespace warpbook::simulator::runtime {

namespace {

using namespace nvtx;

/// Domains and registered strings: texts that are never freed.
using Text = const std::string*;

std::string text_of(const char* text) { return text == nullptr ? std::string() : text; }

std::string text_of(const wchar_t* text) {
  std::string result;
  for (; text != nullptr && *text != 0; ++text) {
    const auto c = static_cast<std::uint32_t>(*text);
    if (c < 0x80) {
      result += static_cast<char>(c);
      continue;
    }
    const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    result += static_cast<char>((0xff << (7 - more) & 0xff) | c >> 6 * more);
    for (int i = more - 1; i >= 0; --i) result += static_cast<char>(0x80 | (c >> 6 * i & 0x3f));
  }
  return result;
}

std::string name_of(Text domain) { return domain == nullptr ? std::string() : *domain; }

Annotation named(std::string text) {
  Annotation annotation;
  annotation.text = std::move(text);
  return annotation;
}

Annotation read(Text domain, const Attributes* attributes) {
  Annotation annotation;
  annotation.domain = name_of(domain);
  if (attributes == nullptr) return annotation;
  annotation.category = attributes->category;
  if (attributes->color_type == 1) annotation.color = attributes->color;
  switch (attributes->message_type) {
    case MessageType::narrow:
      annotation.text = text_of(attributes->message.narrow);
      break;
    case MessageType::wide:
      annotation.text = text_of(attributes->message.wide);
      break;
    case MessageType::registered:
      annotation.text = name_of(static_cast<Text>(attributes->message.registered));
      break;
    default:
      break;
  }
  const auto& payload = attributes->payload;
  switch (attributes->payload_type) {
    case PayloadType::u64:
      annotation.payload = payload.u64;
      break;
    case PayloadType::i64:
      annotation.payload = payload.i64;
      break;
    case PayloadType::f64:
      annotation.payload = payload.f64;
      break;
    case PayloadType::u32:
      annotation.payload = std::uint64_t{payload.u32};
      break;
    case PayloadType::i32:
      annotation.payload = std::int64_t{payload.i32};
      break;
    case PayloadType::f32:
      annotation.payload = static_cast<double>(payload.f32);
      break;
    default:
      break;
  }
  return annotation;
}

/// Reports the error. Nothing is thrown into the program.
std::int64_t say(AnnotationKind kind, Annotation annotation = {}, std::uint64_t number = 0) {
  try {
    return annotate({kind, std::move(annotation), number});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "warpbook: NVTX: %s\n", error.what());
    return 0;
  }
}

void mark(Text domain, const Attributes* attributes) { say(AnnotationKind::mark, read(domain, attributes)); }
std::uint64_t start(Text domain, const Attributes* attributes) {
  return static_cast<std::uint64_t>(say(AnnotationKind::start, read(domain, attributes)));
}
void end(Text, std::uint64_t id) { say(AnnotationKind::end, {}, id); }
int push(Text domain, const Attributes* attributes) {
  return static_cast<int>(say(AnnotationKind::push, read(domain, attributes)));
}
int pop(Text domain) { return static_cast<int>(say(AnnotationKind::pop, read(domain, nullptr))); }

void mark_default(const Attributes* attributes) { mark(nullptr, attributes); }
std::uint64_t start_default(const Attributes* attributes) { return start(nullptr, attributes); }
void end_default(std::uint64_t id) { end(nullptr, id); }
int push_default(const Attributes* attributes) { return push(nullptr, attributes); }
int pop_default() { return pop(nullptr); }

template <class Char>
void mark_text(const Char* text) {
  say(AnnotationKind::mark, named(text_of(text)));
}
template <class Char>
std::uint64_t start_text(const Char* text) {
  return static_cast<std::uint64_t>(say(AnnotationKind::start, named(text_of(text))));
}
template <class Char>
int push_text(const Char* text) {
  return static_cast<int>(say(AnnotationKind::push, named(text_of(text))));
}
template <class Char>
void name_category_of(Text domain, std::uint32_t category, const Char* text) {
  Annotation name = named(text_of(text));
  name.domain = name_of(domain);
  name.category = category;
  say(AnnotationKind::name_category, std::move(name));
}
template <class Char>
void name_category(std::uint32_t category, const Char* text) {
  name_category_of(nullptr, category, text);
}
template <class Char>
void name_thread(std::uint32_t id, const Char* text) {
  say(AnnotationKind::name_thread, named(text_of(text)), id);
}
template <class Char>
Text keep_text(Text, const Char* text) {
  return new std::string(text_of(text));
}
template <class Char>
Text make_domain(const Char* text) {
  return keep_text(nullptr, text);
}
template <class Char>
void name_stream(cudaStream_t handle, const Char* text) {
  say(AnnotationKind::name_stream, named(text_of(text)), reinterpret_cast<std::uint64_t>(handle));
}

/// The functions of an NVTX module in the program, as far as its version of NVTX has them.
class Table {
 public:
  Table(const Callbacks& callbacks, Module module) {
    if (callbacks.get_module_function_table(module, &places_, &size_) == 0) size_ = 0;
  }
  template <class Pointer>
  void set(unsigned number, Pointer* function) {
    static_assert(std::is_function_v<Pointer>);
    if (number < size_ && places_[number] != nullptr) *places_[number] = reinterpret_cast<Function>(function);
  }

 private:
  FunctionTable places_ = nullptr;
  unsigned size_ = 0;
};

void take_ranges(const Callbacks& callbacks) {
  Table core(callbacks, Module::core);
  core.set(kMarkEx, mark_default);
  core.set(kMarkA, mark_text<char>);
  core.set(kMarkW, mark_text<wchar_t>);
  core.set(kRangeStartEx, start_default);
  core.set(kRangeStartA, start_text<char>);
  core.set(kRangeStartW, start_text<wchar_t>);
  core.set(kRangeEnd, end_default);
  core.set(kRangePushEx, push_default);
  core.set(kRangePushA, push_text<char>);
  core.set(kRangePushW, push_text<wchar_t>);
  core.set(kRangePop, pop_default);
  core.set(kNameCategoryA, name_category<char>);
  core.set(kNameCategoryW, name_category<wchar_t>);
  core.set(kNameOsThreadA, name_thread<char>);
  core.set(kNameOsThreadW, name_thread<wchar_t>);
}

void take_domains(const Callbacks& callbacks) {
  Table core(callbacks, Module::core2);
  core.set(kDomainMarkEx, mark);
  core.set(kDomainRangeStartEx, start);
  core.set(kDomainRangeEnd, end);
  core.set(kDomainRangePushEx, push);
  core.set(kDomainRangePop, pop);
  core.set(kDomainNameCategoryA, name_category_of<char>);
  core.set(kDomainNameCategoryW, name_category_of<wchar_t>);
  core.set(kDomainRegisterStringA, keep_text<char>);
  core.set(kDomainRegisterStringW, keep_text<wchar_t>);
  core.set(kDomainCreateA, make_domain<char>);
  core.set(kDomainCreateW, make_domain<wchar_t>);
}

}  // namespace

/// NVTX's first call in a program, made while it holds its own lock. @returns 1: this is a tool
extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(nvtx::GetExportTable get) {
  const auto* const callbacks = static_cast<const nvtx::Callbacks*>(get(nvtx::kCallbacks));
  if (callbacks == nullptr || callbacks->struct_size < sizeof(nvtx::Callbacks)) return 0;
  take_ranges(*callbacks);
  take_domains(*callbacks);
  Table cuda(*callbacks, nvtx::Module::cuda);
  cuda.set(nvtx::kNameCuStreamA, name_stream<char>);
  cuda.set(nvtx::kNameCuStreamW, name_stream<wchar_t>);
  Table runtime(*callbacks, nvtx::Module::cudart);
  runtime.set(nvtx::kNameCudaStreamA, name_stream<char>);
  runtime.set(nvtx::kNameCudaStreamW, name_stream<wchar_t>);
  return 1;
}

}  // namespace warpbook::simulator::runtime
