package io.uniserve.engines.warehouse;

import io.uniserve.api.Plan;
import io.uniserve.api.Redefinition;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.sql.backend.SchemaDocument;
import io.uniserve.sql.backend.WarehouseSchema;

/**
 * The changes of a warehouse's schema: tables are created and dropped, and all others stay as they
 * were.
 */
final class SchemaChanges implements Redefinition {
  @Override
  public long revision(TableDefinition definition) {
    return WarehouseSchema.of(definition).revision();
  }

  @Override
  public UpdateFunction<?, ?> become(TableDefinition definition) {
    return new BecomeSchema(new SchemaDocument(definition.schema()));
  }

  @Override
  public Plan<Found> look(TableDefinition definition) {
    return AskSchema.of(definition);
  }
}
