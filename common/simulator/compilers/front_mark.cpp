// Tells a front from NVIDIA's library of the same name (real_library.cpp looks for it).
extern "C" [[gnu::visibility("default")]] const int warpbook_front = 1;
