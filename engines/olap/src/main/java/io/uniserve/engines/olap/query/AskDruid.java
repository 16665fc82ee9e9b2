package io.uniserve.engines.olap.query;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.api.form.Name;
import io.uniserve.engines.olap.storage.OlapActor;

/**
 * An operator that runs a query of Druid on one actor, as a server of Druid's runs it on its
 * segments.
 *
 * @param query the query as the client's merge has rewritten it, in JSON
 */
@Name("AskDruid")
public record AskDruid(String query) implements Operator.Retrieve<OlapActor, QueryRows> {
  @Override
  public void retrieve(OlapActor actor, Output<QueryRows> rows, OperatorContext context) {
    new ActorQuery(actor, context).run(query, rows);
  }
}
