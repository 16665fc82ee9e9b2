/**
 * Backups of actors in a durable store: checkpoints, log objects, histories and who may write them.
 */
package io.uniserve.runtime.store.backup;
