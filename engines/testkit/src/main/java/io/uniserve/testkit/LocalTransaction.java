package io.uniserve.testkit;

import io.uniserve.api.Actor;
import io.uniserve.api.PartitionedRecord;
import io.uniserve.api.UniserveException;
import io.uniserve.api.UpdateFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** A batch that is prepared on some actors. */
final class LocalTransaction {
  private record Part(UpdateFunction.Serializable<Actor, PartitionedRecord> update, Actor actor) {}

  private final List<Part> parts = new ArrayList<>();

  @SuppressWarnings("unchecked")
  void prepare(UpdateFunction<?, ?> update, Actor actor, List<PartitionedRecord> records) {
    var function = (UpdateFunction.Serializable<Actor, PartitionedRecord>) update;
    if (!function.prepare(actor, records)) {
      throw UniserveException.invalid(update + " votes for abort");
    }
    parts.add(new Part(function, actor));
  }

  void commit() {
    end(UpdateFunction.Serializable::commit);
  }

  void abort() {
    end(UpdateFunction.Serializable::abort);
  }

  private void end(
      BiConsumer<UpdateFunction.Serializable<Actor, PartitionedRecord>, Actor> ending) {
    parts.forEach(part -> ending.accept(part.update(), part.actor()));
  }
}
