/** The state of the cluster as it is pushed to servers and clients. */
package io.uniserve.runtime.wire.subscription;
