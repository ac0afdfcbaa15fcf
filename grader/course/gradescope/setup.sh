#!/usr/bin/env bash
# Run once by Gradescope as root, when the image is built: installs what warpbook needs, builds it, and tests it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

export DEBIAN_FRONTEND=noninteractive
command -v python3 >/dev/null || { apt-get update -q && apt-get install -y -q --no-install-recommends python3; }
/usr/bin/python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
  echo "autograder: error: this image has $(/usr/bin/python3 --version); warpbook needs Python 3.11 or later." >&2
  echo "  Choose a newer base image in the autograder's settings, for example Ubuntu 24.04." >&2
  exit 1
}

cd "$here/warpbook"
common/setup.sh
cmake --preset sim
mapfile -t targets < "$here/targets.txt"
for target in "${targets[@]}"; do
  lab=${target%_batch}
  [[ -f build/sim/manifests/$lab.json ]] || {
    echo "autograder: error: lab $lab cannot be built in this image; CMake's warning above says why." >&2
    echo "  Choose an image of Debian 12, or export the autograder without that lab (--labs)." >&2
    exit 1
  }
done
cmake --build build/sim --target "${targets[@]}"

# Grades the reference solutions, so that a broken image is found before students use it.
PYTHONSAFEPATH=1 PYTHONPATH=$PWD /usr/bin/python3 -m grader.course.gradescope.autograder --try "$here"
