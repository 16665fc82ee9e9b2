package io.uniserve.api;

import java.nio.file.Path;

/**
 * The table, number and directory of an actor, which the runtime hands to an engine.
 *
 * @param table the table's definition
 * @param actor the actor's number within the table, from 0
 * @param directory a directory that belongs to this actor alone until it is closed; empty for a new
 *     actor
 */
public record ActorContext(TableDefinition table, int actor, Path directory) {}
