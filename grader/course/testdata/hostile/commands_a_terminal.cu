// Says and prints what would command a terminal, turn the direction of writing, end a text, or is no UTF-8.
// ends: failed
// because: program_error
// says: [2J
// says: ]0;title
#include <cstdio>
#include <stdexcept>

#include "vector_add.h"

void vector_add(const float*, const float*, float*, int) {
  std::puts("\x1b[31m \xe2\x80\xae \xc2\x9b \xff\xfe ]]></failure>");
  throw std::runtime_error("\x1b[2J\x1b]0;title\x07 \xe2\x81\xa6 \xff\xfe\r=1+1 <script>alert(1)</script>");
}
