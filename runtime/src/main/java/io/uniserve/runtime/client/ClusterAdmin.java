package io.uniserve.runtime.client;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.runtime.wire.OrderedMessage.OrderReport;
import io.uniserve.runtime.wire.PlacementMessage.PlacementDecided;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ScalingSettings;
import io.uniserve.runtime.wire.ring.RingChange;
import io.uniserve.runtime.wire.stream.StreamDefinition;
import java.time.Duration;
import java.util.Optional;

/**
 * The administration of a cluster: where copies are, how many servers there are, and who controls.
 */
public interface ClusterAdmin {
  /**
   * Requests the move of a copy from one server to another, and returns once that is recorded;
   * cluster state tells its progress.
   *
   * @throws UniserveException if it is impossible: with {@link ErrorCode#NOT_FOUND} for an actor or
   *     server that does not exist, {@link ErrorCode#ALREADY_EXISTS} for an actor that is being
   *     moved, {@link ErrorCode#INVALID_ARGUMENT} for servers between which it cannot be moved
   */
  ClusterState move(String table, int actor, String from, String to, Duration timeout);

  /**
   * Cancels the move of an actor, whose copy stays where it was.
   *
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND} if it is not being moved; {@link
   *     ErrorCode#INVALID_ARGUMENT} if it is too late
   */
  ClusterState cancelMove(String table, int actor, Duration timeout);

  /**
   * Drops an ordered update on which an actor's engine fails, so that the actor can go on: actors
   * that have not applied the update refuse it. Others may have applied it.
   *
   * @param number the place of the update in its table's order
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} if no actor stalls on it
   */
  ClusterState dropUpdate(String table, long number, Duration timeout);

  /**
   * Returns how far the order of a table's updates is, what waits, and for which actors most.
   *
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} if the table has no ordered
   *     updates
   */
  OrderReport order(String table, Duration timeout);

  /**
   * Moves all copies of a server away, and gives it no others until that is ended.
   *
   * @param draining false to use the server again
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} if the other servers cannot
   *     hold its copies
   */
  ClusterState drain(String server, boolean draining, Duration timeout);

  /**
   * Lets a placement policy decide where actors should be (DPA §4.4), with the load that the
   * coordinator knows.
   *
   * @param policy its name; the cluster's if absent
   * @param apply true if the decision is to be carried out; moves and copies then follow, some at a
   *     time
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND} for a policy that the cluster does
   *     not have; {@link ErrorCode#INVALID_ARGUMENT} if placement is paused and {@code apply} is
   *     true; the policy's reason if no assignment holds all constraints
   */
  PlacementDecided decidePlacement(Optional<String> policy, boolean apply, Duration timeout);

  /** Pauses or resumes placement policies. */
  ClusterState pausePlacement(boolean paused, Duration timeout);

  /**
   * Pins an actor to a server, where policies then keep a copy and nobody removes it; or unpins it.
   *
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND} for an actor or server that does not
   *     exist
   */
  ClusterState pin(String table, int actor, String server, boolean pinned, Duration timeout);

  /**
   * Splits an actor into two, while updates and queries go on; returns once it is done.
   *
   * @param at the first key that goes to the new actor, in a table partitioned by range; empty for
   *     about the middle of the records
   * @throws UniserveException with {@link ErrorCode#UNSUPPORTED} if the table cannot have its
   *     actors split; {@link ErrorCode#ABORTED} if the split was given up
   */
  ClusterState split(String table, int actor, Optional<PartitionKey> at, Duration timeout);

  /**
   * Merges an actor with another, while updates and queries go on; returns once it is done. The new
   * actor has the number after the last.
   *
   * @param with the other; empty for the last of those that it can be merged with: their keys
   *     together are one range, or one class of hashes that a split may have divided
   * @throws UniserveException with {@link ErrorCode#UNSUPPORTED} if the table cannot have its
   *     actors merged; {@link ErrorCode#ABORTED} if the merge was given up
   */
  ClusterState merge(String table, int actor, Optional<Integer> with, Duration timeout);

  /**
   * Begins to read a topic into a table. Each record is stored once, whatever fails meanwhile.
   *
   * @throws UniserveException with {@link ErrorCode#ALREADY_EXISTS} if there is a stream of the
   *     name; {@link ErrorCode#NOT_FOUND} if there is no such table
   */
  ClusterState createStream(StreamDefinition definition, Duration timeout);

  /**
   * Pauses a stream, or resumes it where it was.
   *
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND} if there is no such stream
   */
  ClusterState pauseStream(String name, boolean paused, Duration timeout);

  /**
   * Drops a stream. What it has stored stays.
   *
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND} if there is no such stream
   */
  ClusterState dropStream(String name, Duration timeout);

  /**
   * Creates a stream, or gives the one of its name another description, with which it goes on where
   * it was. If there is none, or it has ended, or it has stopped, it is read from now on.
   *
   * @param paused true if it is not to be read for now
   * @throws UniserveException with {@link ErrorCode#ALREADY_EXISTS} if the stream of the name reads
   *     another topic, or into another table; {@link ErrorCode#NOT_FOUND} if there is no such table
   */
  ClusterState putStream(StreamDefinition definition, boolean paused, Duration timeout);

  /**
   * Ends a stream. Its progress is kept, so that it can be resumed where it was.
   *
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND} if there is no such stream
   */
  ClusterState endStream(String name, Duration timeout);

  /**
   * Reads a stream from its start again. What it has stored stays, and records that it reads again
   * are stored again.
   *
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND} if there is no such stream
   */
  ClusterState resetStream(String name, Duration timeout);

  /**
   * Submits a change of the ring that a table is placed on (<i>Crescando/RB</i> §6.4). It is made
   * once those submitted before it have ended, each of which may take as long as its copies take to
   * move. Meanwhile updates and queries go on.
   *
   * @param after the number of the last change that the caller knows of, 0 for none; if another was
   *     submitted since, this one is refused. Empty for whatever the last one is
   * @return the number of the change
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} if the configuration that the
   *     last change leaves does not allow this one
   */
  long changeRing(String table, RingChange change, Optional<Long> after, Duration timeout);

  /**
   * Waits for the end of a change of a ring.
   *
   * @throws UniserveException with {@link ErrorCode#ABORTED} if it was not made, for the reason
   *     that the message has; {@link ErrorCode#NOT_FOUND} if nothing is known of it any more
   */
  ClusterState awaitRingChange(String table, long number, Duration timeout);

  /**
   * Sets how the cluster follows its load (DPA §4.5).
   *
   * @throws UniserveException with {@link ErrorCode#UNSUPPORTED} if it cannot start servers, {@link
   *     ErrorCode#INVALID_ARGUMENT} for a policy that is not understood
   */
  ClusterState scale(ScalingSettings settings, Duration timeout);

  /**
   * Returns the controllers of the cluster.
   *
   * @throws UniserveException with {@link ErrorCode#UNSUPPORTED} if this client has no controllers
   */
  ControllerAdmin controllers();
}
