package io.uniserve.engines.search;

import io.uniserve.api.codec.Form;
import io.uniserve.api.codec.TypeRegistry;
import io.uniserve.testkit.forms.GoldenForm;
import io.uniserve.testkit.forms.SampleValues;
import io.uniserve.textindex.request.Cursor;
import io.uniserve.textindex.request.Page;
import io.uniserve.textindex.schema.SortKey;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.search.CollectionStatistics;
import org.junit.jupiter.api.Test;

/** Tests of the binary forms of this engine's values in logs and between processes. */
class SearchFormsTest {
  @Test
  void valuesHaveTheirBytes() {
    SearchEngine engine = new SearchEngine();
    Form form = new Form("search", 1, engine.typesVersion(), TypeRegistry.of(engine.types()));

    new GoldenForm(
            Path.of("src/test/resources/io/uniserve/engines/search/forms"),
            "values",
            form,
            Map.of(),
            new SampleValues()
                .with(new CollectionStatistics("field", 2, 1, 4, 3))
                .with(
                    new Page(
                        List.of(new SortKey("field", true)),
                        0,
                        3,
                        Optional.of(new Cursor(List.of("x"))))))
        .check();
  }
}
