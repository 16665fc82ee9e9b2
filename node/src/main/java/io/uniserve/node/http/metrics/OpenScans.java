package io.uniserve.node.http.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.uniserve.runtime.client.Scan;
import io.uniserve.runtime.client.ScanOptions;
import io.uniserve.runtime.client.ScanProgress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;

/** The scans that are read through this process at present, with what each asks for and has. */
public final class OpenScans {
  private final MeterRegistry registry;
  private final Set<MeteredScan> scans = ConcurrentHashMap.newKeySet();
  private final Set<String> tables = ConcurrentHashMap.newKeySet();

  /**
   * A scan under way.
   *
   * @param table the table's name
   * @param priority P(q); less is more urgent
   * @param seconds the time since it was asked for
   * @param progress its progress
   */
  public record Shown(String table, double priority, double seconds, ScanProgress progress) {}

  OpenScans(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Shows a scan until it is closed. */
  Scan show(String table, ScanOptions options, Scan scan) {
    if (tables.add(table)) {
      gauge("uniserve.scans.open", table, "Scans through this process", progress -> 1);
      gauge(
          "uniserve.scans.slots.desired", table, "Slots that they ask for", ScanProgress::desired);
      gauge("uniserve.scans.slots.held", table, "Slots that they have", ScanProgress::held);
      gauge(
          "uniserve.scans.requests.waiting",
          table,
          "Their requests for slots that wait at servers",
          ScanProgress::waiting);
    }
    MeteredScan shown = new MeteredScan(table, options, scan, System.nanoTime());
    scans.add(shown);
    return shown;
  }

  private void gauge(
      String name, String table, String description, ToIntFunction<ScanProgress> value) {
    Gauge.builder(name, () -> sum(table, value))
        .description(description)
        .tag("table", table)
        .register(registry);
  }

  private int sum(String table, ToIntFunction<ScanProgress> value) {
    return scans.stream()
        .filter(scan -> scan.table.equals(table))
        .mapToInt(scan -> value.applyAsInt(scan.progress()))
        .sum();
  }

  /** Returns the scans, the oldest first. */
  public List<Shown> all() {
    List<MeteredScan> open = new ArrayList<>(scans);
    open.sort((one, other) -> Long.compare(one.beganNanos - other.beganNanos, 0));
    return open.stream().map(MeteredScan::shown).toList();
  }

  /** A scan that is shown as long as it is open. */
  private final class MeteredScan implements Scan {
    private final String table;
    private final ScanOptions options;
    private final Scan scan;
    private final long beganNanos;

    MeteredScan(String table, ScanOptions options, Scan scan, long beganNanos) {
      this.table = table;
      this.options = options;
      this.scan = scan;
      this.beganNanos = beganNanos;
    }

    Shown shown() {
      double seconds = (System.nanoTime() - beganNanos) / 1e9;
      return new Shown(table, options.priority(), seconds, scan.progress());
    }

    @Override
    public Optional<List<ByteBuffer>> nextBlocks() {
      return scan.nextBlocks();
    }

    @Override
    public boolean hasNext() {
      return scan.hasNext();
    }

    @Override
    public Map<String, Object> next() {
      return scan.next();
    }

    @Override
    public String cursor() {
      return scan.cursor();
    }

    @Override
    public ScanProgress progress() {
      return scan.progress();
    }

    @Override
    public void close() {
      scans.remove(this);
      scan.close();
    }
  }
}
