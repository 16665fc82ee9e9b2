#!/usr/bin/env bash
# Builds etcd and its load generator outside the source tree, for `./uniserve bench control-log`.
# Does nothing when they are there already. Prints the directory of the two programs.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
tools=${UNISERVE_ETCD:-${XDG_CACHE_HOME:-$HOME/.cache}/uniserve/etcd}

if ! cmp -s "$here/go.mod" "$tools/go.mod"; then
  command -v go > /dev/null || {
    echo "etcd: there is no program go; install Go 1.24 or later" >&2
    exit 1
  }
  rm -rf "$tools"
  mkdir -p "$tools/source"
  cp "$here/go.mod" "$here/go.sum" "$here/tools.go" "$tools/source"
  (cd "$tools/source" && GOFLAGS=-mod=readonly go build -o "$tools/etcd" go.etcd.io/etcd/server/v3 >&2)
  (cd "$tools/source" && GOFLAGS=-mod=readonly go build -o "$tools/benchmark" go.etcd.io/etcd/v3/tools/benchmark >&2)
  cp "$here/go.mod" "$tools/go.mod"
fi
echo "$tools"
