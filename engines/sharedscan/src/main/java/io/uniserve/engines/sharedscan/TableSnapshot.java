package io.uniserve.engines.sharedscan;

import io.uniserve.api.OperatorContext;
import io.uniserve.api.ScanFrom;
import io.uniserve.api.Usage;
import io.uniserve.engines.sharedscan.data.Segment;
import io.uniserve.engines.sharedscan.page.PageSink;
import io.uniserve.engines.sharedscan.scan.Aggregate;
import io.uniserve.engines.sharedscan.scan.GroupSink;
import io.uniserve.engines.sharedscan.scan.Operation;
import io.uniserve.engines.sharedscan.scan.RowSink;
import io.uniserve.engines.sharedscan.scan.Scanner;
import io.uniserve.engines.sharedscan.scan.Test;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * The records of an actor at a point in time. It shares its memory with the actor, which copies
 * what it changes. Each query passes over it alone, on its caller's thread.
 */
final class TableSnapshot extends SharedScanActor {
  private final Segment segment;

  TableSnapshot(Segment segment) {
    super(segment.schema());
    this.segment = segment;
  }

  @Override
  LiveTable live() {
    throw new IllegalStateException("a snapshot is never updated");
  }

  @Override
  void rows(
      List<Test> tests,
      int[] columns,
      long limit,
      OperatorContext request,
      Consumer<RowSink.Block> blocks) {
    RowSink sink = RowSink.streaming(schema(), columns, limit, request::cancelled, blocks);
    Scanner.read(segment, new Operation.Query(tests, sink));
    request.checkCancelled();
    sink.finish();
  }

  /** Returns the first records after a place that pass all tests. */
  PageSink.Page page(List<Test> tests, int[] columns, ScanFrom from, OperatorContext request) {
    PageSink sink = new PageSink(schema(), columns, from, request::cancelled);
    Scanner.read(segment, new Operation.Query(tests, sink));
    request.checkCancelled();
    return sink.page(records());
  }

  long records() {
    return segment.records();
  }

  @Override
  TableSnapshot copy() {
    return new TableSnapshot(segment.snapshot());
  }

  @Override
  GroupSink groups(
      List<Test> tests, int[] columns, List<Aggregate> aggregates, OperatorContext request) {
    GroupSink sink = new GroupSink(schema(), columns, aggregates, request::cancelled);
    Scanner.read(segment, new Operation.Query(tests, sink));
    request.checkCancelled();
    return sink;
  }

  @Override
  public void serialize(Path directory) {
    throw new IllegalStateException("a snapshot is never serialised");
  }

  @Override
  public Usage usage() {
    return Usage.NONE;
  }

  @Override
  public void close() {
    segment.close();
  }
}
