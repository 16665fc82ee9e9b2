//go:build tools

// Package etcd names the programs that install.sh builds.
package etcd

import (
	_ "go.etcd.io/etcd/server/v3"
	_ "go.etcd.io/etcd/v3/tools/benchmark"
)
