/** The front door of a cluster for callers in Java. */
package io.uniserve.runtime.client.cluster;
