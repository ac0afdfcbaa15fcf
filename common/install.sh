# Installs Debian packages, and nvcc 13 from NVIDIA's wheels: shared by common/setup.sh and the setup.sh of a student
# edition. To be sourced, with `toolchain` (the folder for downloaded tools) and `program` (the name of the script) set.

say() { printf 'setup: %s\n' "$*"; }
fail() {
  printf 'setup: error: %s\n' "$1" >&2
  shift
  for hint in "$@"; do printf '  %s\n' "$hint" >&2; done
  exit 1
}

# A package may be installed for several architectures; without one in its name, this machine's counts.
missing_packages() {
  local package native wanted_architecture
  native=$(dpkg --print-architecture)
  for package in "$@"; do
    wanted_architecture=$native
    [[ $package != *:* ]] || wanted_architecture=${package#*:}
    dpkg-query -W -f='${db:Status-Status} ${Architecture}\n' "${package%:*}" 2>/dev/null |
      grep -qE "^installed ($wanted_architecture|all)$" || echo "$package"
  done
}

as_root() {
  if [[ $(id -u) -eq 0 ]]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else fail "'$*' needs root, and sudo is not installed" "Run as root: $*" "Then run $program again."
  fi
}

install_packages() {
  local missing
  mapfile -t missing < <(missing_packages "$@")
  if [[ ${#missing[@]} -eq 0 ]]; then
    return
  fi
  say "installing Debian packages: ${missing[*]}"
  local install=(env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}")
  # The package lists of a fresh machine are empty or old: they are fetched only if installing fails without.
  if ! as_root "${install[@]}" >"$log" 2>&1; then
    say "fetching Debian's package lists (apt-get update)"
    as_root apt-get update -q >"$log" 2>&1 ||
      { cat "$log" >&2; fail "apt-get update failed (output above)" "Is this machine connected to a Debian mirror?"; }
    # apt-get update succeeds even if it could not fetch or verify a list: what it said comes first.
    as_root "${install[@]}" >>"$log" 2>&1 ||
      { cat "$log" >&2; fail "installing ${missing[*]} failed (output above)" \
        "These are the package names of Debian 12; on another system install their equivalents."; }
  fi
}

log=$(mktemp)
staging=
trap 'rm -rf "$log" ${staging:+"$staging"}' EXIT

# NVIDIA's compiler as Python wheels: a fixed version, so that every machine generates the same code.
wheels=(
  nvidia-cuda-nvcc==13.0.88     # nvcc, cudafe++, ptxas, fatbinary, nvlink
  nvidia-nvvm==13.0.88          # cicc: CUDA to PTX
  nvidia-cuda-crt==13.0.88      # headers that the compiler includes by itself
  nvidia-cuda-runtime==13.0.88  # cuda_runtime.h, libcudart, libcudadevrt
  nvidia-cuda-cccl==13.0.85     # cuda::std, CUB, Thrust
)

# Prints the release ("13.0") of an nvcc, or nothing.
release_of() { "$1" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\),.*/\1/p'; }

find_system_nvcc() {
  local candidate
  [[ ${WARPBOOK_IGNORE_SYSTEM_CUDA:-0} == 1 ]] && return 1
  for candidate in "${CUDACXX:-}" "$(command -v nvcc || true)" /usr/local/cuda/bin/nvcc; do
    if [[ -n $candidate && $(release_of "$candidate") == 13.* ]]; then
      echo "$candidate"
      return 0
    fi
  done
  return 1
}

# Compiles and links a kernel that launches itself, so that an incomplete toolchain is found here and not in the middle of a build.
try_nvcc() {
  local directory=$1
  cat >"$directory/try.cu" <<'EOF'
#include <cuda_runtime.h>
__global__ void kernel(int* x, int again) {
  *x = 1;
  if (again > 0) kernel<<<1, 1>>>(x, again - 1);
}
int main() {
  kernel<<<1, 1>>>(nullptr, 1);
  return cudaGetLastError() == cudaSuccess;
}
EOF
  "$2" -arch=sm_90 -rdc=true -cudart shared -o "$directory/try" "$directory/try.cu" -lcudadevrt >"$log" 2>&1
}

# Installs wheels into a folder of their own in $staging. Uses Debian's interpreter: another python3 on PATH may lack pip.
stage_wheels() {
  local folder=$1 hint=$2
  shift 2
  install_packages python3-pip
  mkdir -p "$toolchain"
  staging=$(mktemp -d "$toolchain/staging.XXXXXX")
  /usr/bin/python3 -m pip install --quiet --disable-pip-version-check --no-compile --no-deps --only-binary :all: \
    --target "$staging/$folder" "$@" >"$log" 2>&1 || { cat "$log" >&2; fail "pip could not install $* (output above)" "$hint"; }
}

install_nvcc() {
  local cuda=$toolchain/cuda stamp="${wheels[*]}"
  if [[ -x $cuda/bin/nvcc && -f $cuda/wheels.txt && $(<"$cuda/wheels.txt") == "$stamp" ]]; then
    say "nvcc $(release_of "$cuda/bin/nvcc"): .toolchain/cuda/bin/nvcc"
    return
  fi
  say "no nvcc 13 in \$CUDACXX, on PATH or in /usr/local/cuda/bin: installing NVIDIA's wheels into .toolchain/cuda (about 100 MB)"
  stage_wheels site "Is PyPI reachable? Otherwise install CUDA 13 and set CUDACXX to its nvcc." "${wheels[@]}"

  local tree=$staging/site/nvidia/cu13
  [[ -x $tree/bin/nvcc ]] || fail "the wheels contain no nvidia/cu13/bin/nvcc" "Found: $(ls "$staging/site")"
  # nvcc.profile looks for lib64, and the linker for names without a version.
  ln -sfn lib "$tree/lib64"
  ln -sfn ../lib "$tree/nvvm/lib64"  # Python packages look for libnvvm here.
  ln -sfn libcudart.so.13 "$tree/lib/libcudart.so"
  try_nvcc "$staging" "$tree/bin/nvcc" || { cat "$log" >&2; fail "the installed nvcc cannot compile a kernel (output above)"; }
  echo "$stamp" >"$tree/wheels.txt"
  rm -rf "$cuda"
  mv "$tree" "$cuda"
  say "nvcc $(release_of "$cuda/bin/nvcc"): .toolchain/cuda/bin/nvcc"
}

# Sets the variable nvcc to the path of an nvcc 13.
find_or_install_nvcc() {
  if nvcc=$(find_system_nvcc); then
    say "nvcc $(release_of "$nvcc"): $nvcc"
  else
    install_nvcc
    nvcc=$toolchain/cuda/bin/nvcc
  fi
}
