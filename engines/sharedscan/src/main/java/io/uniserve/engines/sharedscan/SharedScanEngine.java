package io.uniserve.engines.sharedscan;

import io.uniserve.api.ActorContext;
import io.uniserve.api.Consistency;
import io.uniserve.api.Engine;
import io.uniserve.api.Planner;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.sharedscan.data.Segment;
import io.uniserve.engines.sharedscan.data.SegmentFile;
import io.uniserve.engines.sharedscan.schema.TableSchema;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The engine of tables that are accessed by shared scans. */
public final class SharedScanEngine implements Engine<SharedScanActor> {
  /** The name by which tables choose this engine. */
  public static final String NAME = "sharedscan";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public SharedScanActor create(ActorContext context) {
    return new LiveTable(context, new Segment(TableSchema.of(context.table())));
  }

  @Override
  public SharedScanActor deserialize(ActorContext context) throws IOException {
    TableSchema schema = TableSchema.of(context.table());
    return new LiveTable(context, SegmentFile.read(schema, context.directory()));
  }

  @Override
  public boolean writesFilesOnce() {
    return true;
  }

  @Override
  public boolean updatesWait() {
    return true;
  }

  @Override
  public boolean takesSnapshots() {
    return true;
  }

  @Override
  public boolean splits() {
    return true;
  }

  @Override
  public boolean merges() {
    return true;
  }

  @Override
  public List<Class<? extends Record>> types() {
    return List.of(
        Row.class,
        Address.class,
        AddRows.class,
        ChangeRows.class,
        DeleteRows.class,
        ScanRows.class,
        Rows.class,
        ReadPage.class,
        ScanGroups.class,
        Group.class,
        AskCycle.class,
        CycleStatus.class);
  }

  @Override
  public void validate(TableDefinition table) {
    TableSchema.of(table.schema());
    if (table.consistency() != Consistency.EVENTUAL && table.consistency() != Consistency.ORDERED) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          "table '"
              + table.name()
              + "': engine '"
              + NAME
              + "' has the levels eventual and ordered, not "
              + table.consistency().name().toLowerCase(java.util.Locale.ROOT));
    }
  }

  @Override
  public Optional<Planner> planner() {
    return Optional.of(new SharedScanPlanner());
  }
}
