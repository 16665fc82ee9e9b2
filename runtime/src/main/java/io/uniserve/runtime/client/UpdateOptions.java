package io.uniserve.runtime.client;

import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.StreamOffsets;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;

/**
 * The options of one update.
 *
 * @param timeout the time after which it fails with {@link
 *     io.uniserve.api.error.ErrorCode#DEADLINE_EXCEEDED}; parts may then have been applied
 * @param acknowledgement the copies whose application is waited for
 * @param idempotencyKey an update sent twice with one key within {@link
 *     io.uniserve.runtime.wire.entry.UpdateKey#LIFETIME} is applied once, and another one with it
 *     is refused; empty to have one made for this call, and then the failure of an update that may
 *     have been applied is not retryable. At most 100 characters
 * @param body a hash of the update as the key's author sent it, if it is at hand; empty to have one
 *     made of the function and the records
 * @param offsets the records of a stream that the update has, which take the place of a key; empty
 *     if it comes from no stream. An actor that has applied a part of them only refuses the update
 *     with {@link io.uniserve.api.error.ErrorCode#ABORTED}
 */
public record UpdateOptions(
    Duration timeout,
    Acknowledgement acknowledgement,
    Optional<String> idempotencyKey,
    Optional<Hash> body,
    Optional<StreamOffsets> offsets) {
  /** The default: thirty seconds, the primary's acknowledgement, and a key made for the call. */
  public static final UpdateOptions DEFAULT =
      new UpdateOptions(Duration.ofSeconds(30), Acknowledgement.PRIMARY, Optional.empty());

  /** The same options, but waiting for all copies. */
  public static final UpdateOptions ALL_COPIES =
      new UpdateOptions(Duration.ofSeconds(30), Acknowledgement.ALL_COPIES, Optional.empty());

  /** Creates options of an update whose hash is made of its function and its records. */
  public UpdateOptions(
      Duration timeout, Acknowledgement acknowledgement, Optional<String> idempotencyKey) {
    this(timeout, acknowledgement, idempotencyKey, Optional.empty(), Optional.empty());
  }

  /** Creates options of an update with records of a stream, which all copies are to have. */
  public static UpdateOptions ofStream(Duration timeout, StreamOffsets offsets) {
    return new UpdateOptions(
        timeout,
        Acknowledgement.ALL_COPIES,
        Optional.empty(),
        Optional.empty(),
        Optional.of(offsets));
  }

  /** Returns the same options of an update that was sent as some bytes. */
  public UpdateOptions sentAs(byte[] sent) {
    return idempotencyKey.isEmpty()
        ? this
        : new UpdateOptions(
            timeout,
            acknowledgement,
            idempotencyKey,
            Optional.of(Hash.of(ByteBuffer.wrap(sent))),
            offsets);
  }

  /** The copies whose application of an eventual update is waited for. */
  public enum Acknowledgement {
    /** The primary only. */
    PRIMARY,
    /**
     * Every readable copy: no election loses the update, and a later read sees it. In an eventual
     * table, a server that does not know yet that the cluster has given it up may answer without
     * the update.
     */
    ALL_COPIES
  }
}
