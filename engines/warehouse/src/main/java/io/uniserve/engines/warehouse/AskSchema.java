package io.uniserve.engines.warehouse;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.api.Plan;
import io.uniserve.api.Redefinition;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.form.Name;
import io.uniserve.sql.backend.SchemaDocument;
import io.uniserve.sql.backend.WarehouseSchema;

/** An operator that returns the schema that an actor was last made to fit. */
@Name("AskSchema")
record AskSchema() implements Operator.Retrieve<WarehouseActor, SchemaDocument> {
  /** The newest schema, its revision, and the revision of the actor that is furthest behind. */
  private record Known(SchemaDocument document, long revision, long least) {
    Known ofNoActor() {
      return new Known(document, revision, Long.MAX_VALUE);
    }

    Known plus(Known other) {
      Known newer = other.revision > revision ? other : this;
      return new Known(newer.document, newer.revision, Math.min(least, other.least));
    }
  }

  /**
   * Makes a plan for the schema of the largest revision in any actor, or that of the cluster state.
   */
  static Plan<Redefinition.Found> of(TableDefinition warehouse) {
    return Plan.query(
            warehouse.name(),
            new AskSchema(),
            Operator.Combine.<SchemaDocument, Known>fold(
                known(warehouse, new SchemaDocument(warehouse.schema())).ofNoActor(),
                (all, one) -> all.plus(known(warehouse, one))))
        .then(
            all ->
                new Plan.Known<>(
                    new Redefinition.Found(
                        warehouse.withSchema(all.document.schema()), all.least == all.revision)));
  }

  private static Known known(TableDefinition warehouse, SchemaDocument document) {
    long revision = WarehouseSchema.of(warehouse.name(), document.schema()).revision();
    return new Known(document, revision, revision);
  }

  @Override
  public void retrieve(
      WarehouseActor actor, Output<SchemaDocument> schemas, OperatorContext context) {
    schemas.put(new SchemaDocument(actor.schema().document()));
  }
}
