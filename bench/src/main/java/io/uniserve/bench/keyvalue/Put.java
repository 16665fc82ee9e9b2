package io.uniserve.bench.keyvalue;

import io.uniserve.api.Answer;
import io.uniserve.api.UpdateFunction;
import java.util.List;

/** The update function that puts entries, in one transaction of SQLite. */
public record Put()
    implements UpdateFunction.Eventual<KeyValueActor, Entry>,
        UpdateFunction.Serializable<KeyValueActor, Entry>,
        UpdateFunction.Ordered<KeyValueActor, Entry> {
  @Override
  public Answer update(KeyValueActor actor, List<Entry> entries) {
    actor.put(entries);
    actor.commit();
    return Answer.NONE;
  }

  @Override
  public boolean prepare(KeyValueActor actor, List<Entry> entries) {
    actor.put(entries);
    return true;
  }

  @Override
  public void commit(KeyValueActor actor) {
    actor.commit();
  }

  @Override
  public void abort(KeyValueActor actor) {
    actor.abort();
  }
}
