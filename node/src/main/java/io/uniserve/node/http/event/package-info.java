/** Events of the cluster, as a log and as a stream. */
package io.uniserve.node.http.event;
