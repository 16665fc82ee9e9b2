#!/usr/bin/env bash
# Installs what some tests drive, where it is missing: programs by apt-get where it may, and Python's clients and servers in a virtual
# environment outside the source tree. Prints the path of that environment's python.
# What cannot be installed is named on standard error, in a line for each: the tests that need it are skipped. They may not be skipped
# with UNISERVE_TEST_STRICT=true: then this fails.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
requirements=$here/test-requirements.txt
tools=${UNISERVE_TEST_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/uniserve/test-tools}
output=$(mktemp)
trap 'rm -rf "$output" "$tools.$$"' EXIT
status=0

# Names what is missing, why it could not be installed, and what is not tested without it.
missing() {
  if [ "${UNISERVE_TEST_STRICT:-}" = true ]; then
    echo "uniserve: cannot test $3 without $1, which cannot be installed: $2" >&2
    status=1
  else
    echo "uniserve: does not test $3, since $1 cannot be installed: $2" >&2
  fi
}

# The line of the last program's output that says why it failed.
reason() {
  grep -E '^(E|ERROR|Error|sudo): ?' "$output" | tail -n 1 | grep . || grep . "$output" | tail -n 1 | grep . || echo "it says nothing"
}

updated=
# Installs a Debian package; its output says why it cannot.
install_package() {
  local as_root=()
  if ! command -v apt-get >/dev/null; then
    echo "this system has no apt-get, so install it yourself" >"$output"
    return 1
  fi
  if [ "$(id -u)" -ne 0 ]; then
    as_root=(sudo -n)
    if ! sudo -n true 2>/dev/null; then
      echo "apt-get needs root, so install the package $1 yourself" >"$output"
      return 1
    fi
  fi
  echo "Installing $1" >&2
  # ${...[@]+...} because bash before 4.4 takes an empty array for an unset variable
  if [ -z "$updated" ]; then
    ${as_root[@]+"${as_root[@]}"} apt-get update -qq >"$output" 2>&1 || true # what it has may do
    updated=true
  fi
  ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive \
    apt-get install -qq -y --no-install-recommends "$1" >"$output" 2>&1
}

# A program, the Debian package that brings it, and what is tested with it.
need() {
  if command -v "$1" >/dev/null; then
    return
  fi
  if install_package "$2"; then
    if command -v "$1" >/dev/null; then
      return
    fi
    echo "the package $2 does not bring it" >"$output"
  fi
  missing "$1" "$(reason)" "$3"
}

# The first python3 that can make environments: the default one may be a part of something else.
find_python() {
  local candidate
  for candidate in python3 /usr/bin/python3; do
    if "$candidate" -c 'import venv, ensurepip' 2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
  return 1
}

# One whose packages are all there is found by the list of them that it has. It is made elsewhere and moved to its place, since others
# may use it, or make it, meanwhile.
make_environment() {
  local python made=$tools.$$ requirement failed=
  if ! python=$(find_python); then
    if ! { install_package python3 && install_package python3-venv && python=$(find_python); }; then
      missing "a python3 with venv" "$(reason)" "with Python"
      return
    fi
  fi
  mkdir -p "$(dirname "$tools")"
  if ! "$python" -m venv "$made" >"$output" 2>&1; then
    missing "an environment of Python in $tools" "$(reason)" "with Python"
    return
  fi
  echo "Installing Python packages for the tests in $tools" >&2
  if ! pip_install --requirement "$requirements"; then
    failed=true
    if grep -q 'Retrying (' "$output"; then
      missing "what $requirements names" "the package index does not answer" "with Python"
    else
      while IFS= read -r requirement; do # as many as can be
        pip_install "$requirement" || missing "$requirement" "$(reason)" "with Python's ${requirement%%[=[]*}"
      done <"$requirements"
    fi
  fi
  [ -n "$failed" ] || cp "$requirements" "$made/installed.txt"
  if ! cmp -s "$requirements" "$tools/installed.txt"; then
    rm -rf "$tools"
    mv "$made" "$tools"
  fi
}

pip_install() {
  "$made/bin/python" -m pip install --quiet --disable-pip-version-check --retries 2 "$@" >"$output" 2>&1
}

need chromium chromium "the console in a browser"
need chromedriver chromium-driver "the console in a browser"
need ip iproute2 "partitions of the network"
need openssl openssl "certificates that others made"
need curl curl "the commands of the documentation"
if [ -z "${UNISERVE_TEST_PYTHON:-}" ] && ! cmp -s "$requirements" "$tools/installed.txt"; then
  make_environment
fi
echo "${UNISERVE_TEST_PYTHON:-$tools/bin/python}"
exit "$status"
