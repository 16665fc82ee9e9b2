/** A durable store in a directory. */
package io.uniserve.runtime.store.directory;
