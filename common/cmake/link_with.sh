#!/bin/sh
# Links with another compiler than CMake's: link_with.sh COMPILER CMAKES_COMPILER ARGUMENTS...
compiler=$1
shift 2
exec "$compiler" "$@"
