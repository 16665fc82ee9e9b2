/**
 * Checkpoints of a copy on its server's disk: their files, checksums and the runtime's own data.
 */
package io.uniserve.runtime.server.checkpoint;
