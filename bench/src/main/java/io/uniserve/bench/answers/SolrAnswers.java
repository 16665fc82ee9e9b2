package io.uniserve.bench.answers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.uniserve.bench.answers.Answer.Hit;
import io.uniserve.bench.base.BenchException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A reader of answers in Solr's JSON form. */
public final class SolrAnswers {

  private static final ObjectMapper JSON = new ObjectMapper();

  private SolrAnswers() {}

  public static Answer parse(byte[] body) {
    JsonNode response = tree(body).path("response");
    if (!response.path("numFound").isIntegralNumber()) {
      throw new BenchException("No answer: " + new String(body, StandardCharsets.UTF_8));
    }
    List<Hit> hits = new ArrayList<>();
    for (JsonNode document : response.path("docs")) {
      hits.add(new Hit(document.path("id").asText(), document.path("score").asDouble()));
    }
    return new Answer(response.path("numFound").asLong(), hits);
  }

  private static JsonNode tree(byte[] body) {
    try {
      return JSON.readTree(body);
    } catch (IOException e) {
      throw new BenchException("Not JSON: " + new String(body, StandardCharsets.UTF_8), e);
    }
  }
}
