// Kernel names as Nsight Compute writes them.
#include "common/simulator/runtime/kernel_name.h"

#include "common/testing/catch.h"

using warpbook::simulator::runtime::function_name;
using warpbook::simulator::runtime::kernel_name;

TEST_CASE("kernel names are demangled as Nsight Compute shows them") {
  CHECK(kernel_name("_Z8atom_strPi") == "atom_str(int *)");
  CHECK(kernel_name("_Z13atom_same_retPiS_") == "atom_same_ret(int *, int *)");
  CHECK(kernel_name("_Z10gl_ld_halfPKfPf") == "gl_ld_half(const float *, float *)");
  CHECK(kernel_name("_Z5sh_ldIf6P_unitEvPf") == "sh_ld<float, P_unit>(float *)");
  CHECK(kernel_name("_Z1kPPKcRKi") == "k(const char **, const int &)");
  CHECK(kernel_name("__nv_static_46__ae246682_18_device_launches_cu_c9ef8ffe_31543__ZN57_GLOBAL__N__ae246682_18_device_"
                    "launches_cu_c9ef8ffe_315433seeEPi") == "(anonymous namespace)::see(int *)");
  CHECK(kernel_name("_ZN3lab4copyILi4ELb1EEEvPKdPdm") == "lab::copy<4, true>(const double *, double *, unsigned long)");
  CHECK(kernel_name("_Z7nothingv") == "nothing()");
}

TEST_CASE("names that are not mangled stay as they are") { CHECK(kernel_name("plain_kernel") == "plain_kernel"); }

TEST_CASE("a region that GCC offloads is named after its function") {
  CHECK(kernel_name("_Z5mergePKhPhll$_omp_fn$1") ==
        "merge(const unsigned char *, unsigned char *, long, long) [region 1]");
  CHECK(kernel_name("main$_omp_fn$0") == "main [region 0]");
}

TEST_CASE("a kernel's function is its name without namespaces, template arguments and parameters") {
  CHECK(function_name("lab::copy<4, true>(const double *, double *, unsigned long)") == "copy");
  CHECK(function_name("(anonymous namespace)::see(int *)") == "see");
  CHECK(function_name("k<(anonymous namespace)::T, std::pair<int, a::b>>(void (*)(int))") == "k");
  CHECK(function_name("plain_kernel") == "plain_kernel");
}

TEST_CASE("a kernel of Numba is named as in Python, without the tags of its versions") {
  CHECK(kernel_name("_ZN8__main__3addB2v1B32cw51cXTLSUwv1sDUaKthqaNgoKmjgOR3E5ArrayIfLi1E1C7mutable7alignedEx") ==
        "__main__::add(Array<float, 1, C, mutable, aligned>, long long)");
  CHECK(kernel_name("_ZN8__main__4main12_3clocals_3e6kernelB2v4B8cw51cXTLEi") ==
        "__main__::main::<locals>::kernel(int)");
  CHECK(kernel_name("_ZN3lab4copyB5cxx11Ei") == "lab::copy[abi:cxx11](int)");
}
