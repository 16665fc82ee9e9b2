package io.uniserve.testkit;

import io.uniserve.api.Actor;
import io.uniserve.testkit.checks.AnswerChecks;
import io.uniserve.testkit.checks.ConcurrencyChecks;
import io.uniserve.testkit.checks.ExchangeChecks;
import io.uniserve.testkit.checks.FailingDiskChecks;
import io.uniserve.testkit.checks.KeepChecks;
import io.uniserve.testkit.checks.LifetimeChecks;
import io.uniserve.testkit.checks.OrderChecks;
import io.uniserve.testkit.checks.PartitionChecks;
import io.uniserve.testkit.checks.RefusalChecks;
import io.uniserve.testkit.checks.ReplayChecks;
import io.uniserve.testkit.checks.ScanChecks;
import io.uniserve.testkit.checks.SerializeChecks;
import io.uniserve.testkit.checks.SplitChecks;
import io.uniserve.testkit.checks.TogetherChecks;
import io.uniserve.testkit.checks.TransactionChecks;
import io.uniserve.testkit.checks.UpdateAnswerChecks;
import io.uniserve.testkit.checks.WireChecks;
import io.uniserve.testkit.engine.EngineUnderTest;
import org.junit.jupiter.api.Timeout;

/**
 * The requirements of the runtime on every engine, as JUnit tests. An author extends this class in
 * the engine's own tests and supplies the methods of {@link EngineUnderTest}: the engine, a table,
 * a few batches of records, and queries with known answers.
 *
 * {@snippet :
 * class WordsConformanceTest extends EngineConformance<WordsActor> {
 *   public Engine<WordsActor> engine() {
 *     return new WordsEngine();
 *   }
 *
 *   public TableDefinition table() {
 *     return new TableDefinition(
 *         "words", "words", new Partitioner.Hash(1), 1, Durability.NONE, Map.of());
 *   }
 *
 *   public List<Batch> batches() {
 *     return List.of(Batch.of(new AddLines(), List.of(new Line(1, "to be or not to be"))));
 *   }
 *
 *   public List<Question<?>> questions() {
 *     return List.of(Question.of("how many 'be'", WordsEngine.count("words", "be"), 0L, 2L));
 *   }
 * }
 * }
 *
 * <p>No cluster is started: actors are created, updated, queried, serialised and closed in this
 * process as the runtime would do it, and everything that would cross the wire is encoded and
 * decoded. A failed check names the clause of the contract of {@link Actor} or {@link
 * io.uniserve.api.Engine} that the engine does not keep.
 *
 * @param <A> the engine's actors
 */
@Timeout(120)
public abstract class EngineConformance<A extends Actor>
    implements AnswerChecks<A>,
        SerializeChecks<A>,
        ReplayChecks<A>,
        RefusalChecks<A>,
        UpdateAnswerChecks<A>,
        TogetherChecks<A>,
        FailingDiskChecks<A>,
        WireChecks<A>,
        LifetimeChecks<A>,
        ConcurrencyChecks<A>,
        PartitionChecks<A>,
        SplitChecks<A>,
        TransactionChecks<A>,
        OrderChecks<A>,
        ExchangeChecks<A>,
        KeepChecks<A>,
        ScanChecks<A> {}
