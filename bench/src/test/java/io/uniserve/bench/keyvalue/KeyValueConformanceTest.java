package io.uniserve.bench.keyvalue;

import io.uniserve.api.Durability;
import io.uniserve.api.Engine;
import io.uniserve.api.Operator;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.testkit.EngineConformance;
import io.uniserve.testkit.engine.Question;
import io.uniserve.testkit.local.Batch;
import java.util.List;
import java.util.Map;

class KeyValueConformanceTest extends EngineConformance<KeyValueActor> {
  @Override
  public Engine<KeyValueActor> engine() {
    return new KeyValueEngine();
  }

  @Override
  public TableDefinition table() {
    return new TableDefinition(
        "entries", KeyValueEngine.NAME, new Partitioner.Hash(1), 1, Durability.NONE, Map.of());
  }

  @Override
  public List<Batch> batches() {
    return List.of(
        Batch.of(new Put(), List.of(new Entry("a", "1"), new Entry("b", "2"))),
        Batch.of(new Put(), List.of(new Entry("a", "3"), new Entry("a", "4"))));
  }

  @Override
  public List<Question<?>> questions() {
    return List.of(
        Question.of(
            "how many puts",
            Plan.query("entries", new CountPuts(), Operator.Combine.fold(0L, Long::sum)),
            0L,
            4L));
  }
}
