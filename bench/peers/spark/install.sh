#!/usr/bin/env bash
# Installs Spark in a virtual environment outside the source tree, for `./uniserve bench tpch`.
# Does nothing when it is there already. Prints the path of the environment's python.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
tools=${UNISERVE_SPARK:-${XDG_CACHE_HOME:-$HOME/.cache}/uniserve/spark}

if ! cmp -s "$here/requirements.txt" "$tools/installed.txt"; then
  rm -rf "$tools"
  python3 -m venv "$tools" >&2 || {
    echo "spark: python3 cannot make a virtual environment; install python3 with venv (Debian: python3-venv)" >&2
    exit 1
  }
  "$tools/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$here/requirements.txt" >&2
  cp "$here/requirements.txt" "$tools/installed.txt"
fi
echo "$tools/bin/python"
