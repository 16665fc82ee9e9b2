package io.uniserve.examples;

import io.uniserve.api.Durability;
import io.uniserve.api.Engine;
import io.uniserve.api.Operator;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.examples.WordCounter.AddLines;
import io.uniserve.examples.WordCounter.CountWord;
import io.uniserve.examples.WordCounter.Line;
import io.uniserve.testkit.EngineConformance;
import io.uniserve.testkit.engine.Question;
import io.uniserve.testkit.local.Batch;
import java.util.List;
import java.util.Map;

class WordCounterConformanceTest extends EngineConformance<WordCounter.Text> {
  @Override
  public Engine<WordCounter.Text> engine() {
    return new WordCounter();
  }

  @Override
  public TableDefinition table() {
    return new TableDefinition(
        "lines", "words", new Partitioner.Hash(1), 1, Durability.NONE, Map.of());
  }

  @Override
  public List<Batch> batches() {
    return List.of(
        Batch.of(new AddLines(), List.of(line(1, "To be, or not to be"), line(2, "that is"))),
        Batch.of(new AddLines(), List.of(line(3, "the question:"), line(4, ""))),
        Batch.of(new AddLines(), List.of(line(5, "whether ’tis nobler"), line(6, "to suffer"))));
  }

  @Override
  public List<Question<?>> questions() {
    return List.of(
        Question.of("how many 'to'", count("to"), 0L, 3L),
        Question.of("how many 'question'", count("question"), 0L, 1L),
        Question.of("how many 'tis'", count("tis"), 0L, 1L),
        Question.of("how many 'outrageous'", count("outrageous"), 0L, 0L));
  }

  private static Line line(long number, String text) {
    return new Line(PartitionKey.of(number), text);
  }

  private static Plan<Long> count(String word) {
    return Plan.query("lines", new CountWord(word), Operator.Combine.fold(0L, Long::sum));
  }
}
