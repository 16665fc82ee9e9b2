/** Backups of a copy into the durable store. */
package io.uniserve.runtime.server.backup;
