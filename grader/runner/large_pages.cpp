// Memory of a test program: large arrays on pages of 2 MiB.
//
// A case's arrays are made, sent, compared and thrown away again and again. On pages of 4 KiB a test spends as much
// time in page faults as in its own work.
#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace {

constexpr std::size_t kPage = std::size_t{2} << 20;

void* allocate(std::size_t bytes) noexcept {
  if (bytes < 2 * kPage) return std::malloc(bytes == 0 ? 1 : bytes);
  const std::size_t whole = (bytes + kPage - 1) / kPage * kPage;
  if (whole < bytes) return nullptr;
  void* const memory = std::aligned_alloc(kPage, whole);
  if (memory != nullptr) madvise(memory, whole, MADV_HUGEPAGE);  // Where there are none, small pages serve.
  return memory;
}

}  // namespace

void* operator new(std::size_t bytes) {
  if (void* const memory = allocate(bytes)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
