package io.uniserve.engines.sharedscan;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorContext;
import io.uniserve.api.Answer;
import io.uniserve.api.BatchedUpdate;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Usage;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.engines.sharedscan.data.Chunk;
import io.uniserve.engines.sharedscan.data.Segment;
import io.uniserve.engines.sharedscan.data.SegmentFile;
import io.uniserve.engines.sharedscan.scan.Aggregate;
import io.uniserve.engines.sharedscan.scan.CycleReport;
import io.uniserve.engines.sharedscan.scan.GroupSink;
import io.uniserve.engines.sharedscan.scan.Operation;
import io.uniserve.engines.sharedscan.scan.RowSink;
import io.uniserve.engines.sharedscan.scan.Scanner;
import io.uniserve.engines.sharedscan.scan.Test;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The records of an actor, which one thread passes over for all who wait. */
final class LiveTable extends SharedScanActor {
  /** The chunks of a pass between two looks whether a query was cancelled. */
  private static final int LOOK_CHUNKS = 32;

  private static final int SAMPLE_MAX = 20_000;

  private final Scanner scanner;

  LiveTable(ActorContext context, Segment segment) {
    super(segment.schema());
    this.scanner = new Scanner(context.table().name() + "-" + context.actor(), segment);
  }

  @Override
  LiveTable live() {
    return this;
  }

  CycleReport lastCycle() {
    return scanner.last();
  }

  @Override
  void rows(
      List<Test> tests,
      int[] columns,
      long limit,
      OperatorContext request,
      Consumer<RowSink.Block> blocks) {
    List<RowSink.Block> kept = new ArrayList<>();
    RowSink sink = RowSink.keeping(schema(), columns, limit, new Abandoned(request), kept);
    answer(new Operation.Query(tests, sink), request);
    sink.finish();
    if (!sink.overflowed()) {
      kept.forEach(blocks);
      return;
    }
    kept.clear();
    try (TableSnapshot snapshot = copy()) {
      snapshot.rows(tests, columns, limit, request, blocks);
    }
  }

  @Override
  GroupSink groups(
      List<Test> tests, int[] columns, List<Aggregate> aggregates, OperatorContext request) {
    GroupSink sink = new GroupSink(schema(), columns, aggregates, new Abandoned(request));
    answer(new Operation.Query(tests, sink), request);
    return sink;
  }

  /** Waits for a query's cycle. A query that is cancelled meanwhile leaves the batch. */
  private void answer(Operation.Query query, OperatorContext request) {
    Scanner.result(scanner.submit(query, request.remaining()));
    request.checkCancelled();
  }

  /** An answer to the scan, at every chunk, whether nobody waits for a query any more. */
  private static final class Abandoned implements BooleanSupplier {
    private final OperatorContext request;
    private int asked;
    private boolean known;

    private Abandoned(OperatorContext request) {
      this.request = request;
    }

    @Override
    public boolean getAsBoolean() {
      if (!known && asked++ % LOOK_CHUNKS == 0) {
        known = request.cancelled();
      }
      return known;
    }
  }

  /** Applies one update. */
  Answer apply(BatchedChange change, List<? extends PartitionedRecord> records) {
    Operation operation = change.operation(schema(), records);
    Scanner.result(scanner.submit(List.of(operation)));
    return change.answer(operation);
  }

  @Override
  public List<BatchedUpdate.Outcome> updateAll(List<BatchedUpdate> updates) {
    List<Operation> operations = new ArrayList<>();
    List<Object> prepared = new ArrayList<>(); // an operation, or the reason why there is none
    for (BatchedUpdate update : updates) {
      try {
        Operation operation =
            ((BatchedChange) update.function()).operation(schema(), update.records());
        operations.add(operation);
        prepared.add(operation);
      } catch (UniserveException e) {
        prepared.add(e);
      }
    }
    Scanner.result(scanner.submit(operations));
    List<BatchedUpdate.Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < updates.size(); i++) {
      outcomes.add(
          prepared.get(i) instanceof Operation operation
              ? new BatchedUpdate.Outcome.Applied(
                  ((BatchedChange) updates.get(i).function()).answer(operation))
              : new BatchedUpdate.Outcome.Refused((UniserveException) prepared.get(i)));
    }
    return outcomes;
  }

  @Override
  TableSnapshot copy() {
    return new TableSnapshot(scanner.alone(Segment::snapshot));
  }

  @Override
  public Optional<Actor> snapshot() {
    return Optional.of(copy());
  }

  @Override
  public void serialize(Path directory) throws IOException {
    try (Segment segment = scanner.alone(Segment::snapshot)) {
      SegmentFile.write(segment, directory);
    }
  }

  @Override
  public boolean failed() {
    return scanner.failed();
  }

  @Override
  public Usage usage() {
    return new Usage(scanner.sizeBytes(), 0);
  }

  @Override
  public void retain(Predicate<PartitionKey> kept) {
    scanner.alone(
        segment -> {
          for (int number = 0; number < segment.size(); number++) {
            for (int slot = 0; slot < Chunk.SLOTS; slot++) {
              Chunk chunk = segment.chunk(number);
              if (chunk.isLive(slot) && !kept.test(key(chunk, slot))) {
                segment.delete(number, slot);
              }
            }
          }
          segment.pack();
          return null;
        });
  }

  private PartitionKey key(Chunk chunk, int slot) {
    return schema().key(chunk.stored(schema().partitionBy(), slot));
  }

  @Override
  public Optional<PartitionKey> middle() {
    List<PartitionKey> keys =
        scanner.alone(segment -> keys(segment, (int) Math.max(1, segment.records() / SAMPLE_MAX)));
    Optional<PartitionKey> middle = middle(keys);
    return middle.isPresent() ? middle : middle(scanner.alone(segment -> keys(segment, 1)));
  }

  private List<PartitionKey> keys(Segment segment, int step) {
    List<PartitionKey> keys = new ArrayList<>();
    int passed = 0;
    for (int number = 0; number < segment.size(); number++) {
      Chunk chunk = segment.chunk(number);
      for (int slot = 0; slot < Chunk.SLOTS; slot++) {
        if (chunk.isLive(slot) && passed++ % step == 0) {
          keys.add(key(chunk, slot));
        }
      }
    }
    Collections.sort(keys);
    return keys;
  }

  private static Optional<PartitionKey> middle(List<PartitionKey> sorted) {
    return sorted.subList(sorted.size() / 2, sorted.size()).stream()
        .filter(key -> key.compareTo(sorted.getFirst()) > 0)
        .findFirst();
  }

  @Override
  public void absorb(Actor other) {
    try (Segment more = ((LiveTable) other).scanner.alone(Segment::snapshot)) {
      scanner.alone(
          segment -> {
            for (int number = 0; number < more.size(); number++) {
              segment.addAll(Segment.rows(more.chunk(number)));
            }
            return null;
          });
    }
  }

  @Override
  public void close() {
    scanner.close();
  }
}
