// Memory of a test program: large arrays use 2 MiB pages, which are kept for later arrays.
//
// A case's arrays are made, sent, compared and freed again and again. With 4 KiB pages a test spends as much
// time in page faults as in its own work; and pages that go back to the system are cleared before they are used again.
// Small freed pieces join their neighbours at once, not all of them whenever a large one is freed.
#include <malloc.h>
#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace {

constexpr std::size_t kPage = std::size_t{2} << 20;

constexpr int kOwnMapping = 32 << 20;  // The most that the library takes for this limit.
[[maybe_unused]] const bool kept =
    mallopt(M_MMAP_THRESHOLD, kOwnMapping) != 0 && mallopt(M_TRIM_THRESHOLD, 1 << 30) != 0 && mallopt(M_MXFAST, 0) != 0;

void* allocate(std::size_t bytes) noexcept {
  if (bytes < 2 * kPage) return std::malloc(bytes == 0 ? 1 : bytes);
  const std::size_t whole = (bytes + kPage - 1) / kPage * kPage;
  if (whole < bytes) return nullptr;
  void* const memory = std::aligned_alloc(kPage, whole);
  if (memory != nullptr) madvise(memory, whole, MADV_HUGEPAGE);  // If there are none, small pages are used.
  return memory;
}

}  // namespace

void* operator new(std::size_t bytes) {
  if (void* const memory = allocate(bytes)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
