package io.uniserve.backends.monetdb;

import io.uniserve.api.Engine;
import io.uniserve.engines.warehouse.WarehouseActor;
import io.uniserve.engines.warehouse.WarehouseConformanceTest;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** Tests that actors in MonetDB, which has no timestamps, behave as those in DuckDB. */
@Tag("native")
class MonetConformanceTest extends WarehouseConformanceTest {
  @Override
  public Engine<WarehouseActor> engine() {
    return new MonetEngine();
  }

  @Override
  protected Map<String, Object> columns() {
    Map<String, Object> columns = super.columns();
    columns.remove("seen");
    return columns;
  }
}
