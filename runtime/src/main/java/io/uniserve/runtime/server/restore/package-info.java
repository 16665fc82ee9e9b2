/** The load of a copy from the durable store, up to a moment. */
package io.uniserve.runtime.server.restore;
