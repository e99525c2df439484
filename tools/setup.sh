#!/bin/bash
# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs what is missing to build fp8-opt from Debian's packages (--tests: also to test it; --asan: under sanitizers;
# --iree: IREE for --engine=iree, from PyPI into build/iree; --ptxas: NVIDIA's assembler for fp8-translate, from PyPI
# into build/ptxas) and says what it does.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build_packages=(
  clang-22 lld-22 llvm-22-dev llvm-22-tools libmlir-22-dev mlir-22-tools # the compiler, LLVM and MLIR
  cmake ninja-build ccache g++ zlib1g-dev libzstd-dev                    # the build; g++ brings libstdc++
  libgtest-dev python3                                                   # what configuring asks for
)
test_packages=(clang-format-22 clang-tidy-22 git)
asan_packages=(libclang-rt-22-dev) # the sanitizers' runtimes, for the asan preset
iree_packages=(python3-venv)
ptxas_packages=(python3-venv)
iree=build/iree # where CMake's FP8OPT_IREE looks for it
ptxas=build/ptxas # and FP8OPT_PTXAS, for bin/ptxas

packages=("${build_packages[@]}")
for argument in "$@"; do
  case "$argument" in
    --tests) packages+=("${test_packages[@]}") ;;
    --asan) packages+=("${asan_packages[@]}") ;;
    --iree) packages+=("${iree_packages[@]}"); wants_iree=1 ;;
    --ptxas) packages+=("${ptxas_packages[@]}"); wants_ptxas=1 ;;
    *) echo "expected --tests, --asan, --iree or --ptxas, got '$argument'" >&2; exit 2 ;;
  esac
done

# install_python NAME FOLDER NEEDED_FOR [PIP_OPTION...]: what python/requirements-NAME.txt pins, into an environment of its
# own, so that no other Python is changed.
install_python() {
  local name=$1 folder=$2 needed_for=$3 requirements=python/requirements-$1.txt
  shift 3
  if [ -x "$folder/bin/pip" ] && [ -z "$(grep -v '^#' "$requirements" | grep -vxFf <("$folder/bin/pip" freeze))" ]; then
    echo "setup: $name is installed in $folder."
    return
  fi
  echo "setup: installing $name from PyPI into $folder"
  python3 -m venv "$folder"
  for attempt in 1 2 3; do
    "$folder/bin/pip" install --quiet --disable-pip-version-check "$@" -r "$requirements" && return
    echo "setup: attempt $attempt failed" >&2
    sleep $((5 * attempt))
  done
  echo "setup: $name could not be installed; it is needed for $needed_for alone." >&2
  exit 1
}

install_iree() {
  install_python iree "$iree" "--engine=iree and its tests"
}

# The package has no entry for the program, which lies deep in it and needs nothing that the package depends on.
install_ptxas() {
  install_python ptxas "$ptxas" "cubins and their tests" --no-deps
  local programs=("$ptxas"/lib/python3*/site-packages/nvidia/cu*/bin/ptxas)
  ln -sfn "..${programs[0]#"$ptxas"}" "$ptxas/bin/ptxas"
  "$ptxas/bin/ptxas" --version >/dev/null
}

install_wanted() {
  [ -z "${wants_iree:-}" ] || install_iree
  [ -z "${wants_ptxas:-}" ] || install_ptxas
}

needs_by_hand() {
  echo "setup: $1" >&2
  echo "setup: fp8-opt is built against LLVM and MLIR 22.1 as Debian packages them. Please install:" >&2
  printf '  %s\n' "${packages[@]}" >&2
  echo "setup: (https://apt.llvm.org has the LLVM packages for other Debian and Ubuntu releases), then run this again." >&2
  exit 1
}

command -v dpkg-query >/dev/null || needs_by_hand "this is not a Debian system, so nothing was installed."

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "setup: all ${#packages[@]} packages are installed."
  install_wanted
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || needs_by_hand "installing needs root and there is no sudo; nothing was installed."
  as_root=(sudo)
fi
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=3)

echo "setup: reading the package lists"
"${apt[@]}" update -qq
for package in "${missing[@]}"; do
  # Not through a pipe into grep -q: that one leaves early, apt-cache fails for it, and so does the pipe, now and then.
  if [[ ! $(apt-cache policy "$package") =~ Candidate:\ [^\(] ]]; then
    needs_by_hand "this system's package sources have no $package, so nothing was installed."
  fi
done
echo "setup: installing ${missing[*]}"
"${apt[@]}" install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
install_wanted
echo "setup: done."
