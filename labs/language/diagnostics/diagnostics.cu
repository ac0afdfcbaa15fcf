// Exercise diagnostics: which messages nvcc gives, and how a program chooses. See diagnostics.h.
#include "diagnostics.h"

int place(int n) {
  warpbook::not_started();  // TODO(student): the five pragmas. (2 lines)
}

int says(int line) {
  warpbook::not_started();  // TODO(student): which lines are errors, which get a warning? (1 line)
}
