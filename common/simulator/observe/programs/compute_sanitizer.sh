#!/usr/bin/env bash
# Records what compute-sanitizer answers to the programs beside this file, on a machine with a GPU and the toolkit:
#
#   compute_sanitizer.sh OUT [FAMILY ...]
#
# builds the families (all, if none is named) and writes OUT/FAMILY.csv, one line per case and tool: family, case, tool
# ("plain": without one), exit code (124: it did not end in time), number of errors, first line that tells of one.
# Cases that would wait for ever on hardware (sync_hang) are left out. `suite.py --compute-sanitizer OUT` reads the files.
#
# CASES=FAMILY,FAMILY:CASE,... narrows that to these, to add them to a record. ARCH (sm_90), JOBS (12 at a time), LIMIT_S
# (20, of one run) and TOTAL_S (540: what is left by then is not run) may be set.
set -euo pipefail

[[ $# -ge 1 ]] || { sed -n '2,12s/^# \{0,1\}//p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
shift
families=("$@")
[[ ${#families[@]} -gt 0 ]] || mapfile -t families < <(cd "$here" && printf '%s\n' *.cu | sed 's/\.cu$//')
for family in "${families[@]}"; do
  [[ -f $here/$family.cu ]] || { echo "There is no family '$family' in $here" >&2; exit 2; }
done
for tool in nvcc compute-sanitizer; do
  command -v "$tool" > /dev/null || { echo "There is no $tool in PATH; add the toolkit's bin folder to it" >&2; exit 2; }
done

# The programs need the toolkit's shared runtime.
lib=$(cd "$(dirname "$(readlink -f "$(command -v nvcc)")")/.." && pwd)/lib64
export LD_LIBRARY_PATH=$lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export here LIMIT_S=${LIMIT_S:-20} ARCH=${ARCH:-sm_90}
deadline=$((SECONDS + ${TOTAL_S:-540}))
work=$(mktemp -d)
export work
mkdir "$work/rows"

# Also after an interrupt: what was recorded until then is kept.
collect() {
  for family in "${families[@]}"; do
    compgen -G "$work/rows/$family:*" > /dev/null || continue
    { echo "family,case,tool,exit,errors,first"; cat "$work/rows/$family":*; } > "$out/$family.csv"
  done
  rm -rf "$work"
}
trap collect EXIT
trap 'exit 130' INT TERM

build() {
  local flags=("-arch=$ARCH")
  [[ $1 != device_launches ]] || flags+=(-rdc=true -lcudadevrt)
  [[ $1 != group_products ]] || flags=(-gencode "arch=compute_90a,code=[compute_90a,sm_90a]")
  nvcc -std=c++20 -lineinfo -cudart shared "${flags[@]}" -o "$work/$1" "$here/$1.cu" > "$work/$1.log" 2>&1 ||
    { echo "$1 was not built:" >&2; cat "$work/$1.log" >&2; return 1; }
}

# One case under one tool: a row of its own, so that runs do not wait for each other.
record() {
  local family=$1 name=$2 tool=$3 status=0 errors=0 first
  local said=$work/said:$family:$name:$tool
  local command=("$work/$family" "$name")
  case $tool in
    plain) ;;
    memcheck) command=(compute-sanitizer --tool memcheck --leak-check full "${command[@]}") ;;
    *) command=(compute-sanitizer --tool "$tool" "${command[@]}") ;;
  esac
  timeout -k 5 "$LIMIT_S" "${command[@]}" > "$said" 2>&1 || status=$?
  if [[ $tool == plain ]]; then
    first=$(head -n 1 "$said")
  else
    errors=$(sed -nE 's/^=+ (ERROR SUMMARY: ([0-9]+) errors?|RACECHECK SUMMARY: ([0-9]+) hazards? displayed).*/\2\3/p' "$said" | tail -n 1)
    first=$(grep -E '^=+ [A-Za-z]' "$said" | grep -vE 'COMPUTE-SANITIZER|SUMMARY' | sed -E 's/^=+ +//' | head -n 1) || true
  fi
  first=${first//$'\r'/}
  printf '%s,%s,%s,%s,%s,"%s"\n' "$family" "$name" "$tool" "$status" "${errors:-0}" "${first//\"/\"\"}" \
    > "$work/rows/$family:$name:$tool"
  rm -f "$said"
}

# The lines of a list of "family case tool", until the time is up.
record_until_the_deadline() {
  local line
  while read -r line; do
    ((SECONDS < deadline)) || { echo "The time is up: not run from '$line' on; name families to record the rest" >&2; break; }
    while (($(jobs -rp | wc -l) >= ${JOBS:-12})); do wait -n || true; done
    # shellcheck disable=SC2086
    record $line &
  done
  wait
}

export -f build
printf '%s\n' "${families[@]}" | xargs -P "$(nproc)" -I{} bash -c 'build {}'
echo "${#families[@]} families were built in $SECONDS s"

for family in "${families[@]}"; do
  "$work/$family" --list | sed -nE 's/.*"case": "([^"]+)", "expect": "([^"]+)".*/\1 \2/p' | while read -r name expect; do
    [[ $expect == sync_hang ]] && continue
    [[ -z ${CASES:-} || ,$CASES, == *,$family,* || ,$CASES, == *,$family:$name,* ]] || continue
    for tool in plain memcheck racecheck initcheck synccheck; do echo "$family $name $tool"; done
  done
done > "$work/list"
record_until_the_deadline < "$work/list"
echo "$(find "$work/rows" -type f | wc -l) of $(wc -l < "$work/list") runs were recorded in $SECONDS s"
