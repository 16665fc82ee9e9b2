package io.uniserve.runtime.wire;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * By what an update is known that comes again. Actors know it for {@link #LIFETIME} at least after
 * they have applied the update, by the time of their log.
 *
 * @param name a hash of what its maker calls it, or 128 random bits
 * @param bornMillis when a client made it, in milliseconds since 1970; 0 if a caller did, who does
 *     not say when
 * @param body a hash of all of the update as its caller sent it; {@link Hash#NONE} if a client made
 *     the key, which it uses for nothing else
 */
public record UpdateKey(Hash name, long bornMillis, Hash body) {
  /** How long a key is known. */
  public static final Duration LIFETIME = Duration.ofHours(1);

  /** A caller's key, of an update whose body nobody compares. */
  public static UpdateKey of(String text) {
    return of(text, Hash.NONE);
  }

  /** A caller's key. */
  public static UpdateKey of(String text, Hash body) {
    return new UpdateKey(Hash.of(text), 0, body);
  }

  /** A key that nobody else makes. */
  public static UpdateKey random(RandomGenerator random, Instant now) {
    return new UpdateKey(
        new Hash(random.nextLong(), random.nextLong()), now.toEpochMilli(), Hash.NONE);
  }

  /**
   * Until when it is known that an update with this key was applied.
   *
   * @param appliedMillis when it was
   */
  public long untilMillis(long appliedMillis) {
    return Math.max(appliedMillis, bornMillis) + LIFETIME.toMillis();
  }

  /**
   * Requires that the key is not so old that an actor may have forgotten it.
   *
   * @param millis when an update that the actor does not know is to be applied
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} if it is too old, or of a
   *     time that is far off
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
   * Requires that an update that comes with this key is the one that came before.
   *
   * @param before the hash of that one's body
   * @throws UniserveException with {@link ErrorCode#ALREADY_EXISTS} if it is another
   */
  public void requireSame(Hash before) {
    if (!body.equals(before) && !body.equals(Hash.NONE) && !before.equals(Hash.NONE)) {
      throw new UniserveException(
          ErrorCode.ALREADY_EXISTS,
          "idempotency key: another update was sent with it before; this one is not applied");
    }
  }

  /** The update itself: its key and its body. */
  public String identity() {
    return name + "/" + body;
  }

  /** The name in an {@link #identity}. */
  public static Hash nameIn(String identity) {
    return new Hash(
        Long.parseUnsignedLong(identity, 0, 16, 16), Long.parseUnsignedLong(identity, 16, 32, 16));
  }
}
