package io.uniserve.testkit.ledger;

import io.uniserve.api.Dataset;
import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.api.Usage;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.testkit.ledger.LedgerEngine.Entry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The operators by which ledgers exchange data. */
final class Exchanges {
  private Exchanges() {}

  private static SortedMap<String, Long> one(String account, long sum) {
    return new TreeMap<>(Map.of(account, sum));
  }

  /** Accounts of a query. */
  record Page(SortedMap<String, Long> sums) implements Dataset {
    @Override
    public Usage usage() {
      return new Usage(100L * sums.size(), 0);
    }
  }

  /** A map that writes a page. */
  record Copy() implements Operator.Map<LedgerActor, Page> {
    @Override
    public Page map(LedgerActor ledger, OperatorContext context) {
      return new Page(ledger.read());
    }
  }

  /**
   * A map that copies a ledger.
   *
   * @param forgets a defect: the copy is empty
   */
  record Twin(boolean forgets) implements Operator.Map<LedgerActor, LedgerActor> {
    @Override
    public LedgerActor map(LedgerActor ledger, OperatorContext context) {
      try {
        return ledger.other(forgets ? Collections.emptySortedMap() : ledger.read());
      } catch (IOException e) {
        throw UniserveException.of(e);
      }
    }
  }

  /** A scatter that sends each sum to its account, in two halves. */
  record ToAccounts() implements Operator.Scatter<Page> {
    @Override
    public void scatter(Page page, Output<Chunk> chunks, OperatorContext context) {
      page.sums()
          .forEach(
              (account, sum) -> {
                chunks.put(chunk(account, sum / 2));
                chunks.put(chunk(account, sum - sum / 2));
              });
    }

    private static Chunk chunk(String account, long amount) {
      return new Chunk(
          PartitionKey.of(account), ByteBuffer.allocate(Long.BYTES).putLong(amount).flip());
    }
  }

  /**
   * A gather that adds up the chunks of an account.
   *
   * @param keepsBuffers a defect: it reads the buffers when all have come
   * @param changesTheActor a defect: it updates the actor, which it may only read
   */
  record Total(boolean keepsBuffers, boolean changesTheActor)
      implements Operator.Gather<LedgerActor, Page> {
    @Override
    public Page gather(
        PartitionKey account,
        Iterator<ByteBuffer> chunks,
        Optional<LedgerActor> anchor,
        OperatorContext context) {
      String name = new String(account.bytes(), StandardCharsets.UTF_8);
      long total = keepsBuffers ? late(chunks) : atOnce(chunks);
      if (changesTheActor && anchor.isPresent()) {
        anchor.get().add(List.of(new Entry(name, 1)));
      }
      total += anchor.map(ledger -> ledger.read().getOrDefault(name, 0L)).orElse(0L);
      return new Page(one(name, total));
    }

    private static long atOnce(Iterator<ByteBuffer> chunks) {
      long total = 0;
      while (chunks.hasNext()) {
        total += chunks.next().getLong();
      }
      return total;
    }

    private static long late(Iterator<ByteBuffer> chunks) {
      List<ByteBuffer> kept = new ArrayList<>();
      chunks.forEachRemaining(kept::add);
      return kept.stream().mapToLong(ByteBuffer::getLong).sum();
    }
  }

  /** A retrieve that puts every account of a page. */
  record ReadPage() implements Operator.Retrieve<Page, Entry> {
    @Override
    public void retrieve(Page page, Output<Entry> values, OperatorContext context) {
      page.sums().forEach((account, sum) -> values.put(new Entry(account, sum)));
    }
  }
}
