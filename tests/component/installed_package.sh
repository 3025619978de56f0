#!/usr/bin/env bash
# Installs the component, and builds and runs examples/embed against what was installed: by CMake and by pkg-config.
#
#   installed_package.sh SOURCE BUILD
set -euo pipefail
source=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/prefix" --component embed >/dev/null
cp -r "$source/examples/embed" "$work/embed"
cmake -S "$work/embed" -B "$work/cmake" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
cmake --build "$work/cmake" >/dev/null
pc=$(find "$work/prefix" -name gicsim.pc)
sed -i "s|^prefix=.*|prefix=$work/prefix|" "$pc"
flags=$(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --cflags --libs gicsim)
# shellcheck disable=SC2086  # the flags are words
c++ -std=c++17 -Wall -Wextra -Werror -o "$work/by-pkg-config" "$work/embed/embed.cpp" $flags

expected="INTID 40, 21.5 ns after the device"
for program in "$work/cmake/embed" "$work/by-pkg-config"; do
    output=$("$program" 2>/dev/null | grep INTID || true)
    if [[ $output != "$expected" ]]; then
        echo "$program printed '$output' where '$expected' was expected" >&2
        exit 1
    fi
done
echo "$expected"
