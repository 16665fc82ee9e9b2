/**
 * The surroundings of a call: what the client knows of the cluster, of its servers' load and of
 * versions that it has seen.
 */
package io.uniserve.runtime.client.context;
