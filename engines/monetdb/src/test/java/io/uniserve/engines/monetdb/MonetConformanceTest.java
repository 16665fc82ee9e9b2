package io.uniserve.engines.monetdb;

import io.uniserve.api.Engine;
import io.uniserve.engines.warehouse.WarehouseActor;
import io.uniserve.engines.warehouse.WarehouseConformanceTest;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** What holds of actors in DuckDB holds of those in MonetDB, which has no timestamps. */
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
