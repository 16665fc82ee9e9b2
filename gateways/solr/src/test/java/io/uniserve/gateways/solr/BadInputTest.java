package io.uniserve.gateways.solr;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.search.AddDocuments;
import io.uniserve.runtime.client.Coverage;
import io.uniserve.runtime.client.QueryOptions;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that errors name the wrong part, have the right status, and change nothing. */
class BadInputTest {
  private static final int BODY_BYTES_MAX = 32 << 20;

  @TempDir static Path directory;
  private static LocalSolr solr;

  @BeforeAll
  static void open() {
    solr = new LocalSolr(Films.TABLE, directory);
  }

  @AfterAll
  static void close() {
    solr.close();
  }

  @BeforeEach
  void forget() {
    solr.client.updates.clear();
  }

  @AfterEach
  void nothingWasApplied() {
    solr.client.failure = Optional.empty();
    assertThat(solr.client.updates).doesNotHaveAnyElementsOfTypes(AddDocuments.class);
    assertThat(solr.get("/select?q=*:*").json().at("/response/numFound").asInt(-1)).isZero();
  }

  private static void assertRefused(LocalSolr.Answer answer, int status, String... named) {
    assertThat(answer.status()).as(answer.json().toString()).isEqualTo(status);
    assertThat(answer.json().at("/responseHeader/status").asInt()).isEqualTo(status);
    assertThat(answer.json().at("/error/code").asInt()).isEqualTo(status);
    assertThat(answer.error()).contains(named);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "stats=true",
        "facet.pivot=genre,year",
        "group.field=genre",
        "debugQuery=true",
        "shards=a,b",
        "bq=year:2005",
        "f.genre.facet.unknown=1",
        "f.name.hl.snippets=2",
        "commit=true"
      })
  void parametersThatAreNotSupportedAreNamed(String parameter) {
    String name = parameter.split("=")[0];

    assertRefused(solr.get("/select?q=love&" + parameter), 400, "'" + name + "'", "not supported");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      textBlock =
          """
          q=name:%22open name:"open
          q=%7B!lucene+df=name {!lucene
          q=%7B!func%7Dyear type=func
          q=%7B!lucene+ex=a%7Dlove 'ex'
          fq=%7B!term+f=name%7Dlove {!term
          fq=%7B!term%7Dlove f
          defType=dismax defType=dismax
          defType=edismax&qf=nofield nofield
          defType=edismax&qf=name%5Ex name^x
          q.op=XOR q.op=XOR
          rows=x rows=x
          rows=99999999 99999999
          start=1.5 start=1.5
          facet=maybe facet=maybe
          wt=xml wt=xml
          wt=csv wt=csv
          json.nl=arrntv json.nl=arrntv
          fl=sum(year,1) sum(year
          fl=%5Bdocid%5D [docid]
          sort=year+up year
          sort=nofield+asc nofield
          sort=name+asc name
          cursorMark=x&sort=id+asc 'x'
          hl=true&hl.fl=nofield nofield
          hl=true&hl.snippets=0 hl.snippets=0
          hl=true&hl.method=fastVector hl.method=fastVector
          facet=true&facet.field=nofield nofield
          facet=true&facet.field=name name
          facet=true&facet.range=name&facet.range.start=1&facet.range.end=2&facet.range.gap=1 name
          facet=true&facet.range=year&facet.range.start=1&facet.range.end=x&facet.range.gap=1 facet.range.end=x:
          facet=true&facet.range=year&facet.range.start=1&facet.range.end=2&facet.range.gap=0 intervals
          facet=true&facet.range=year&facet.range.start=1&facet.range.end=99999&facet.range.gap=1 intervals
          facet=true&facet.range=year&facet.range.start=1&facet.range.end=2 facet.range.gap
          facet=true&facet.query=nofield:1 nofield
          """)
  void valuesThatAreWrongAreNamed(String parameters, String named) {
    String query = parameters.startsWith("q=") ? "/select?" : "/select?q=love&";

    LocalSolr.Answer answer = solr.get(query + parameters);

    assertRefused(answer, answer.status() == 413 ? 413 : 400, named);
  }

  /** The words are Solr's. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          cursorMark=*|Cursor functionality requires a sort containing a uniqueKey field tie breaker
          cursorMark=*&sort=score+desc|Cursor functionality requires a sort containing a uniqueKey field
          cursorMark=*&sort=year+asc|Cursor functionality requires a sort containing a uniqueKey field
          cursorMark=*&sort=id+asc&start=5|Cursor functionality requires start=0
          cursorMark=*&sort=id+asc&timeAllowed=100|Can not search using both cursorMark and timeAllowed
          cursorMark=bogus&sort=id+asc|Unable to parse 'cursorMark' after totem: value must either be '*'
          """)
  void cursorsThatCannotBeAreRefused(String parameters, String words) {
    assertRefused(solr.get("/select?q=*:*&" + parameters), 400, words);
  }

  @Test
  void aMarkBelongsToItsOrder() {
    solr.update("[{\"id\":\"1\",\"year\":1970}]");
    solr.get("/update?commit=true");
    String mark =
        solr.get("/select?q=*:*&sort=id+asc&rows=1&cursorMark=*")
            .json()
            .get("nextCursorMark")
            .asText();
    solr.post("/update?commit=true", "application/json", "{\"delete\":{\"query\":\"*:*\"}}");

    String other = "/select?q=*:*&sort=year+asc,id+asc&cursorMark=" + mark;
    assertRefused(solr.get(other), 400, "cursorMark does not work with current sort (wrong size)");
    solr.client.updates.clear();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          [{"id":"1"},{"id":"2","nofield":1}]|'2'|nofield
          [{"id":"1"},{"id":"2","year":"many"}]|'2'|many
          [{"id":"1"},{"id":"2","year":{"inc":1}}]|'2'|year
          [{"id":"1"},{"id":"2","name":["a","b"]}]|'2'|name
          [{"id":"1"},{"name":"without"}]|id|document 2 of 2
          [{"id":"1"},{"id":""}]|id|1 to 512
          [{"id":"1"},7]|document|7
          [{"id":"1"}|malformed JSON|line 1
          [{"id":"1","id":"2"}]|malformed JSON|id
          {"add":{"doc":{"id":"1"}},"rollback":{}}|rollback|Unknown
          {"add":{"doc":{"id":"1"},"boost":2}}|'boost'|not supported
          {"add":{"doc":{"id":"1"},"overwrite":false}}|overwrite|false
          {"add":{"id":"1"}}|document|null
          {"add":{"doc":{"id":"1"}},"delete":{"query":"nofield:1"}}|nofield|query
          {"add":{"doc":{"id":"1"}},"delete":{}}|id|1 to 512
          {"add":{"doc":{"id":"1"}},"delete":null}|id|1 to 512
          {"add":{"doc":{"id":"1"}},"commit":{"when":1}}|'when'|not supported
          {"add":{"doc":{"id":"1"},"doc":{"id":"2"}}}|malformed JSON|'doc' is given twice, line 1
          {"add":[{"id":"1"}]} x|malformed JSON|'x'
          [{"id":"1"}]]|malformed JSON|']'
          {"add":[{"id":"1"}]}{"add":[{"id":"2"}]}}|malformed JSON|'}'
          {"add":[{"id":"1"}],"add":{"doc":{"id":"2"}|malformed JSON|start marker at line 1
          [{"id":"1"},{"id":"2","name":"\\ud83c"}]|ud83c|half a character
          """)
  void oneBadPartRefusesAWholeUpdate(String body, String named, String why) {
    assertRefused(solr.post("/update?commit=true", "application/json", body), 400, named, why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          <add><doc><field name="id">1</field></doc>|malformed XML
          <add><doc><field>1</field></doc></add>|field
          <add><doc><field name="id" update="set">1</field></doc></add>|update
          <add><doc><field name="id">1</field><doc/></doc></add>|doc
          <add><doc boost="2"><field name="id">1</field></doc></add>|boost
          <add boost="2"/>|'boost'
          <rollback/>|rollback
          <add><doc><field name="id">1</field></doc></add><commit/>|line 1
          <add><doc><field name="id">1</field></doc></add> x|malformed XML
          <add><doc><field name="id">&#xD83C;</field></doc></add>|malformed XML
          <delete><name>x</name></delete>|name
          <!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><delete><id>&b;</id></delete>|malformed XML
          """)
  void badXmlIsRefused(String body, String named) {
    assertRefused(solr.post("/update", "text/xml", body), 400, named);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          id,name\\n1|record 1
          id,id\\n1,2|id
          id,name\\n1,"open|malformed CSV
          id,nofield\\n1,x|nofield
          id\\n1\\n\"2\"x|malformed CSV
          id,,name\\n1,2,3|malformed CSV
          """)
  void badCsvIsRefused(String body, String named) {
    assertRefused(solr.post("/update/csv", "text/csv", body.replace("\\n", "\n")), 400, named);
  }

  @Test
  void bodiesOfOtherTypesAreRefused() {
    assertRefused(solr.post("/update", "image/png", "x"), 400, "image/png");
    assertRefused(solr.post("/update/extract", "text/plain", "x"), 404, "/update/extract");
    assertRefused(
        solr.post("/select?q=x", "application/json", "{\"query\":\"x\"}"), 400, "application/json");
    assertRefused(solr.post("/update?stream.body=x", "text/csv", "id"), 400, "'stream.body'");
    String json = "application/json";
    assertRefused(solr.post("/update?separator=;", json, "[]"), 400, "'separator'", "csv");
    assertRefused(solr.post("/update?f.a.split=true", json, "[]"), 400, "'f.a.split'", "csv");
    assertRefused(solr.post("/update/csv?json.command=false", "text/csv", "id"), 400, "json");
  }

  @Test
  void anUnknownTableOrHandlerIsNotFound() {
    assertRefused(
        solr.send(HttpRequest.newBuilder(URI.create(solr.root() + "/nothing/select?q=x"))),
        404,
        "'nothing'");
    assertRefused(solr.get("/terms"), 404, "/terms");
    assertRefused(solr.send(HttpRequest.newBuilder(URI.create(solr.root()))), 404, "table");
    assertRefused(solr.send(HttpRequest.newBuilder(URI.create(solr.root() + "/"))), 404, "table");
  }

  @Test
  void aBodyBeyondItsBoundIsRefused() {
    byte[] body = new byte[BODY_BYTES_MAX + 1];

    assertRefused(solr.post("/update", "application/json", body), 413, "" + BODY_BYTES_MAX);
  }

  @Test
  void aFormBeyondItsBoundIsRefused() {
    String form = "application/x-www-form-urlencoded";

    assertRefused(solr.post("/select", form, "q=" + "a".repeat(300_000)), 413, "200000");
    assertRefused(solr.post("/select", form, "q=%zz"), 400, "'q' cannot be decoded");
  }

  @Test
  void javabinIsRefusedBeforeItTakesMemory() {
    // a list of two thousand million texts; a text of as many bytes; lists in lists in lists
    byte[] list = {2, (byte) 0x9f, -1, -1, -1, -1, 7};
    byte[] text = {2, 0x3f, -1, -1, -1, -1, 7};
    byte[] deep = new byte[5000];
    Arrays.fill(deep, (byte) 0x81);
    deep[0] = 2;
    byte[] binary = {2, 13, -1, -1, -1, -1, 7};

    // a text that is Latin-1; an update with something behind it
    byte[] latin = {2, 0x21, (byte) 0xe9};
    byte[] trailing = {2, 0x0a, 7};

    for (byte[] body :
        new byte[][] {list, text, deep, binary, latin, trailing, {2}, {1, 2, 3}, {2, 0}, {2, 99}}) {
      assertRefused(solr.post("/update", "application/javabin", body), 400, "javabin");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "UNAVAILABLE,503",
    "DEADLINE_EXCEEDED,503",
    "OVERLOADED,503",
    "EXHAUSTED,503",
    "TOO_LARGE,413",
    "UNSUPPORTED,400",
    "CORRUPT,500",
    "INTERNAL,500"
  })
  void failuresOfTheClusterAreToldAsTheyAre(ErrorCode code, int status) {
    solr.client.failure = Optional.of(new UniserveException(code, "actor 1/3 is gone"));

    assertRefused(solr.get("/select?q=love"), status, "actor 1/3 is gone");
    assertRefused(solr.update("{\"delete\":\"1\"}"), status, "actor 1/3 is gone");
    assertRefused(solr.get("/admin/ping"), status, "actor 1/3 is gone");
  }

  @Test
  void timeAllowedIsTheDeadline() {
    solr.get("/select?q=love&timeAllowed=250");
    assertThat(solr.client.queries).last().isEqualTo(new QueryOptions(Duration.ofMillis(250)));

    solr.get("/select?q=love&timeAllowed=0");
    assertThat(solr.client.queries).last().isEqualTo(QueryOptions.DEFAULT);
  }

  @Test
  void whatIsMissingIsToldWhereThatIsTolerated() {
    solr.client.coverage = new Coverage(4, List.of(new Coverage.Missing("films", 3, "is gone")));
    JsonNode header = solr.get("/select?q=love&shards.tolerant=true").json().get("responseHeader");
    assertThat(header.get("partialResults").asBoolean()).isTrue();
    assertThat(header.get("partialResultsDetails").asText()).isEqualTo("actor 3: is gone");
    assertThat(
            solr.get("/select?q=love").json().at("/responseHeader/partialResults").isMissingNode())
        .isTrue();

    solr.client.coverage = new Coverage(4, List.of());
    assertThat(
            solr.get("/select?q=love&shards.tolerant=true")
                .json()
                .at("/responseHeader/partialResults")
                .isMissingNode())
        .isTrue();
  }

  @Test
  void theGatewayAsAWholeAnswersPings() {
    LocalSolr.Answer answer =
        solr.send(HttpRequest.newBuilder(URI.create(solr.root() + "/admin/ping")));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().get("status").asText()).isEqualTo("OK");
  }
}
