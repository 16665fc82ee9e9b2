package io.uniserve.runtime.server.replica;

import io.uniserve.runtime.wire.OrderedMessage.Result;

/** The outcome of a delivery. */
public sealed interface Received {
  /**
   * The actor has received the update, now or before.
   *
   * @param result its result
   */
  record Got(Result result) implements Received {}

  /**
   * The actor lacks an earlier update.
   *
   * @param last the number of the newest update that it has received
   */
  record Behind(long last) implements Received {}
}
