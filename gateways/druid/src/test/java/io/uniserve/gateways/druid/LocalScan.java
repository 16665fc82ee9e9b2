package io.uniserve.gateways.druid;

import io.uniserve.api.Operator;
import io.uniserve.api.ScanFrom;
import io.uniserve.api.ScanPage;
import io.uniserve.api.ScanPlan;
import io.uniserve.engines.olap.storage.OlapActor;
import io.uniserve.runtime.client.Scan;
import io.uniserve.runtime.client.ScanProgress;
import io.uniserve.testkit.local.LocalContext;
import io.uniserve.testkit.local.LocalTable;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A scan of a table in this process, in small pages, one actor after another. */
final class LocalScan implements Scan {
  private static final int PAGE_BYTES = 1_000;

  private final LocalTable<OlapActor> table;
  private final Operator.Scan<OlapActor> operator;
  private int actor;
  private Optional<ByteBuffer> place = Optional.empty();

  @SuppressWarnings("unchecked") // the engine plans scans of its own actors
  LocalScan(LocalTable<OlapActor> table, ScanPlan plan) {
    this.table = table;
    operator = (Operator.Scan<OlapActor>) plan.operator();
  }

  @Override
  public Optional<List<ByteBuffer>> nextBlocks() {
    while (actor < table.definition().actors()) {
      ScanPage page =
          operator.page(
              table.actor(actor),
              new ScanFrom(place, PAGE_BYTES, Optional.empty()),
              new LocalContext(actor));
      place = page.next();
      if (place.isEmpty()) {
        actor++;
      }
      if (!page.blocks().isEmpty()) {
        return Optional.of(page.blocks());
      }
    }
    return Optional.empty();
  }

  @Override
  public boolean hasNext() {
    throw new UnsupportedOperationException("this scan gives blocks");
  }

  @Override
  public Map<String, Object> next() {
    throw new UnsupportedOperationException("this scan gives blocks");
  }

  @Override
  public String cursor() {
    throw new UnsupportedOperationException("this scan has no cursor");
  }

  @Override
  public ScanProgress progress() {
    throw new UnsupportedOperationException("this scan does not tell its progress");
  }

  @Override
  public void close() {
    // nothing is held
  }
}
