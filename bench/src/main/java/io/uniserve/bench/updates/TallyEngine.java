package io.uniserve.bench.updates;

import io.uniserve.api.ActorContext;
import io.uniserve.api.Engine;
import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.PartitionedRecord;
import java.io.IOException;
import java.util.List;

/** An engine that adds numbers, at every consistency level. Its own cost is next to nothing. */
public final class TallyEngine implements Engine<TallyActor> {
  static final String NAME = "tally";

  /** A number for the actor that has the key. */
  record Amount(PartitionKey partitionKey, long number) implements PartitionedRecord {}

  /** The update function that adds numbers. */
  record Add()
      implements UpdateFunction.Eventual<TallyActor, Amount>,
          UpdateFunction.Serializable<TallyActor, Amount>,
          UpdateFunction.Ordered<TallyActor, Amount> {
    @Override
    public void update(TallyActor actor, List<Amount> amounts) {
      prepare(actor, amounts);
      commit(actor);
    }

    @Override
    public boolean prepare(TallyActor actor, List<Amount> amounts) {
      actor.prepare(amounts.stream().mapToLong(Amount::number).sum());
      return true;
    }

    @Override
    public void commit(TallyActor actor) {
      actor.commit();
    }

    @Override
    public void abort(TallyActor actor) {
      actor.abort();
    }
  }

  /** The operator that reads the tally of an actor. */
  record Read() implements Operator.Retrieve<TallyActor, Long> {
    @Override
    public void retrieve(TallyActor actor, Output<Long> tallies, OperatorContext context) {
      tallies.put(actor.tally());
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public TallyActor create(ActorContext context) {
    return new TallyActor(0);
  }

  @Override
  public TallyActor deserialize(ActorContext context) throws IOException {
    return TallyActor.read(context.directory());
  }

  @Override
  public boolean takesSnapshots() {
    return true;
  }

  @Override
  public List<Class<? extends Record>> types() {
    return List.of(Amount.class, Add.class, Read.class);
  }
}
