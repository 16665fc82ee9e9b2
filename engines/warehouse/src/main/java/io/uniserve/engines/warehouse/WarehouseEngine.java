package io.uniserve.engines.warehouse;

import io.uniserve.api.ActorContext;
import io.uniserve.api.Engine;
import io.uniserve.api.Planner;
import io.uniserve.api.Redefinition;
import io.uniserve.api.TableDefinition;
import io.uniserve.duckdb.DuckBackend;
import io.uniserve.sqlbackend.Backend;
import io.uniserve.sqlbackend.Row;
import io.uniserve.sqlbackend.RowBlock;
import io.uniserve.sqlbackend.SchemaDocument;
import io.uniserve.sqlbackend.WarehouseSchema;
import io.uniserve.sqlchanges.AskRewritten;
import io.uniserve.sqlchanges.PutBlocks;
import io.uniserve.sqlchanges.PutRows;
import io.uniserve.sqlchanges.RewriteRows;
import io.uniserve.sqlstages.AskSizes;
import io.uniserve.sqlstages.Block;
import io.uniserve.sqlstages.GatherStages;
import io.uniserve.sqlstages.RunStage;
import io.uniserve.sqlstages.ScatterStage;
import io.uniserve.sqlstages.TableSizes;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A SQL warehouse: sets of tables, one DuckDB database for each actor, or another backend's. */
public class WarehouseEngine implements Engine<WarehouseActor> {
  /** The name by which tables choose this engine. */
  public static final String NAME = "warehouse";

  private final String name;
  private final Backend backend;

  /** An engine whose actors are DuckDB's. */
  public WarehouseEngine() {
    this(NAME, new DuckBackend());
  }

  /**
   * An engine whose actors a backend holds.
   *
   * @param name by which tables choose it, another than {@link #NAME}
   */
  protected WarehouseEngine(String name, Backend backend) {
    this.name = name;
    this.backend = backend;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public WarehouseActor create(ActorContext context) throws IOException {
    return LiveWarehouse.create(context, backend);
  }

  @Override
  public WarehouseActor deserialize(ActorContext context) throws IOException {
    return LiveWarehouse.open(context, backend);
  }

  @Override
  public boolean takesSnapshots() {
    return backend.takesSnapshots();
  }

  @Override
  public List<Class<? extends Record>> types() {
    return List.of(
        Row.class,
        PutRows.class,
        RowBlock.class,
        PutBlocks.class,
        RewriteRows.class,
        AskRewritten.class,
        RunStage.class,
        Block.class,
        ScatterStage.class,
        GatherStages.class,
        BecomeSchema.class,
        AskSchema.class,
        SchemaDocument.class,
        AskSizes.class,
        TableSizes.class);
  }

  @Override
  public boolean splits() {
    return backend.splits();
  }

  @Override
  public boolean merges() {
    return backend.splits();
  }

  @Override
  public void validate(TableDefinition table) {
    backend.validate(WarehouseSchema.of(table));
  }

  /** A SQL table that has the warehouse's name for want of another keeps it: its rows have it. */
  @Override
  public TableDefinition renamed(TableDefinition table, String name) {
    return table.withSchema(WarehouseSchema.of(table).named(table.schema())).withName(name);
  }

  @Override
  public Optional<Redefinition> redefinition() {
    return backend.redefines() ? Optional.of(new SchemaChanges()) : Optional.empty();
  }

  @Override
  public Optional<Planner> planner() {
    return Optional.of(new WarehousePlanner(backend.sql()));
  }
}
