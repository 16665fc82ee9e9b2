/** The server's part in the cluster: leases, and which peers it reaches. */
package io.uniserve.runtime.server.membership;
