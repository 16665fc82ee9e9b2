/** The choice of a durable store by its address. */
package io.uniserve.runtime.store.location;
