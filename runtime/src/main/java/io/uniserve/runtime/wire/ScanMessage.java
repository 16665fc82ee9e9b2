package io.uniserve.runtime.wire;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.form.Name;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.entry.Payload;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * The messages of scans (PNUTS §4). A client asks a server for a slot, and reads one page with the
 * slot that it is offered. A server keeps nothing of a scan beyond its open calls, so when they
 * end, for whatever reason, everything of the scan is gone.
 */
public sealed interface ScanMessage extends Message {
  /**
   * The urgency of a scan at the moment of a message. Times are spans, so that they can travel.
   *
   * @param scan the scan's name, a random number
   * @param ageSeconds the time since it began
   * @param idleSeconds the time for which it has held no slot anywhere; 0 while it holds one
   * @param ungrantedSeconds the time since it was last granted a slot
   * @param priority P(q), above 0; less is more urgent
   */
  record Urgency(
      long scan, double ageSeconds, double idleSeconds, double ungrantedSeconds, double priority) {}

  /**
   * A request for one slot. Answered by {@link Offered}; the call then stays open until the slot is
   * used. A client declines by cancelling the call.
   *
   * @param urgency the scan's
   */
  @Name("AskSlot")
  record AskSlot(Urgency urgency) implements ScanMessage {}

  /**
   * An offer of a slot, which is taken back after a second.
   *
   * @param grant the number by which a page is read with it
   * @param slots the number of the server's slots
   * @param idleSeconds the idle time on whose strength it was granted
   */
  @Name("Offered")
  record Offered(long grant, int slots, double idleSeconds) implements ScanMessage {}

  /**
   * A request for a page, with a slot. Answered by {@link Page} or {@link Unread}, after which the
   * slot is free. If the next slot is asked for, the call stays open and {@link Offered} follows.
   *
   * @param grant the slot's offer
   * @param table the table's identity
   * @param actor the actor's number
   * @param generation the generation of its keys; an actor of another generation does not answer
   * @param only the sets of keys whose common keys are given; none for all keys
   * @param operator the scan operator
   * @param place the place where the page begins; empty for the actor's beginning
   * @param bytesMax the size of the page
   * @param version the version that is read; empty to read the newest data
   * @param next the urgency with which the next slot is asked for, if any
   */
  @Name("ReadPage")
  record ReadPage(
      long grant,
      long table,
      int actor,
      int generation,
      List<FormerKeys> only,
      Payload operator,
      Optional<ByteBuffer> place,
      int bytesMax,
      Optional<Long> version,
      Optional<Urgency> next)
      implements ScanMessage {}

  /**
   * The keys that an actor had at an earlier time.
   *
   * @param changes the number of splits and merges of the table up to then
   * @param actor the actor's number
   */
  record FormerKeys(int changes, int actor) {}

  /**
   * A page.
   *
   * @param blocks its records, in the engine's form
   * @param records their number
   * @param next the place where the next page begins; empty if the actor has been read
   * @param read the number of records that were looked at
   * @param total an estimate of the actor's records
   */
  @Name("ScannedPage")
  record Page(
      List<ByteBuffer> blocks, long records, Optional<ByteBuffer> next, long read, long total)
      implements ScanMessage {}

  /**
   * The failure to read a page.
   *
   * @param code the code of the failure
   * @param message the failure
   */
  @Name("UnreadPage")
  record Unread(ErrorCode code, String message) implements ScanMessage {}

  /**
   * A request to keep a version of some actors for as long as the call is open, up to a greatest
   * time. Answered by {@link Held} once.
   *
   * @param scan the scan's name
   * @param table the table's identity
   * @param version the version
   * @param actors the actors' numbers
   * @param generations the generations of their keys, in the same order
   */
  @Name("HoldVersion")
  record HoldVersion(
      long scan, long table, long version, List<Integer> actors, List<Integer> generations)
      implements ScanMessage {}

  /**
   * The answer that versions are kept.
   *
   * @param actors the numbers of those actors whose version is kept
   */
  @Name("HeldVersion")
  record Held(List<Integer> actors) implements ScanMessage {}
}
