package io.uniserve.simulation.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.ActorContext;
import io.uniserve.api.Answer;
import io.uniserve.api.BatchedUpdate;
import io.uniserve.api.Durability;
import io.uniserve.api.Operator;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.InvariantViolation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelEngineTest {
  private static final List<Operation> OPERATIONS =
      List.of(new Operation(1, 10), new Operation(2, 11), new Operation(1, 12));

  @TempDir Path directory;

  private final List<String> seen = new ArrayList<>();
  private final ModelEngine engine =
      new ModelEngine(
          new ModelObserver() {
            @Override
            public void opened(ModelActor actor) {
              seen.add("opened");
            }

            @Override
            public void applied(ModelActor actor, List<Operation> operations) {
              seen.add("applied " + operations.size());
            }

            @Override
            public void closed(ModelActor actor) {
              seen.add("closed");
            }
          });

  private ActorContext context() {
    TableDefinition table =
        new TableDefinition(
            "table", ModelEngine.NAME, new Partitioner.Hash(1), 1, Durability.NONE, Map.of());
    return new ActorContext(table, 0, directory);
  }

  @Test
  void aRebuiltActorHasTheSameJournal() throws IOException {
    ModelActor actor = engine.create(context());
    new AppendOperations().update(actor, OPERATIONS);
    actor.serialize(directory);
    ModelActor rebuilt = engine.deserialize(context());
    assertThat(rebuilt.journal()).isEqualTo(OPERATIONS);
    actor.close();
    assertThat(seen).containsExactly("opened", "applied 3", "opened", "closed");
    assertThatThrownBy(actor::journal).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aRebuiltActorShowsEventualUpdatesOnceItIsRefreshed() throws IOException {
    engine.create(context()).serialize(directory);
    ModelActor rebuilt = engine.deserialize(context());
    new AppendOperations().update(rebuilt, OPERATIONS);
    assertThat(rebuilt.visible()).isEmpty();
    rebuilt.refresh();
    assertThat(rebuilt.visible()).isEqualTo(OPERATIONS);
    new AppendOperations().update(rebuilt, OPERATIONS);
    assertThat(rebuilt.visible()).hasSize(2 * OPERATIONS.size());
  }

  /**
   * The engine takes damaged bytes for data, as many engines do: only the runtime's checksums
   * notice.
   */
  @Test
  void aChangedByteIsTakenForDataAndAnUnfinishedOperationIsRefused() throws IOException {
    ModelActor actor = engine.create(context());
    new AppendOperations().update(actor, OPERATIONS);
    actor.serialize(directory);
    Path file = directory.resolve("journal");
    byte[] bytes = Files.readAllBytes(file);
    bytes[9] ^= 1;
    Files.write(file, bytes);
    assertThat(engine.deserialize(context()).journal())
        .hasSameSizeAs(OPERATIONS)
        .isNotEqualTo(OPERATIONS);
    Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
    assertThatThrownBy(() -> engine.deserialize(context())).isInstanceOf(IOException.class);
  }

  @Test
  void aRefusedUpdateChangesNothing() {
    ModelActor actor = engine.create(context());
    assertThatThrownBy(() -> new RefusedOperations(1).update(actor, OPERATIONS))
        .isInstanceOf(UniserveException.class);
    assertThat(actor.journal()).isEmpty();
  }

  private static BatchedUpdate append(Operation... operations) {
    return new BatchedUpdate(new AppendOperations(), List.of(operations));
  }

  @Test
  void theUpdatesOfABatchSeeThoseBeforeThemAndAreAppliedAtOnce() {
    ModelActor actor = engine.create(context());
    List<BatchedUpdate.Outcome> outcomes =
        actor.updateAll(
            List.of(
                append(new Operation(1, 10), new Operation(2, 11)),
                new BatchedUpdate(new PartlyRefused(2), List.of(new Operation(2, 12))),
                append(new Operation(2, 13), new Operation(1, 14))));
    assertThat(outcomes.get(0))
        .isEqualTo(new BatchedUpdate.Outcome.Applied(Answer.each(List.of(0L, 0L))));
    assertThat(outcomes.get(1)).isInstanceOf(BatchedUpdate.Outcome.Refused.class);
    assertThat(outcomes.get(2))
        .isEqualTo(new BatchedUpdate.Outcome.Applied(Answer.each(List.of(11L, 10L))));
    assertThat(actor.journal()).extracting(Operation::number).containsExactly(10L, 11L, 13L, 14L);
    assertThat(seen).containsExactly("opened", "applied 2", "applied 2");
  }

  @Test
  void aBatchLeavesWhatItHasNoRoomForAsItIs() {
    ModelActor actor = engine.create(context());
    List<BatchedUpdate> updates = new ArrayList<>();
    for (long number = 1; number <= 8; number++) {
      updates.add(append(new Operation(1, number)));
    }
    List<BatchedUpdate.Outcome> outcomes = actor.updateAll(updates);
    assertThat(outcomes).hasSize(actor.journal().size());
    assertThat(outcomes).hasSizeBetween(2, 7);
  }

  @Test
  void piecesMakeTheJournalsAgain() {
    assertThat(combine(piece(0, 2, 3), piece(2, 3, 3))).isEqualTo(Map.of(0, OPERATIONS));
  }

  @Test
  void aPieceTwiceOrMissingIsFound() {
    assertThatThrownBy(() -> combine(piece(0, 2, 3), piece(0, 2, 3)))
        .isInstanceOf(InvariantViolation.class);
    assertThatThrownBy(() -> combine(piece(0, 2, 3))).isInstanceOf(InvariantViolation.class);
  }

  private static ReadJournal.Piece piece(int from, int to, int total) {
    return new ReadJournal.Piece(from, OPERATIONS.subList(from, to), total);
  }

  private static SortedMap<Integer, List<Operation>> combine(ReadJournal.Piece... pieces) {
    Operator.Combiner<ReadJournal.Piece, SortedMap<Integer, List<Operation>>> combiner =
        new JournalsByActor().begin();
    for (ReadJournal.Piece piece : pieces) {
      combiner.add(0, piece);
    }
    return combiner.result();
  }
}
