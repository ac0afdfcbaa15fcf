# Cross compiling for 64-bit ARM on Debian: the preset `arm64`. docs/build.md says what it needs and how its tests run.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)  # Debian's multiarch folder.

# nvcc, with the compiler above behind it, and NVIDIA's libraries for it.
get_filename_component(_toolkit ${CMAKE_CURRENT_LIST_DIR}/../../.toolchain/cuda-aarch64 ABSOLUTE)
if(NOT EXISTS ${_toolkit}/bin/nvcc)
  message(FATAL_ERROR "${_toolkit}/bin/nvcc is missing. Run common/setup.sh --arm64.")
endif()
set(WARPBOOK_NVCC ${_toolkit}/bin/nvcc CACHE FILEPATH "NVIDIA's compiler, release 13")
set(WARPBOOK_TOOLKIT_ROOT ${_toolkit} CACHE PATH "Where the toolkit's libraries and headers are; empty: where nvcc says")

# Programs start programs, so the Linux kernel itself must be able to run them; otherwise only programs that start none work.
if(NOT EXISTS /proc/sys/fs/binfmt_misc/qemu-aarch64)
  set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64)
endif()
