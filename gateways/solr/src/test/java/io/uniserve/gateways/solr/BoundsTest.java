package io.uniserve.gateways.solr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.solr.common.util.JavaBinCodec;
import org.apache.solr.common.util.NamedList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests whose meaning is far larger than they are. */
@Timeout(60)
class BoundsTest {
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

  private static LocalSolr.Answer form(String parameters) {
    return solr.post("/select", "application/x-www-form-urlencoded", parameters);
  }

  private static LocalSolr.Answer query(String text) {
    return form("q=" + URLEncoder.encode(text, StandardCharsets.UTF_8));
  }

  private static void assertTooLarge(LocalSolr.Answer answer, String what) {
    assertThat(answer.status()).as(answer.json().toString()).isIn(400, 413);
    assertThat(answer.error()).contains(what);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "name:/x{1,100000000}/",
        "name:/((x{1000}){1000}){1000}/",
        "name:/x{2000,}/",
        "name:/x{ 2000 }/",
        "name:/x{99999999999999999999}/"
      })
  void repetitionsOfRegularExpressions(String text) {
    assertTooLarge(query(text), "more than 1000 repetitions");
  }

  @Test
  void regularExpressionsThatBecomeLargeAutomata() {
    assertTooLarge(query("name:/.*a.{30}/"), "Determinizing");
    assertThat(query("name:/" + "(".repeat(400) + "x" + ")".repeat(400) + "/").status())
        .isIn(200, 400);
    assertThat(query("name:/[a-c]{2,8}(x|y)*/").status()).isEqualTo(200);
  }

  @Test
  void longWildcardsAndFuzzyWords() {
    String longWord = "x".repeat(1001);
    assertTooLarge(query("name:" + longWord + "*"), "longer than 1000");
    assertTooLarge(query("name:*" + longWord + "*y"), "longer than 1000");
    assertTooLarge(query("name:" + longWord + "~2"), "longer than 1000");
    assertTooLarge(query("name:/" + longWord + "/"), "longer than 1000");
    assertThat(query("name:" + "*a?".repeat(300)).status()).isIn(200, 413);
  }

  @Test
  void clauses() {
    String words = IntStream.range(0, 1100).mapToObj(i -> "w" + i).collect(Collectors.joining(" "));
    assertTooLarge(query(words), "1024");
    String nested =
        IntStream.range(0, 1100)
            .mapToObj(i -> "(a" + i + " b" + i + ")")
            .collect(Collectors.joining(" "));
    assertTooLarge(query(nested), "1024");
    assertTooLarge(query("(".repeat(101) + "x" + ")".repeat(101)), "deeper than 100");
  }

  @Test
  void searchedFields() {
    String fields = String.join(" ", Collections.nCopies(101, "name"));
    assertTooLarge(form("defType=edismax&q=a+b&qf=" + fields.replace(' ', '+')), "100 fields");
  }

  @Test
  void facetsAndFilters() {
    String facets = String.join("&", Collections.nCopies(201, "facet.field=genre"));
    assertTooLarge(form("q=x&facet=true&" + facets), "at most 200");
    String filters = String.join("&", Collections.nCopies(201, "fq=genre:x"));
    assertTooLarge(form("q=x&" + filters), "at most 200");
    LocalSolr.Answer tooLarge = form("q=" + "x".repeat(300_000));
    assertThat(tooLarge.status()).isEqualTo(413);
    assertThat(tooLarge.last()).as("the rest of the form is still under way").isTrue();
    assertThat(form("q=x").last()).isFalse();
    assertThat(form(String.join("&", Collections.nCopies(1500, "fq=x"))).status()).isIn(400, 413);
  }

  private static LocalSolr.Answer update(String type, Supplier<byte[]> body) {
    return solr.post("/update", type, body.get());
  }

  private static byte[] repeated(String start, String each, int times, String end) {
    return (start + each.repeat(times) + end).getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void valuesOfABody() {
    assertTooLarge(
        update("application/json", () -> repeated("[{}", ",{}", 1_100_000, "]")), "Token count");
    assertTooLarge(
        update("text/csv", () -> repeated("id", ",", 1_100_000, "\n")), "more than 1000000 values");
    assertTooLarge(
        update("text/xml", () -> repeated("<add>", "<doc/>", 2_100_000, "</add>")),
        "more than 1000000 values");
    assertTooLarge(update("application/javabin", BoundsTest::manyLists), "javabin");
  }

  private static byte[] manyLists() {
    List<Object> inner = Collections.nCopies(60_000, true);
    NamedList<Object> parts = new NamedList<>();
    parts.add("docs", Collections.nCopies(20, inner));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JavaBinCodec codec = new JavaBinCodec()) {
      codec.marshal(parts, out);
    } catch (java.io.IOException e) {
      throw new IllegalStateException(e);
    }
    return out.toByteArray();
  }

  @Test
  void nesting() {
    assertTooLarge(
        update("application/json", () -> repeated("", "[", 100_000, "")), "nesting depth");
    assertThat(update("text/xml", () -> repeated("", "<update>", 100_000, "")).status())
        .isEqualTo(400);
  }

  /** Each was once answered by the server itself, or not at all. */
  @Test
  void damageIsNamedInSolrsForm() {
    LocalSolr.Answer csv = solr.post("/update", "text/csv", "id,name\n\"a,b");
    assertThat(csv.status()).isEqualTo(400);
    assertThat(csv.error()).startsWith("malformed CSV: ");
    byte[] javabin = manyLists();
    javabin[3] = (byte) 0xff;
    LocalSolr.Answer text = solr.post("/update", "application/javabin", javabin);
    assertThat(text.status()).isEqualTo(400);
    assertThat(text.error()).contains("javabin");
  }

  /** Reading the answer fails otherwise. */
  @Test
  void noKeyIsAnsweredTwice() {
    LocalSolr.Answer answer =
        form(
            "q=*:*&sort=id+asc&cursorMark=*&cursorMark=*&facet=true&facet.field=genre&facet.field=genre");
    assertThat(answer.status()).as(answer.json().toString()).isEqualTo(200);
    assertThat(answer.json().has("nextCursorMark")).isTrue();
  }

  @Test
  void entitiesOfXmlAreNotExpanded() {
    String bomb =
        "<!DOCTYPE add [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">"
            + "<!ENTITY f SYSTEM \"file:///etc/passwd\">]>"
            + "<add><doc><field name=\"id\">&b;&f;</field></doc></add>";
    LocalSolr.Answer answer = solr.post("/update", "text/xml", bomb);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.json().toString()).doesNotContain("root:");
  }
}
