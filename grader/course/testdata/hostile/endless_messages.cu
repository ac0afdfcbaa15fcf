// Makes the compiler print without end.
// ends: build_failed
// because: error subject=compiler
#include "vector_add.h"
#define A(x)    \
  int x = y##x; \
  B(x##0) B(x##1) B(x##2) B(x##3) B(x##4) B(x##5) B(x##6) B(x##7)
#define B(x)    \
  int x = y##x; \
  C(x##0) C(x##1) C(x##2) C(x##3) C(x##4) C(x##5) C(x##6) C(x##7)
#define C(x)    \
  int x = y##x; \
  D(x##0) D(x##1) D(x##2) D(x##3) D(x##4) D(x##5) D(x##6) D(x##7)
#define D(x)    \
  int x = y##x; \
  E(x##0) E(x##1) E(x##2) E(x##3) E(x##4) E(x##5) E(x##6) E(x##7)
#define E(x) int x = y##x;
A(a)
#include __FILE__
