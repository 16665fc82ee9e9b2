package io.uniserve.runtime.client.retrieve;

import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.wire.entry.Payload;
import java.util.List;
import java.util.function.Supplier;

/** A listener for what calls to servers bring, on many threads. */
interface CallListener {
  /**
   * Takes values of one actor.
   *
   * @param lastOfActor true if the actor brings no more
   */
  void retrieved(ServerCall call, int actor, List<Payload> values, boolean lastOfActor);

  /**
   * Notes that a call brings nothing more of one actor.
   *
   * @param why returns the failure, and costs something
   */
  void failed(ServerCall call, int actor, Supplier<UniserveException> why);

  /** Notes that a call has ended, in whatever way. */
  void ended(ServerCall call);
}
