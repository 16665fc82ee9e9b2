package io.uniserve.testkit.local;

import io.uniserve.api.Actor;
import io.uniserve.api.Answer;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionedRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** Batches that are prepared on their actors, and end as one. */
public final class LocalTransaction {
  private record Part(UpdateFunction.Serializable<Actor, PartitionedRecord> update, Actor actor) {}

  private final List<Part> parts = new ArrayList<>();
  private List<Object> answers = List.of();

  /** Prepares the part of an actor; returns its answer. */
  @SuppressWarnings("unchecked")
  Answer prepare(UpdateFunction<?, ?> update, Actor actor, List<PartitionedRecord> records) {
    var function = (UpdateFunction.Serializable<Actor, PartitionedRecord>) update;
    if (!function.prepare(actor, records)) {
      throw UniserveException.invalid(update + " votes for abort");
    }
    parts.add(new Part(function, actor));
    return function.answer(actor);
  }

  void answers(List<Object> values) {
    answers = values;
  }

  /** Returns what the update's function answered. */
  public List<Object> answers() {
    return answers;
  }

  public void commit() {
    end(UpdateFunction.Serializable::commit);
  }

  public void abort() {
    end(UpdateFunction.Serializable::abort);
  }

  private void end(
      BiConsumer<UpdateFunction.Serializable<Actor, PartitionedRecord>, Actor> ending) {
    for (Actor actor : parts.stream().map(Part::actor).distinct().toList()) {
      parts.reversed().stream()
          .filter(part -> part.actor() == actor)
          .findFirst()
          .ifPresent(last -> ending.accept(last.update(), actor));
    }
  }
}
