// Crashes: host code writes through a null pointer.
#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) {
  volatile int* volatile nowhere = nullptr;
  *nowhere = 1;
}
