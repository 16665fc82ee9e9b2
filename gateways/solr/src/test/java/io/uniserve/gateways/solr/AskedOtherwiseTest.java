package io.uniserve.gateways.solr;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of searches whose right answer is not the obvious one. */
class AskedOtherwiseTest {
  private static final String DOCUMENTS =
      """
      [{"id": "1", "title": "red fox", "body": ["one", "two fox"], "cat": ["a", "b"], "n": 5,
        "p": 0.5, "d": "2024-02-29T12:00:00Z", "colour_s": "red", "size_s": "small"},
       {"id": "2", "title": "brown dog", "cat": ["b"], "n": 7, "d": "2024-02-29"},
       {"id": "3", "title": "brown fox and dog", "n": 55, "d": "2024-03-01"},
       {"id": "4", "cat": ["fox"], "p": -3}]
      """;

  private LocalSolr solr;

  @BeforeEach
  void load(@TempDir Path directory) {
    Map<String, Object> keyword = Map.of("type", "keyword");
    Map<String, Object> fields =
        Map.of(
            "title", Map.of("type", "text"),
            "body", Map.of("type", "text", "multiValued", true),
            "cat", Map.of("type", "keyword", "multiValued", true),
            "n", Map.of("type", "long"),
            "p", Map.of("type", "double"),
            "d", Map.of("type", "date"),
            "*_s", keyword,
            "from_s", Map.of("type", "keyword", "copyTo", List.of("to_s")));
    Map<String, Object> schema =
        Map.of("fields", fields, "defaultField", "title", "refreshIntervalMillis", 3_600_000L);
    TableDefinition table =
        new TableDefinition(
            "things", "search", new Partitioner.Hash(3), 1, Durability.NONE, schema);
    solr = new LocalSolr(table, directory);
    assertThat(solr.update(DOCUMENTS).status()).isEqualTo(200);
  }

  @AfterEach
  void close() {
    solr.close();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private LocalSolr.Answer ask(String parameters) {
    return solr.get("/select?" + parameters);
  }

  private List<String> ids(String parameters) {
    LocalSolr.Answer answer = ask("rows=100&sort=id+asc&" + parameters);
    assertThat(answer.status()).as(answer.error()).isEqualTo(200);
    List<String> ids = new ArrayList<>();
    answer.json().at("/response/docs").forEach(each -> ids.add(each.get("id").asText()));
    assertThat(answer.json().at("/response/numFound").asInt()).isEqualTo(ids.size());
    return ids;
  }

  private void assertRefused(String parameters, String... named) {
    LocalSolr.Answer answer = ask(parameters);
    assertThat(answer.status()).as(answer.json().toString()).isIn(400, 413);
    assertThat(answer.error()).contains(named).hasSizeLessThan(500);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          (-fox) AND (-dog)   | 4
          fox (-brown)        | 1,3,4
          fox AND (-brown)    | 1
          +fox +(-brown)      | 1
          -fox                | 2,4
          (-fox)              | 2,4
          -(-fox)             | 1,3
          ((-fox))            | 2,4
          fox OR (NOT dog)    | 1,3,4
          title:(-fox -brown) | 4
          (-fox -dog)         | 4
          (-*:*) fox          | 1,3
          """)
  void whatOnlyExcludesExcludesFromAllDocuments(String query, String found) {
    List<String> expected = List.of(found.split(","));
    String text = encoded(query);

    assertThat(ids("q=" + text)).isEqualTo(expected);
    assertThat(ids("defType=edismax&q=" + text)).isEqualTo(expected);
    assertThat(ids("q=*:*&fq=" + text)).isEqualTo(expected);
    JsonNode counts =
        ask("q=*:*&facet=true&facet.query=" + text).json().at("/facet_counts/facet_queries");
    assertThat(counts.get(query).asInt()).isEqualTo(expected.size());
    solr.update("{\"delete\": {\"query\": \"" + query + "\"}}");
    assertThat(ids("q=*:*")).containsExactlyElementsOf(without(expected));
  }

  private static List<String> without(List<String> ids) {
    List<String> left = new ArrayList<>(List.of("1", "2", "3", "4"));
    left.removeAll(ids);
    return left;
  }

  @Test
  void deletionsHaveLocalParametersToo() {
    solr.update("{\"delete\": {\"query\": \"{!term f=cat}fox\"}}");
    assertThat(ids("q=*:*")).containsExactly("1", "2", "3");
    solr.update("{\"delete\": {\"query\": \"{!edismax qf='title body' q.op=AND}red two\"}}");
    assertThat(ids("q=*:*")).containsExactly("2", "3");
  }

  @Test
  void aLoneStarIsEveryDocument() {
    assertThat(ids("q=*")).hasSize(4);
    assertThat(ids("defType=edismax&q=*")).hasSize(4);
    assertThat(ids("defType=edismax&qf=n&q=*")).hasSize(4);
    assertThat(ids("q=fox&fq=*")).containsExactly("1", "3");
    assertThat(ids("q=-*")).isEmpty();
    assertThat(ids("q=" + encoded("* -fox"))).containsExactly("2", "4");
    assertThat(ids("q=title:*")).containsExactly("1", "2", "3");
    assertThat(ids("q=n:*")).containsExactly("1", "2", "3");
    assertThat(ids("q=" + encoded("p:[* TO *]"))).containsExactly("1", "4");
    assertThat(ids("q=" + encoded("title:[* TO *]"))).containsExactly("1", "2", "3");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          d:2024-02-29                 | 1,2
          d:[2024-02-29 TO 2024-02-29] | 1,2
          d:[* TO 2024-02-29]          | 1,2
          d:[* TO 2024-02-29}          |
          d:{2024-02-29 TO *]          | 3
          d:{2024-02-28 TO 2024-03-01} | 1,2
          d:"2024-02-29T00:00:00Z"     | 2
          p:[* TO 0]                   | 4
          p:{-3 TO *]                  | 1
          n:{5 TO 5]                   |
          n:{9223372036854775807 TO *] |
          """)
  void rangesEndWhereTheySay(String query, String found) {
    List<String> expected = found == null ? List.of() : List.of(found.split(","));

    assertThat(ids("q=" + encoded(query))).isEqualTo(expected);
  }

  @Test
  void boundsAreErrorsWhoeverReads() {
    String words = "w ".repeat(1025);
    for (String parser : List.of("lucene", "edismax")) {
      String asked = "defType=" + parser + "&q=";
      assertRefused(asked + encoded(words), "more than 1024 clauses");
      assertRefused(asked + encoded("(".repeat(101) + "fox" + ")".repeat(101)), "deeper than 100");
      assertRefused(asked + encoded("(".repeat(101)), "deeper than 100");
      assertRefused(asked + encoded("x".repeat(1001) + "*"), "longer than 1000");
      assertRefused(asked + encoded("/x{2000}/"), "more than 1000 repetitions");
      assertRefused(asked + encoded("/.*a.{30}/"), "too complex");
      assertRefused(asked + encoded("{!edismax qf='title cat'}" + words), "1024");
      assertRefused("q=fox&fq=" + encoded("{!" + parser + "}" + words), "more than 1024 clauses");
    }
    assertThat(ids("q=" + encoded("\"" + "(".repeat(200) + "\" fox"))).containsExactly("1", "3");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sort=*_s+asc",
        "facet=true&facet.field=*_s",
        "facet=true&facet.range=*_s&facet.range.start=1&facet.range.end=2&facet.range.gap=1",
        "df=*_s",
        "defType=edismax&qf=*_s",
        "hl=true&hl.fl=*_s",
        "fq=%7B!term+f=*_s%7Dx",
        "fq=%5C*_s:x",
        "sort=*x_s+asc",
      })
  void aPatternIsNoField(String parameter) {
    assertRefused("q=fox&" + parameter, "_s' is a pattern, not a field");
  }

  @Test
  void aPatternIsNoFieldOfADocument() {
    assertThat(solr.update("[{\"id\": \"5\", \"*_s\": \"x\"}]").error())
        .contains("'*_s' is a pattern, not a field");
    assertThat(ids("q=id:5")).isEmpty();
  }

  @Test
  void fieldsAreListedByPatterns() {
    String first = "q=id:1&fl=";
    assertThat(fields(first + "*_s")).containsExactly("colour_s", "size_s");
    assertThat(fields(first + "c*,id")).containsExactly("id", "cat", "colour_s");
    assertThat(fields(first + "?")).containsExactly("n", "p", "d");
    assertThat(fields(first + "*o*r*s,title")).containsExactly("title", "colour_s");
    assertThat(fields(first + "z*")).isEmpty();
    assertThat(fields(first + "score")).contains("id", "title", "size_s", "score");
    assertThat(fields(first + "id,score")).containsExactly("id", "score");
  }

  private List<String> fields(String parameters) {
    List<String> names = new ArrayList<>();
    ask(parameters).json().at("/response/docs/0").fieldNames().forEachRemaining(names::add);
    names.sort((one, other) -> Integer.compare(place(one), place(other)));
    return names;
  }

  private static int place(String field) {
    return List.of("id", "title", "body", "cat", "n", "p", "d", "colour_s", "size_s", "score")
        .indexOf(field);
  }

  @Test
  void aPrefixOfANumberIsRefused() {
    assertRefused("q=*:*&facet=true&facet.field=n&facet.prefix=5", "'n'", "prefix");
    assertRefused("q=*:*&facet=true&facet.field=d&f.d.facet.prefix=2024", "'d'", "prefix");
    assertThat(ask("q=*:*&facet=true&facet.field=cat&facet.prefix=f").json().toString())
        .contains("\"cat\":[\"fox\",1]");
  }

  @Test
  void whatOnlySolrsLanguageHasIsRefused() {
    for (String parser : List.of("lucene", "edismax")) {
      String asked = "defType=" + parser + "&q=";
      assertRefused(asked + encoded("-filter(fox)"), "filter(…)");
      assertRefused(asked + encoded("red AND filter(fox)"), "filter(…)");
      assertRefused(asked + encoded("red /* not fox */"), "/* … */");
      assertThat(ids(asked + encoded("\"filter(fox)\" \\filter(red)"))).containsExactly("1");
    }
  }

  @Test
  void textIsSplitAtWhiteSpace() {
    assertThat(ids("sow=true&q=" + encoded("red dog"))).containsExactly("1", "2", "3");
    assertThat(ids("df=cat&q=" + encoded("a fox"))).containsExactly("1", "4");
    assertRefused("q=fox&sow=false", "sow=false");
  }

  @Test
  void aWordOfSeveralPartsIsOneOfTheWordsThatAreCounted() {
    for (String fields : List.of("title", "title+body")) {
      String asked = "defType=edismax&mm=100%25&qf=" + fields + "&q=";
      assertThat(ids(asked + "red-dog")).containsExactly("1", "2", "3");
      assertThat(ids(asked + encoded("red-dog fox"))).containsExactly("1", "3");
      assertThat(ids(asked + encoded("red fox"))).containsExactly("1");
    }
  }

  @Test
  void passagesAreNeverEmpty() {
    assertThat(snippets("q=body:fox&hl.fl=body")).containsExactly("two <em>fox</em>");
    solr.update("[{\"id\": \"5\", \"body\": [\"fox. A fox\", \"\", \"dog\", \"fox\", \"a fox\"]}]");
    assertThat(snippets("q=body:fox&fq=id:5&hl.fl=body&hl.snippets=9"))
        .containsExactlyInAnyOrder(
            "<em>fox</em>. A <em>fox</em>", "<em>fox</em>", "a <em>fox</em>");
  }

  @Test
  void passagesAreShortEvenWithoutSentences() {
    String longText = "word ".repeat(200_000) + "fox " + "word ".repeat(200_000);
    solr.update("[{\"id\": \"5\", \"body\": [\"" + longText + "\"]}]");
    String unbroken = "狐".repeat(20_000);
    solr.update("[{\"id\": \"6\", \"body\": [\"" + unbroken + "犬" + unbroken + "\"]}]");

    assertThat(snippets("q=body:fox&fq=id:5&hl.fl=body&hl.fragsize=100").getFirst())
        .contains(" <em>fox</em> ")
        .hasSizeBetween(50, 250);
    assertThat(snippets("q=body:fox&fq=id:5&hl.fl=body&hl.fragsize=1").getFirst())
        .contains("<em>fox</em>")
        .hasSizeLessThan(60);
    assertThat(snippets("q=body:犬&fq=id:6&hl.fl=body").getFirst())
        .contains("狐<em>犬</em>狐")
        .hasSizeBetween(50, 250);
  }

  private List<String> snippets(String parameters) {
    List<String> texts = new ArrayList<>();
    ask("hl=true&" + parameters)
        .json()
        .get("highlighting")
        .forEach(document -> document.forEach(field -> field.forEach(t -> texts.add(t.asText()))));
    return texts;
  }

  @Test
  void aCopyIsOneOfTheValues() {
    assertThat(solr.update("[{\"id\": \"5\", \"from_s\": \"x\"}]").status()).isEqualTo(200);
    assertThat(ids("q=to_s:x")).containsExactly("5");
    LocalSolr.Answer both = solr.update("[{\"id\": \"6\", \"from_s\": \"x\", \"to_s\": \"y\"}]");
    assertThat(both.status()).isEqualTo(400);
    assertThat(both.error()).contains("'to_s' has one value, not 2");
  }

  @Test
  void numbersOfAnySizeFitDoubles() {
    String many = "123456789012345678901234567890";
    assertThat(
            solr.update("[{\"id\": \"5\", \"p\": " + many + ", \"a_s\": " + many + "}]").status())
        .isEqualTo(200);
    assertThat(ids("q=" + encoded("p:[1e29 TO *]"))).containsExactly("5");
    assertThat(ids("q=p:" + many)).containsExactly("5");
    assertThat(ids("q=a_s:" + many)).containsExactly("5");
    assertThat(solr.update("[{\"id\": \"6\", \"n\": " + many + "}]").error())
        .contains("'n'", many, "64 bits");
  }
}
