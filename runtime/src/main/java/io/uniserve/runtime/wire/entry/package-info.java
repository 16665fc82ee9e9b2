/** Entries of an actor's log: updates with their place, key and payload. */
package io.uniserve.runtime.wire.entry;
