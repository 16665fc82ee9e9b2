package io.uniserve.simulation.scenario.cluster;

import io.uniserve.api.ActorId;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.UpdateMessage.Update;
import io.uniserve.runtime.wire.UpdateMessage.Updated;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.entry.GivenAnswer;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.network.Interception;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** An interception that has an update which is sent again answered with something else. */
final class AnswersAnew implements Interception {
  private static final long OTHER = -1;

  private final Engines engines = new Engines(List.of(new ModelEngine()));
  private final Set<Map.Entry<ActorId, String>> answered = new LinkedHashSet<>();

  @Override
  public Message reply(String from, String to, Message request, Message reply) {
    boolean again =
        request instanceof Update update
            && reply instanceof Updated
            && !answered.add(Map.entry(update.actor(), update.key().identity()));
    return again && reply instanceof Updated updated
        ? new Updated(updated.position(), updated.answers().stream().map(this::other).toList())
        : reply;
  }

  private GivenAnswer other(GivenAnswer answer) {
    ByteBuffer view =
        Payload.of(ModelEngine.NAME, Collections.nCopies(answer.keys().size(), OTHER))
            .bytes(engines);
    byte[] value = new byte[view.remaining()];
    view.get(value);
    return new GivenAnswer(answer.actor(), answer.position(), answer.keys(), value);
  }
}
