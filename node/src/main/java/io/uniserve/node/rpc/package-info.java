/** Protocols over gRPC: one port for all, with the identities of HTTP. */
package io.uniserve.node.rpc;
