package io.uniserve.engines.olap.query;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.api.form.Name;
import io.uniserve.engines.olap.lookup.Lookup;
import io.uniserve.engines.olap.lookup.Lookups;
import io.uniserve.engines.olap.storage.OlapActor;
import java.util.List;

/**
 * An operator that runs a query of Druid on one actor, as a server of Druid's runs it on its
 * segments.
 *
 * @param query the query as the client's merge has rewritten it, in JSON
 * @param lookups the registered lookups that the query names
 */
@Name("AskDruid")
public record AskDruid(String query, List<Lookup> lookups)
    implements Operator.Retrieve<OlapActor, QueryRows> {
  /** Copies the lookups. */
  public AskDruid {
    lookups = List.copyOf(lookups);
  }

  /** Makes a question that names no lookups. */
  public AskDruid(String query) {
    this(query, List.of());
  }

  @Override
  public void retrieve(OlapActor actor, Output<QueryRows> rows, OperatorContext context) {
    Lookups.with(lookups, () -> new ActorQuery(actor, context).run(query, rows));
  }
}
