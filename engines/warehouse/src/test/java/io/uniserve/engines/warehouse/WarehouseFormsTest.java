package io.uniserve.engines.warehouse;

import io.uniserve.api.codec.Form;
import io.uniserve.api.codec.TypeRegistry;
import io.uniserve.testkit.forms.GoldenForm;
import io.uniserve.testkit.forms.SampleValues;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of the binary forms of this engine's values in logs and between processes. */
class WarehouseFormsTest {
  @Test
  void valuesHaveTheirBytes() {
    WarehouseEngine engine = new WarehouseEngine();
    Form form = new Form("warehouse", 1, engine.typesVersion(), TypeRegistry.of(engine.types()));

    new GoldenForm(
            Path.of("src/test/resources/io/uniserve/engines/warehouse/forms"),
            "values",
            form,
            Map.of(),
            new SampleValues())
        .check();
  }
}
