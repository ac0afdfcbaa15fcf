// Records NVTX annotations.
#include "common/simulator/runtime/annotation_call.h"

#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {

Annotations& annotations() {
  static auto* all = new Annotations([] {
    const Runtime* const runtime = Runtime::existing();
    return runtime == nullptr ? 0.0 : runtime->timeline.now_us();
  });
  return *all;
}

std::int64_t annotate(const AnnotationCall& call) {
  const std::lock_guard guard(runtime_lock());
  Annotations& all = annotations();
  const Annotation& said = call.annotation;
  switch (call.kind) {
    case AnnotationKind::mark:
      all.mark(said);
      return 0;
    case AnnotationKind::start:
      return static_cast<std::int64_t>(all.start(said));
    case AnnotationKind::end:
      all.end(call.number);
      return 0;
    case AnnotationKind::push:
      return all.push(said);
    case AnnotationKind::pop:
      return all.pop(said.domain);
    case AnnotationKind::name_category:
      all.name_category(said.domain, said.category, said.text);
      return 0;
    case AnnotationKind::name_thread:
      all.name_thread(static_cast<std::uint32_t>(call.number), said.text);
      return 0;
    case AnnotationKind::name_stream: {
      // Handles are the same in both APIs.
      const Stream* const stream = Runtime::instance().find_stream(reinterpret_cast<cudaStream_t>(call.number));
      if (stream != nullptr) all.name_stream(stream->number, said.text);
      return 0;
    }
    case AnnotationKind::count_:
      break;
  }
  return 0;
}

}  // namespace warpbook::simulator::runtime
