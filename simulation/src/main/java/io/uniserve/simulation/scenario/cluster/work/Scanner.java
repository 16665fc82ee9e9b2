package io.uniserve.simulation.scenario.cluster.work;

import io.uniserve.api.ScanPlan;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.client.Scan;
import io.uniserve.runtime.client.ScanOptions;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.model.ScanOperations;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * A thread of a client that scans a table again and again: at any pace, with pages of few
 * operations, to the end or not, and now and then going on from a cursor.
 */
final class Scanner {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int PAGE_OPERATIONS_MAX = 20;
  private static final int BUFFER_BYTES_MAX = 2_000;
  private static final int PAUSE_MILLIS_MAX = 60;

  /** The bytes of an operation in a page, at most. */
  private static final int OPERATION_BYTES = 20;

  private final String name;
  private final Environment environment;
  private final ClusterClient client;
  private final ScanPlan plan;
  private final Witness witness;
  private final RandomGenerator random;

  Scanner(
      String name, Environment environment, ClusterClient client, String table, Witness witness) {
    this.name = name;
    this.environment = environment;
    this.client = client;
    this.plan = ScanOperations.plan(table);
    this.witness = witness;
    this.random = environment.random();
  }

  /** Scans the table once. */
  void scan(BooleanSupplier stopping) {
    Witness.Scanned asked = witness.scanned(name);
    List<Operation> given = new ArrayList<>();
    Optional<String> cursor = Optional.of("");
    try {
      while (cursor.isPresent() && !stopping.getAsBoolean()) {
        cursor = some(cursor.filter(text -> !text.isEmpty()), given, stopping);
      }
      asked.given(given, cursor.isEmpty());
    } catch (UniserveException e) {
      asked.given(given, false);
      if (!e.retryable()) {
        throw e;
      }
    }
  }

  /** Scans until the end, or some pages; returns the cursor to go on with, if there is more. */
  private Optional<String> some(
      Optional<String> cursor, List<Operation> given, BooleanSupplier stopping) {
    ScanOptions options = options();
    boolean slow = random.nextInt(3) == 0;
    int pages = random.nextInt(2) == 0 ? random.nextInt(1, 8) : Integer.MAX_VALUE;
    try (Scan scan = client.queries().scan(plan, cursor.map(options::withCursor).orElse(options))) {
      for (int page = 0; page < pages && !stopping.getAsBoolean(); page++) {
        Optional<List<ByteBuffer>> blocks = scan.nextBlocks();
        if (blocks.isEmpty()) {
          return Optional.empty();
        }
        blocks.get().forEach(block -> given.addAll(ScanOperations.operations(block)));
        long held = scan.progress().bufferedBytesMost();
        long most = options.bufferBytes() * OPERATION_BYTES;
        Invariant.EXACT_ANSWER.require(
            held <= most, () -> "a scan has fetched " + held + " bytes ahead, of " + most);
        if (slow) {
          environment.clock().sleep(Duration.ofMillis(random.nextInt(PAUSE_MILLIS_MAX)));
        }
      }
      return Optional.of(scan.cursor());
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a workload", e);
    }
  }

  private ScanOptions options() {
    int page = random.nextInt(1, PAGE_OPERATIONS_MAX);
    ScanOptions options =
        ScanOptions.DEFAULT
            .withSizes(page, random.nextInt(2 * page, BUFFER_BYTES_MAX))
            .withPatience(PATIENCE)
            .withPriority(random.nextInt(1, 20));
    return random.nextBoolean() ? options : options.withSlots(random.nextInt(1, 6));
  }
}
