package io.uniserve.policy.placement.packing;

/**
 * A part of an actor's load that waits for a server.
 *
 * @param actor the actor
 * @param share the share of its reads
 * @param load the share times the actor's load
 * @param rank decides among equal loads
 */
public record Piece(int actor, double share, double load, long rank) {}
