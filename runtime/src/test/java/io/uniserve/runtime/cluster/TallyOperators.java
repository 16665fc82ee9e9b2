package io.uniserve.runtime.cluster;

import io.uniserve.api.Dataset;
import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.api.Usage;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.cluster.TallyEngine.Tallies;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Map, scatter and gather over tallies. */
final class TallyOperators {
  /** The number of sheets that are not closed. */
  static final AtomicInteger OPEN = new AtomicInteger();

  /** The number of maps that have run. */
  static final AtomicInteger MAPS = new AtomicInteger();

  /** The number of {@link HeldGather} that are still to wait until they are cancelled. */
  static final AtomicInteger GATHERS_HELD = new AtomicInteger();

  /** The number of {@link HeldGather} that have begun to wait. */
  static final AtomicInteger GATHERS_WAITING = new AtomicInteger();

  static final List<Class<? extends Record>> TYPES =
      List.of(
          Times.class,
          ByKey.class,
          ToEach.class,
          SumUp.class,
          ReadSheet.class,
          FailingGather.class,
          HeldGather.class,
          StuckMap.class,
          FlakyScatter.class,
          Tallied.class,
          Collected.class,
          Spoiled.class,
          ByActor.class,
          Homes.class);

  private TallyOperators() {}

  /** The sums that a query has made. */
  static final class Sheet implements Dataset {
    private final Map<String, Long> sums;
    private final String home;
    private boolean closed;

    Sheet(Map<String, Long> sums, String home) {
      this.sums = sums;
      this.home = home;
      OPEN.incrementAndGet();
    }

    @Override
    public Usage usage() {
      return new Usage(sums.size() * 64L, 0);
    }

    @Override
    public void close() {
      if (closed) {
        throw new IllegalStateException("closed twice");
      }
      closed = true;
      OPEN.decrementAndGet();
    }
  }

  private static Map<String, Long> sums(Dataset set) {
    return switch (set) {
      case Tallies tallies -> tallies.sums();
      case Sheet sheet when !sheet.closed -> sheet.sums;
      default -> throw new IllegalStateException("no open sums: " + set);
    };
  }

  /** A map that multiplies every sum. */
  record Times(long factor) implements Operator.Map<Dataset, Sheet> {
    @Override
    public Sheet map(Dataset input, OperatorContext context) {
      MAPS.incrementAndGet();
      TreeMap<String, Long> all = new TreeMap<>();
      sums(input).forEach((key, sum) -> all.put(key, sum * factor));
      return new Sheet(all, "");
    }
  }

  /** A map of the first datasets; the later ones wait until they are cancelled. */
  record StuckMap(int firstStuck) implements Operator.Map<Dataset, Sheet> {
    @Override
    public Sheet map(Dataset input, OperatorContext context) {
      while (context.actor() >= firstStuck) {
        context.checkCancelled();
        LockSupport.parkNanos(TallyEngine.HELD_NANOS);
      }
      return new Sheet(new TreeMap<>(), "");
    }
  }

  /** A scatter of each sum to its key, in some pieces that together are the sum. */
  record ByKey(int pieces) implements Operator.Scatter<Dataset> {
    @Override
    public void scatter(Dataset input, Output<Chunk> chunks, OperatorContext context) {
      sums(input)
          .forEach(
              (key, sum) -> {
                for (int i = 0; i < pieces; i++) {
                  long piece = i == 0 ? sum - sum / pieces * (pieces - 1) : sum / pieces;
                  chunks.put(new Chunk(PartitionKey.of(key), bytes(key, piece)));
                }
              });
    }
  }

  /** A scatter that fails at the end on every actor object that has not run it before. */
  record FlakyScatter() implements Operator.Scatter<Tallies> {
    @Override
    public void scatter(Tallies input, Output<Chunk> chunks, OperatorContext context) {
      boolean first = input.sums().putIfAbsent("flaky", 0L) == null;
      new ByKey(2).scatter(input, chunks, context);
      if (first) {
        throw new IllegalStateException("damaged");
      }
    }
  }

  /** A scatter of the total to each of these attributes. */
  record ToEach(List<PartitionKey> attributes) implements Operator.Scatter<Dataset> {
    @Override
    public void scatter(Dataset input, Output<Chunk> chunks, OperatorContext context) {
      long total = sums(input).values().stream().mapToLong(Long::longValue).sum();
      attributes.forEach(key -> chunks.put(new Chunk(key, bytes("total", total))));
    }
  }

  private static ByteBuffer bytes(String key, long sum) {
    byte[] name = key.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(Long.BYTES + name.length).putLong(sum).put(name).flip();
  }

  /** A gather that adds the pieces of an attribute, and the anchor's sums under the same keys. */
  record SumUp() implements Operator.Gather<Tallies, Sheet> {
    @Override
    public Sheet gather(
        PartitionKey attribute,
        Iterator<ByteBuffer> chunks,
        Optional<Tallies> anchor,
        OperatorContext context) {
      TreeMap<String, Long> all = new TreeMap<>();
      while (chunks.hasNext()) {
        ByteBuffer chunk = chunks.next();
        long sum = chunk.getLong();
        all.merge(StandardCharsets.UTF_8.decode(chunk).toString(), sum, Long::sum);
      }
      anchor.ifPresent(
          tallies ->
              List.copyOf(all.keySet())
                  .forEach(key -> all.merge(key, tallies.sums().getOrDefault(key, 0L), Long::sum)));
      return new Sheet(all, anchor.map(tallies -> tallies.home().toString()).orElse(""));
    }
  }

  /** A gather as {@link SumUp}, the first of which wait until they are cancelled. */
  record HeldGather() implements Operator.Gather<Tallies, Sheet> {
    @Override
    public Sheet gather(
        PartitionKey attribute,
        Iterator<ByteBuffer> chunks,
        Optional<Tallies> anchor,
        OperatorContext context) {
      if (GATHERS_HELD.getAndDecrement() > 0) {
        GATHERS_WAITING.incrementAndGet();
        while (true) {
          context.checkCancelled();
          LockSupport.parkNanos(TallyEngine.HELD_NANOS);
        }
      }
      return new SumUp().gather(attribute, chunks, anchor, context);
    }
  }

  /** A gather that fails on one attribute. */
  record FailingGather(String on) implements Operator.Gather<Tallies, Sheet> {
    @Override
    public Sheet gather(
        PartitionKey attribute,
        Iterator<ByteBuffer> chunks,
        Optional<Tallies> anchor,
        OperatorContext context) {
      if (attribute.equals(PartitionKey.of(on))) {
        throw new IllegalStateException("a defect of the gather");
      }
      return new Sheet(new TreeMap<>(), "");
    }
  }

  /** A map to tallies of every sum, multiplied. */
  record Tallied(long factor) implements Operator.Map<Dataset, Tallies> {
    @Override
    public Tallies map(Dataset input, OperatorContext context) {
      Tallies made = new Tallies(Path.of(""));
      sums(input).forEach((key, sum) -> made.sums().put(key, sum * factor));
      return made;
    }
  }

  /** A map to tallies whose files their engine cannot read. */
  record Spoiled() implements Operator.Map<Dataset, Tallies> {
    @Override
    public Tallies map(Dataset input, OperatorContext context) {
      Tallies made = new Tallies(Path.of(""));
      made.sums().put("no\nnumber", 1L);
      return made;
    }
  }

  /** A scatter of each sum to the actor that its key belongs to. */
  record ByActor(int actors) implements Operator.Scatter<Dataset> {
    @Override
    public void scatter(Dataset input, Output<Chunk> chunks, OperatorContext context) {
      Partitioner partitioner = new Partitioner.Hash(actors);
      TreeMap<Integer, PartitionKey> attributes = new TreeMap<>();
      for (long i = 0; attributes.size() < actors; i++) {
        PartitionKey key = PartitionKey.of(i);
        attributes.putIfAbsent(partitioner.actorOf(key), key);
      }
      sums(input)
          .forEach(
              (key, sum) -> {
                int home = partitioner.actorOf(PartitionKey.of(key));
                chunks.put(new Chunk(attributes.get(home), bytes(key, sum)));
              });
    }
  }

  /** A gather to tallies of all pieces of an attribute. */
  record Collected() implements Operator.Gather<Tallies, Tallies> {
    @Override
    public Tallies gather(
        PartitionKey attribute,
        Iterator<ByteBuffer> chunks,
        Optional<Tallies> anchor,
        OperatorContext context) {
      Tallies made = new Tallies(Path.of(""));
      while (chunks.hasNext()) {
        ByteBuffer chunk = chunks.next();
        long sum = chunk.getLong();
        made.sums().merge(StandardCharsets.UTF_8.decode(chunk).toString(), sum, Long::sum);
      }
      return made;
    }
  }

  /** A retrieve of each sum. */
  record ReadSheet() implements Operator.Retrieve<Dataset, Object> {
    @Override
    public void retrieve(Dataset input, Output<Object> values, OperatorContext context) {
      sums(input).forEach((key, sum) -> values.put(List.of(key, sum)));
    }
  }

  /** A retrieve of the server of each sheet's anchor. */
  record Homes() implements Operator.Retrieve<Sheet, Object> {
    @Override
    public void retrieve(Sheet input, Output<Object> values, OperatorContext context) {
      values.put(List.of(input.home, 1L));
    }
  }
}
