package io.uniserve.textindex;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.textindex.request.SearchRequest;
import io.uniserve.textindex.schema.SearchSchema;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BoundRequestTest {
  private static SearchSchema schema(String type) {
    return SearchSchema.of("a test", Map.of("fields", Map.of("name", Map.of("type", type))));
  }

  @Test
  void isReadOnceForAllActorsWithOneSchema() {
    SearchSchema schema = schema("text");
    SearchRequest request = SearchRequest.of("name:Metropolis");
    assertThat(BoundRequest.of(schema, request)).isSameAs(BoundRequest.of(schema, request));
  }

  /** Actors may have their new schema at different times. */
  @Test
  void isReadByTheSchemaThatAnActorHas() {
    SearchRequest request = SearchRequest.of("name:Metropolis");
    assertThat(BoundRequest.of(schema("text"), request).matched()).hasToString("name:metropolis");
    assertThat(BoundRequest.of(schema("keyword"), request).matched())
        .hasToString("name:Metropolis");
  }
}
