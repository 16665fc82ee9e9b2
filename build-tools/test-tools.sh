#!/usr/bin/env bash
# Installs the Python clients and servers that the tests drive, in a virtual environment outside the source tree.
# Does nothing when they are there already. Prints the path of the environment's python.
#   test-tools.sh          install, then print the path
#   test-tools.sh --path   print the path only
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
requirements=$here/test-requirements.txt
tools=${UNISERVE_TEST_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/uniserve/test-tools}
python=$tools/bin/python

if [ "${1:-}" != --path ] && ! cmp -s "$requirements" "$tools/installed.txt"; then
  rm -rf "$tools"
  python3 -m venv "$tools" >&2 || {
    echo "test-tools: python3 cannot make a virtual environment; install python3 with venv (Debian: python3-venv)" >&2
    exit 1
  }
  "$python" -m pip install --quiet --disable-pip-version-check --requirement "$requirements" >&2
  cp "$requirements" "$tools/installed.txt"
fi
echo "$python"
