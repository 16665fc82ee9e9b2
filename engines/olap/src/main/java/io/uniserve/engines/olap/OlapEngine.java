package io.uniserve.engines.olap;

import io.uniserve.api.ActorContext;
import io.uniserve.api.Engine;
import io.uniserve.api.Planner;
import io.uniserve.api.TableDefinition;
import io.uniserve.engines.olap.page.ReadRows;
import io.uniserve.engines.olap.query.AskDruid;
import io.uniserve.engines.olap.query.QueryRows;
import io.uniserve.engines.olap.rows.OlapRow;
import io.uniserve.engines.olap.rows.OlapSchema;
import io.uniserve.engines.olap.storage.LiveDatasource;
import io.uniserve.engines.olap.storage.OlapActor;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The engine of OLAP: Druid's datasources, with some of its segments in each actor. */
public final class OlapEngine implements Engine<OlapActor> {
  /** The name by which tables choose this engine. */
  public static final String NAME = "olap";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public OlapActor create(ActorContext context) {
    return LiveDatasource.create(context);
  }

  @Override
  public OlapActor deserialize(ActorContext context) throws IOException {
    return LiveDatasource.open(context);
  }

  @Override
  public boolean writesFilesOnce() {
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
        OlapRow.class,
        AppendRows.class,
        ReplaceInterval.class,
        Compact.class,
        Persist.class,
        ReadRows.class,
        AskDruid.class,
        QueryRows.class);
  }

  @Override
  public void validate(TableDefinition table) {
    OlapSchema.of(table);
  }

  @Override
  public Optional<Planner> planner() {
    return Optional.of(new OlapPlanner());
  }
}
