package io.uniserve.engines.olap.storage;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorContext;
import io.uniserve.engines.olap.rows.OlapSchema;

/** One partition of a datasource, as it is or as it was at a point in time. */
public abstract sealed class OlapActor implements Actor permits LiveDatasource, OldDatasource {
  private final ActorContext context;
  private final OlapSchema schema;

  OlapActor(ActorContext context, OlapSchema schema) {
    this.context = context;
    this.schema = schema;
  }

  /** Returns what queries see. The caller must close it; until then no file of it goes away. */
  public abstract Contents contents();

  /** Returns the datasource that updates change. A snapshot throws, since it is never updated. */
  public abstract LiveDatasource live();

  final ActorContext context() {
    return context;
  }

  /** Returns the schema. */
  public final OlapSchema schema() {
    return schema;
  }

  final String where() {
    return "actor " + context.actor() + " of table '" + context.table().name() + "'";
  }
}
