package io.uniserve.engines.sharedscan;

import io.uniserve.api.codec.Form;
import io.uniserve.api.codec.TypeRegistry;
import io.uniserve.testkit.forms.GoldenForm;
import io.uniserve.testkit.forms.SampleValues;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of the binary forms of this engine's values in logs and between processes. */
class SharedScanFormsTest {
  @Test
  void valuesHaveTheirBytes() {
    SharedScanEngine engine = new SharedScanEngine();
    Form form = new Form("sharedscan", 1, engine.typesVersion(), TypeRegistry.of(engine.types()));

    new GoldenForm(
            Path.of("src/test/resources/io/uniserve/engines/sharedscan/forms"),
            "values",
            form,
            Map.of(),
            new SampleValues())
        .check();
  }
}
