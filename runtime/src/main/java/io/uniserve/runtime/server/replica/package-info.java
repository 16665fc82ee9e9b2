/** One copy of an actor: its log, checkpoints, engine and role. */
package io.uniserve.runtime.server.replica;
