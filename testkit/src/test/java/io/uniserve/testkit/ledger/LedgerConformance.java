package io.uniserve.testkit.ledger;

import io.uniserve.api.Durability;
import io.uniserve.api.Engine;
import io.uniserve.api.Operator;
import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.testkit.EngineConformance;
import io.uniserve.testkit.engine.Question;
import io.uniserve.testkit.ledger.LedgerEngine.Accounts;
import io.uniserve.testkit.ledger.LedgerEngine.Add;
import io.uniserve.testkit.ledger.LedgerEngine.Entry;
import io.uniserve.testkit.local.Batch;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The conformance test of the ledger. Its name keeps it from being found; {@link
 * EngineConformanceTest} runs it.
 */
class LedgerConformance extends EngineConformance<LedgerActor> {
  /** The present defect of the ledger. */
  static volatile Defect defect = Defect.NONE;

  @Override
  public Engine<LedgerActor> engine() {
    return new LedgerEngine(defect);
  }

  @Override
  public TableDefinition table() {
    return new TableDefinition(
        "accounts", "ledger", new Partitioner.Hash(1), 1, Durability.NONE, Map.of());
  }

  @Override
  public List<Batch> batches() {
    return List.of(
        Batch.of(new Add(), List.of(new Entry("cash", 10), new Entry("bank", 100))),
        Batch.of(new Add(), List.of(new Entry("cash", 5), new Entry("stock", 30))),
        Batch.of(new Add(), List.of(new Entry("bank", 1), new Entry("stock", 1))));
  }

  @Override
  public List<Question<?>> questions() {
    return List.of(
        Question.of(
            "the sum of every account",
            sums(),
            new TreeMap<>(),
            new TreeMap<>(Map.of("cash", 15L, "bank", 101L, "stock", 31L))),
        Question.comparing(
            "the sum of every account, after a sub-query", sums().then(s -> sums())));
  }

  @Override
  public List<Question<?>> exchanges() {
    return List.of(
        Question.of(
            "the sums, sent to their accounts",
            exchanged(Optional.empty()),
            new TreeMap<>(),
            new TreeMap<>(Map.of("cash", 15L, "bank", 101L, "stock", 31L))),
        Question.of(
            "the sums, sent to where they are",
            exchanged(Optional.of(Source.table("accounts"))),
            new TreeMap<>(),
            new TreeMap<>(Map.of("cash", 30L, "bank", 202L, "stock", 62L))));
  }

  @Override
  public Optional<Operator.Map<LedgerActor, LedgerActor>> copying() {
    return Optional.of(new Exchanges.Twin(defect == Defect.KEEPS_NOTHING));
  }

  private static Plan<SortedMap<String, Long>> exchanged(Optional<Source.Table> anchor) {
    Source pages = new Source.Mapped(Source.table("accounts"), new Exchanges.Copy());
    Source totals =
        new Source.Gathered(
            List.of(new Source.Scattered(pages, new Exchanges.ToAccounts())),
            anchor,
            new Exchanges.Total(
                defect == Defect.KEEPS_BUFFERS_OF_CHUNKS, defect == Defect.CHANGES_THE_ANCHOR));
    return new Plan.Query<Entry, SortedMap<String, Long>>(
        totals, new Exchanges.ReadPage(), LedgerConformance::adding);
  }

  private static Plan<SortedMap<String, Long>> sums() {
    return Plan.<Entry, SortedMap<String, Long>>query(
        "accounts", new Accounts(), LedgerConformance::adding);
  }

  private static Operator.Combiner<Entry, SortedMap<String, Long>> adding() {
    SortedMap<String, Long> sums = new TreeMap<>();
    return new Operator.Combiner<>() {
      @Override
      public void add(int actor, Entry value) {
        sums.merge(value.account(), value.amount(), Long::sum);
      }

      @Override
      public SortedMap<String, Long> result() {
        return sums;
      }
    };
  }

  @Override
  public Optional<Batch> refused() {
    return Optional.of(Batch.of(new Add(), List.of(new Entry("cash", 7), new Entry("bank", -1))));
  }

  @Override
  public boolean batchesAppearAtOnce() {
    return true;
  }
}
