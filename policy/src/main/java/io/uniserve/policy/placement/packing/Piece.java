package io.uniserve.policy.placement.packing;

/**
 * A part of an actor's load that waits for a server.
 *
 * @param actor whose
 * @param share of its reads
 * @param load share times the actor's load
 * @param rank decides among equal loads
 */
public record Piece(int actor, double share, double load, long rank) {}
