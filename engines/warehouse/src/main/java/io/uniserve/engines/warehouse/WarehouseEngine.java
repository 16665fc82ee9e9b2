package io.uniserve.engines.warehouse;

import io.uniserve.api.ActorContext;
import io.uniserve.api.Engine;
import io.uniserve.api.Planner;
import io.uniserve.api.Redefinition;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.backends.duckdb.DuckBackend;
import io.uniserve.sql.backend.Backend;
import io.uniserve.sql.backend.Row;
import io.uniserve.sql.backend.RowBlock;
import io.uniserve.sql.backend.SchemaDocument;
import io.uniserve.sql.backend.WarehouseSchema;
import io.uniserve.sql.changes.PutBlocks;
import io.uniserve.sql.changes.PutRows;
import io.uniserve.sql.changes.RewriteRows;
import io.uniserve.sql.stages.AskSizes;
import io.uniserve.sql.stages.Block;
import io.uniserve.sql.stages.GatherStages;
import io.uniserve.sql.stages.RunStage;
import io.uniserve.sql.stages.ScatterStage;
import io.uniserve.sql.stages.TableScan;
import io.uniserve.sql.stages.TableSizes;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The engine of SQL warehouses: sets of tables, with one database of DuckDB or another backend for
 * each actor.
 */
public class WarehouseEngine implements Engine<WarehouseActor> {
  /** The name by which tables choose this engine. */
  public static final String NAME = "warehouse";

  private final String name;
  private final Backend backend;

  /** Makes an engine with actors in DuckDB. */
  public WarehouseEngine() {
    this(NAME, new DuckBackend());
  }

  /**
   * Makes an engine with actors of a backend.
   *
   * @param name the name by which tables choose it, other than {@link #NAME}
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

  /** Returns whether the function changes rows only: others rely on the schema as it is. */
  @Override
  public boolean preparesTogether(UpdateFunction.Serializable<?, ?> function) {
    return LiveWarehouse.isChangeOfRows(function);
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
        RunStage.class,
        TableScan.operator(),
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

  /**
   * Renames a warehouse. A SQL table with the name of the warehouse keeps it, since its rows
   * contain it.
   */
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
