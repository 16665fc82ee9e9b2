package io.uniserve.runtime.wire.entry;

import io.uniserve.api.codec.Since;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The idempotency key of an update, by which a repeated update is recognised. Actors remember it
 * for {@link #LIFETIME} at least after they have applied the update, by the time of their log.
 *
 * @param name a hash of the caller's name for it, or 128 random bits
 * @param bornMillis the time at which a client made it, in milliseconds since 1970; 0 if it is a
 *     caller's, who does not say when
 * @param body a hash of the whole update as its caller sent it; {@link Hash#NONE} if a client made
 *     the key, which it uses for nothing else
 * @param offsets the records of a stream that the update has; empty if it comes from no stream
 */
public record UpdateKey(
    Hash name, long bornMillis, Hash body, @Since(2) Optional<StreamOffsets> offsets) {
  /** The time for which a key is known. */
  public static final Duration LIFETIME = Duration.ofHours(1);

  /** Creates the key of an update that comes from no stream. */
  public UpdateKey(Hash name, long bornMillis, Hash body) {
    this(name, bornMillis, body, Optional.empty());
  }

  /** Creates the key of an update with records of a stream; whoever sends them makes the same. */
  public static UpdateKey of(StreamOffsets offsets) {
    return new UpdateKey(offsets.name(), 0, Hash.NONE, Optional.of(offsets));
  }

  /** Creates a caller's key, of an update whose body is not compared. */
  public static UpdateKey of(String text) {
    return of(text, Hash.NONE);
  }

  /** Creates a caller's key. */
  public static UpdateKey of(String text, Hash body) {
    return new UpdateKey(Hash.of(text), 0, body);
  }

  /** Creates a key that nobody else makes. */
  public static UpdateKey random(RandomGenerator random, Instant now) {
    return new UpdateKey(
        new Hash(random.nextLong(), random.nextLong()), now.toEpochMilli(), Hash.NONE);
  }

  /**
   * Returns the time until which an update with this key is known to have been applied.
   *
   * @param appliedMillis the time at which it was applied
   */
  public long untilMillis(long appliedMillis) {
    return Math.max(appliedMillis, bornMillis) + LIFETIME.toMillis();
  }

  /**
   * Requires that the key is not so old that an actor may have forgotten it.
   *
   * @param millis the time at which an update whose key the actor does not know is to be applied
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} if it is too old, or from the
   *     far future
   */
  public void requireLiving(long millis) {
    if (bornMillis == 0) {
      return;
    }
    if (millis - bornMillis > LIFETIME.toMillis()) {
      throw UniserveException.invalid(
          "idempotency key: it was made at "
              + Instant.ofEpochMilli(bornMillis)
              + ", more than "
              + LIFETIME.toMinutes()
              + " minutes before "
              + Instant.ofEpochMilli(millis)
              + ", and may be forgotten: the update is not applied");
    }
    if (bornMillis - millis > LIFETIME.toMillis()) {
      throw UniserveException.invalid(
          "idempotency key: it was made at "
              + Instant.ofEpochMilli(bornMillis)
              + ", long after "
              + Instant.ofEpochMilli(millis)
              + ", when the update is to be applied: a clock is wrong");
    }
  }

  /**
   * Requires that an update with this key is the one that was applied before.
   *
   * @param before the hash of that update's body
   * @throws UniserveException with {@link ErrorCode#ALREADY_EXISTS} if it is another
   */
  public void requireSame(Hash before) {
    if (!body.equals(before) && !body.equals(Hash.NONE) && !before.equals(Hash.NONE)) {
      throw new UniserveException(
          ErrorCode.ALREADY_EXISTS,
          "idempotency key: another update was sent with it before; this one is not applied");
    }
  }

  /**
   * Returns a hash that updates have in common of which the later is looked at only once the
   * earlier is applied: that of the stream's partition, or else the name.
   */
  public Hash turn() {
    return offsets.map(StreamOffsets::partition).orElse(name);
  }

  /** Returns the identity of the update itself: its key and its body. */
  public String identity() {
    return name + "/" + body;
  }

  /** Returns the name in an {@link #identity}. */
  public static Hash nameIn(String identity) {
    return new Hash(
        Long.parseUnsignedLong(identity, 0, 16, 16), Long.parseUnsignedLong(identity, 16, 32, 16));
  }
}
