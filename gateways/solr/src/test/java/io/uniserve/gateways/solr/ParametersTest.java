package io.uniserve.gateways.solr;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.engines.search.AddDocuments;
import io.uniserve.surfaces.ParameterForms;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every parameter that the documentation lists, and many that it does not, with values that nobody
 * should give it: the answer is right, or an error that names what is wrong.
 */
@Timeout(120)
class ParametersTest {
  private static final String FORM = "application/x-www-form-urlencoded";

  /** A value of each parameter of a search that is answered, and another. */
  private static final Map<String, List<String>> SEARCH =
      samples(
          """
          q love|war
          q.alt *:*|love
          q.op OR|AND
          df name|genre
          defType edismax|lucene
          qf name^2|genre
          mm 1|50%
          tie 0.1|1
          sow true|true
          fq year:[1900 TO 2100]|*:*
          start 0|1
          rows 3|0
          sort year desc,id asc|id asc
          fl id,score|*
          cursorMark *|*
          timeAllowed 1000|-1
          shards.tolerant true|off
          facet true|on
          facet.field genre|directed_by
          facet.query love|year:2000
          facet.range year|rating
          facet.range.start 0|1
          facet.range.end 3000|2000
          facet.range.gap 500|1000
          facet.limit 5|-1
          facet.offset 0|1
          facet.mincount 1|0
          facet.sort count|index
          facet.prefix D|
          facet.missing true|no
          hl true|on
          hl.fl name|
          hl.method unified|unified
          hl.snippets 2|1
          hl.fragsize 10|0
          hl.simple.pre <b>|
          hl.simple.post </b>|
          hl.tag.pre <i>|
          hl.tag.post </i>|
          distrib.statsCache false|true
          wt json|json
          json.nl map|flat
          indent true|false
          omitHeader false|no
          echoParams none|all
          version 2.2|
          _ 1700000000|x
          """);

  private static final Map<String, List<String>> UPDATE =
      samples(
          """
          commit true|false
          softCommit false|true
          commitWithin 1000|-1
          optimize false|true
          openSearcher true|false
          overwrite true|TRUE
          waitSearcher true|false
          waitFlush true|false
          expungeDeletes true|false
          maxSegments 1|2
          json.command true|true
          separator ,|;
          split true|false
          wt json|json
          json.nl map|flat
          indent true|false
          omitHeader false|no
          echoParams none|all
          version 2.2|
          _ 1700000000|x
          """);

  private static final Map<String, List<String>> EXPORT =
      samples(
          """
          q love|war
          q.alt *:*|love
          q.op OR|AND
          df name|genre
          defType edismax|lucene
          qf name^2|genre
          mm 1|50%
          tie 0.1|1
          sow true|true
          fq year:[1900 TO 2100]|*:*
          sort year desc,id asc|id asc
          fl id,year|*
          includeStoredFields true|off
          batchSize 7|30000
          priority batch|2.5
          distrib false|true
          wt json|xsort
          version 2.2|
          _ 1700000000|x
          """);

  private static final Map<String, List<String>> LOCAL =
      samples(
          """
          type edismax|lucene
          q.op AND|OR
          df name|genre
          qf name|genre
          mm 1|2
          tie 0|0.1
          sow true|true
          f genre|directed_by
          key a|b
          cache true|false
          cost 1|2
          """);

  /** Parameters of Solr that do nothing here. */
  private static final List<String> UNSUPPORTED =
      List.of(
          ("debug debugQuery explainOther bq bf boost pf pf2 pf3 ps ps2 qs uf stopwords rq sfield pt d"
                  + " lowercaseOperators mm.autoRelax group group.field group.query group.limit"
                  + " stats stats.field collapse expand expand.rows mlt mlt.fl spellcheck"
                  + " spellcheck.q suggest terms terms.fl tv clustering elevateIds json json.facet"
                  + " json.query facet.pivot facet.method facet.interval facet.heatmap"
                  + " facet.threads facet.contains facet.matches facet.exists facet.excludeTerms"
                  + " facet.enum.cache.minDf facet.range.hardend facet.range.include"
                  + " facet.range.other facet.range.method facet.overrequest.ratio facet.zeros hl.q"
                  + " hl.qparser hl.requireFieldMatch hl.usePhraseHighlighter hl.encoder"
                  + " hl.alternateField hl.maxAnalyzedChars hl.bs.type hl.defaultSummary"
                  + " hl.mergeContiguous hl.formatter shards shards.info shards.preference distrib"
                  + " route _route_ collection preferLocalShards cache sow.x ie NOW TZ minExactCount"
                  + " segmentTerminateEarly multiThreaded logParamsList qt tr v.template"
                  + " memAllowed cpuAllowed partialResults csv.separator commit literal.id"
                  + " f.genre.facet f.genre.facet.field f.genre.facet.query f.name.hl.snippets"
                  + " f.genre.q f..facet.limit f.facet.limit Q ROWS facet.limit.x fq.x")
              .split(" "));

  private static final List<String> UNSUPPORTED_OF_UPDATES =
      List.of(
          ("rollback prepareCommit header fieldnames skip skipLines trim encapsulator escape"
                  + " keepEmpty map rowid rowidOffset literal.x overwriteDupes update.chain"
                  + " processor versions _version_ stream.body stream.url min_rf srcField f"
                  + " json.nl.x q rows f.x.commit f.x.keepEmpty f..split boost")
              .split(" "));

  /** Values that hardly any parameter should have. */
  private static final List<String> ODD =
      List.of(
          "",
          " ",
          "x",
          "-1",
          "-2147483649",
          "1.5",
          "1e999",
          "9".repeat(20),
          "NaN",
          "Infinity",
          "true",
          "TRUE",
          "\u0000",
          "caf\u00e9 \ud83c\udfac",
          "{!",
          "{!x}",
          "{!lucene df=nofield}x",
          "[",
          "(((",
          "\"",
          "/[/",
          "*",
          "nofield",
          "nofield:x",
          "+1FORTNIGHT",
          "1,2,3",
          "a b\tc\nd",
          "x^y",
          "name^1e9",
          "name^" + "9".repeat(60),
          "{\"a\":[1]}",
          "x".repeat(32_768),
          "x ".repeat(27_000),
          "(x ".repeat(9_000),
          "9".repeat(150_000));

  @TempDir static Path directory;
  private static LocalSolr solr;

  @BeforeAll
  static void open() {
    solr = new LocalSolr(Films.TABLE, directory);
    solr.update(Films.json());
  }

  @AfterAll
  static void close() {
    solr.close();
  }

  private static Map<String, List<String>> samples(String lines) {
    Map<String, List<String>> samples = new LinkedHashMap<>();
    for (String line : lines.lines().toList()) {
      int space = line.indexOf(' ');
      String[] values = line.substring(space + 1).split("\\|", -1);
      samples.put(line.substring(0, space), List.of(values));
    }
    return samples;
  }

  /** Every surface's parameters, with values that are answered, and the heading of their table. */
  private enum Kind {
    SEARCH("of a search", Supported.SEARCH, ParametersTest.SEARCH),
    EXPORT("of an export", Supported.EXPORT, ParametersTest.EXPORT),
    UPDATE("of an update", Supported.UPDATE, ParametersTest.UPDATE),
    LOCAL("of a query or facet", Supported.LOCAL, ParametersTest.LOCAL);

    private final String heading;
    private final ParameterForms forms;
    private final Map<String, List<String>> samples;

    Kind(String heading, ParameterForms forms, Map<String, List<String>> samples) {
      this.heading = heading;
      this.forms = forms;
      this.samples = samples;
    }

    /** Returns the answer to a request with these values of a parameter. */
    LocalSolr.Answer ask(String name, List<String> values) {
      return switch (this) {
        case SEARCH -> search(name, values);
        case EXPORT -> export(name, values);
        case UPDATE -> update(name, values);
        case LOCAL -> local(name, values);
      };
    }
  }

  private static LocalSolr.Answer search(String name, List<String> values) {
    Map<String, List<String>> parameters = new TreeMap<>();
    SEARCH.forEach((each, samples) -> parameters.put(each, List.of(samples.getFirst())));
    if (name.startsWith("facet.range") && !name.equals("facet.range")) {
      parameters.put("facet.range", List.of("year"));
    }
    // A cursor goes neither with a start nor with an end in time.
    parameters.remove(name.equals("cursorMark") ? "timeAllowed" : "cursorMark");
    parameters.put(name, values);
    return solr.post("/select", FORM, encoded(parameters));
  }

  private static LocalSolr.Answer export(String name, List<String> values) {
    Map<String, List<String>> parameters = new TreeMap<>();
    EXPORT.forEach((each, samples) -> parameters.put(each, List.of(samples.getFirst())));
    parameters.put(name, values);
    return solr.post("/export", FORM, encoded(parameters));
  }

  private static LocalSolr.Answer update(String name, List<String> values) {
    boolean csv = name.matches("(f\\..+\\.)?(separator|split)");
    return solr.post(
        (csv ? "/update/csv?" : "/update/json?") + encoded(Map.of(name, shortened(values))),
        csv ? "text/csv" : "application/json",
        csv ? "id\nnew\n" : "[{\"id\":\"new\"}]");
  }

  /** Returns the values, shortened to fit into a query string. */
  private static List<String> shortened(List<String> values) {
    return values.stream().map(each -> each.substring(0, Math.min(each.length(), 2_000))).toList();
  }

  private static LocalSolr.Answer local(String name, List<String> values) {
    String given =
        values.stream()
            .map(value -> (name.equals("type") ? "" : name + "=") + quoted(value))
            .collect(Collectors.joining(" "));
    String type = name.equals("f") ? "term " : name.matches("qf|mm|tie") ? "edismax " : "";
    boolean facet = name.equals("key");
    String text = "{!" + type + given + "}" + (facet ? "genre" : "love");
    Map<String, List<String>> parameters =
        facet
            ? Map.of("q", List.of("*:*"), "facet", List.of("true"), "facet.field", List.of(text))
            : Map.of("q", List.of(text));
    return solr.post("/select", FORM, encoded(parameters));
  }

  private static String quoted(String value) {
    return "'" + value.replaceAll("['\\\\]", "") + "'";
  }

  private static String encoded(Map<String, List<String>> parameters) {
    List<String> items = new ArrayList<>();
    parameters.forEach(
        (name, values) ->
            values.forEach(
                value ->
                    items.add(
                        URLEncoder.encode(name, StandardCharsets.UTF_8)
                            + "="
                            + URLEncoder.encode(value, StandardCharsets.UTF_8))));
    return String.join("&", items);
  }

  static Stream<Kind> kinds() {
    return Stream.of(Kind.values());
  }

  /** A new parameter is listed, documented and has values to be tried with. */
  @ParameterizedTest
  @MethodSource("kinds")
  void theDocumentationListsThemAll(Kind kind) throws IOException {
    Set<String> documented = DocumentedParameters.of(kind.heading);

    assertThat(documented).containsExactlyInAnyOrderElementsOf(kind.forms.values().keySet());
    assertThat(kind.samples.keySet()).containsExactlyInAnyOrderElementsOf(documented);
  }

  private static void assertAnswered(LocalSolr.Answer answer, String what) {
    assertThat(answer.status()).as("%s: %s", what, answer.error()).isEqualTo(200);
  }

  private static void assertRefused(LocalSolr.Answer answer, String what, String... named) {
    assertThat(answer.status()).as("%s: %s", what, answer.error()).isIn(400, 413);
    for (String each : named) {
      assertThat(answer.error()).as(what).contains(each);
    }
    assertThat(answer.error())
        .as(what)
        .hasSizeLessThanOrEqualTo(500)
        .doesNotContainPattern(
            "(java|org|com|io)\\.[a-z]+\\.|Exception|Error|Source:|enum constant|\\\\d");
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void whatIsRightIsAnswered(Kind kind) {
    kind.samples.forEach(
        (name, values) ->
            values.forEach(
                value -> assertAnswered(kind.ask(name, List.of(value)), name + "=" + value)));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void oddValuesAreAnsweredOrNamed(Kind kind) {
    List<String> unnamed = new ArrayList<>();
    for (String name : kind.samples.keySet()) {
      for (String value : ODD) {
        LocalSolr.Answer answer = kind.ask(name, List.of(value));
        String what = name + "=" + value.substring(0, Math.min(60, value.length()));
        if (!kind.forms.values().get(name).pattern().matcher(value).matches()) {
          assertRefused(answer, what, name.equals("type") ? "type" : name + "=");
        } else if (answer.status() != 200) {
          assertRefused(answer, what);
          if (!namesIt(answer.error(), name, value)) {
            unnamed.add(what + " -> " + answer.error());
          }
        }
      }
    }
    assertThat(unnamed).isEmpty();
  }

  /** Returns whether an error names its parameter or shows the value. */
  private static boolean namesIt(String error, String name, String value) {
    return error.contains(name)
        || error.contains("type=") && value.startsWith("{!")
        || error.contains("more than 100 fields") && name.equals("qf")
        || value.length() <= 100 && !value.isBlank() && error.contains(value)
        || Stream.of(value.substring(0, Math.min(value.length(), 90)).split("[\\s,}]+"))
            .anyMatch(part -> error.contains("'" + part) || error.contains("=" + part));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void twoValuesOfOneThatHasOneAreRefused(Kind kind) {
    kind.samples.forEach(
        (name, values) -> {
          LocalSolr.Answer answer = kind.ask(name, values);
          if (kind.forms.several().contains(name)
              || values.stream().distinct().count() == 1 && kind != Kind.LOCAL) {
            assertAnswered(answer, name + " " + values);
          } else {
            assertRefused(answer, name + " " + values, "'" + name + "'");
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"genre", "a.b", "nofield"})
  void someAreForOneField(String field) {
    for (Kind kind : List.of(Kind.SEARCH, Kind.UPDATE)) {
      for (String name : kind.samples.keySet()) {
        String ofField = "f." + field + "." + name;
        LocalSolr.Answer answer = kind.ask(ofField, List.of(kind.samples.get(name).getFirst()));
        if (kind.forms.ofField().contains(name)) {
          assertAnswered(answer, ofField);
          ODD.stream()
              .filter(value -> !kind.forms.values().get(name).pattern().matcher(value).matches())
              .forEach(value -> assertRefused(kind.ask(ofField, List.of(value)), ofField, ofField));
        } else {
          assertRefused(answer, ofField, ofField, "not supported");
        }
      }
    }
  }

  @Test
  void whatIsNotSupportedIsNamed() {
    for (String name : UNSUPPORTED) {
      assertRefused(search(name, List.of("true")), name, "'" + name + "'", "not supported");
    }
    for (String name : UNSUPPORTED_OF_UPDATES) {
      assertRefused(update(name, List.of("true")), name, "'" + name + "'", "not supported");
    }
    String local = "{!v=x}love";
    assertRefused(search("q", List.of(local)), local, "'v'", "not supported");
    String huge = "x".repeat(50_000);
    assertRefused(search(huge, List.of("1")), "a huge name", "(50000 characters)");
    for (String name : Supported.SEARCH.values().keySet()) {
      if (!Supported.PING.values().containsKey(name)) {
        assertRefused(solr.get("/admin/ping?" + name + "=1"), name, "'" + name + "'");
      }
    }
  }

  /** Checks that refused requests have changed nothing. */
  @Test
  void anUpdateThatIsRefusedStoresNothing() {
    solr.client.updates.clear();
    for (String name : UNSUPPORTED_OF_UPDATES) {
      update(name, List.of("true"));
    }
    Kind.UPDATE.samples.keySet().forEach(name -> update(name, List.of("a", "b")));

    assertThat(solr.client.updates).doesNotHaveAnyElementsOfTypes(AddDocuments.class);
  }
}
