package io.uniserve.runtime.wire;

import io.uniserve.api.ActorId;
import io.uniserve.api.codec.Since;
import io.uniserve.api.form.Name;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.entry.GivenAnswer;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.util.List;

/** The messages of eventual updates (DPA §4.2). */
public sealed interface UpdateMessage extends Message {

  /**
   * A request to the primary of an actor to apply an update. Answered by {@link Updated}.
   *
   * @param actor the actor
   * @param generation the generation of its keys; an actor of another generation applies none of
   *     the records
   * @param key the idempotency key
   * @param function the update function
   * @param records a list of records, possibly empty
   * @param allCopies true to answer only after all readable copies have applied it
   */
  @Name("Update")
  record Update(
      ActorId actor,
      int generation,
      UpdateKey key,
      Payload function,
      Payload records,
      boolean allCopies)
      implements UpdateMessage {
    /** Creates a request for an actor that was never split. */
    public Update(
        ActorId actor, UpdateKey key, Payload function, Payload records, boolean allCopies) {
      this(actor, 0, key, function, records, allCopies);
    }
  }

  /**
   * The answer that the update is applied, now or earlier under the same key.
   *
   * @param position its place in the actor's log
   * @param answers the answers of its function, to these records or, if the actor was split or
   *     merged since, to more
   */
  @Name("Updated")
  record Updated(Position position, @Since(2) List<GivenAnswer> answers) implements UpdateMessage {}
}
