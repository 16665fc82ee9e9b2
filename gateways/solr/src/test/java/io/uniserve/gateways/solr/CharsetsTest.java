package io.uniserve.gateways.solr;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Text arrives as it was sent, in whatever charset that is said to be, or is refused. */
class CharsetsTest {
  private static final String NAME = "caf\u00e9";

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
    solr.update("{\"delete\":{\"query\":\"*:*\"}}");
  }

  private static String body(String format) {
    return switch (format) {
      case "csv" -> "id,name\n1," + NAME + "\n";
      case "json" -> "[{\"id\":\"1\",\n\"name\":\"" + NAME + "\"}]";
      default ->
          "<add><doc><field name=\"id\">1</field>\n<field name=\"name\">%s</field></doc></add>"
              .formatted(NAME);
    };
  }

  private static LocalSolr.Answer post(String format, String type, String text, String charset) {
    String path = format.equals("xml") ? "/update" : "/update/" + format;
    return solr.post(path + "?commit=true", type, text.getBytes(Charset.forName(charset)));
  }

  private static void assertStored(LocalSolr.Answer answer) {
    assertThat(answer.status()).as(answer.error()).isEqualTo(200);
    assertThat(solr.get("/select?q=id:1").json().at("/response/docs/0/name").asText())
        .isEqualTo(NAME);
  }

  private static void assertRefused(LocalSolr.Answer answer, String... named) {
    assertThat(answer.status()).as(answer.json().toString()).isEqualTo(400);
    assertThat(answer.error()).contains(named);
    assertThat(solr.get("/select?q=*:*").json().at("/response/numFound").asInt()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "csv,text/csv",
    "csv,application/csv",
    "json,application/json",
    "json,text/json",
    "xml,text/xml",
    "xml,application/xml"
  })
  void bodiesAreReadInTheirCharset(String format, String type) {
    String text = body(format);
    for (String charset : new String[] {"utf-8", "ISO-8859-1", "UTF-16", "windows-1252"}) {
      assertStored(post(format, type + "; charset=" + charset, text, charset));
    }
    assertStored(post(format, type, text, "UTF-8"));
    assertStored(post(format, type, "\ufeff" + text, "UTF-8"));
    forget();
    if (format.equals("xml")) {
      assertRefused(post(format, type, text, "ISO-8859-1"), "0xE9", "line 2", "UTF-8");
    } else {
      assertRefused(
          post(format, type, text, "ISO-8859-1"), "body is not UTF-8: byte 0xE9 on line 2");
    }
    assertRefused(post(format, type + ";charset=us-ascii", text, "UTF-8"), "US-ASCII", "0xC3");
    assertRefused(post(format, type + ";charset=klingon", text, "UTF-8"), "'klingon'");
  }

  @Test
  void xmlSaysItsCharsetItself() {
    String text = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>" + body("xml");

    assertStored(post("xml", "text/xml", text, "ISO-8859-1"));
    assertStored(post("xml", "text/xml; charset=utf-8", text, "UTF-8"));
    assertStored(post("xml", "text/xml", "\ufeff" + body("xml"), "UTF-16LE"));
  }

  @Test
  void parametersAreReadInTheirCharset() {
    assertStored(post("csv", "text/csv", body("csv"), "UTF-8"));
    String form = "application/x-www-form-urlencoded";
    String latin = form + "; charset=ISO-8859-1";
    for (LocalSolr.Answer answer :
        new LocalSolr.Answer[] {
          solr.get("/select?q=name:caf%C3%A9"),
          solr.post("/select", form, "q=name:caf%C3%A9"),
          solr.post("/select", form, "q=name:" + NAME),
          solr.post("/select", latin, "q=name:caf%E9"),
          solr.post("/select", latin, ("q=name:" + NAME).getBytes(Charset.forName("ISO-8859-1")))
        }) {
      assertThat(answer.json().at("/response/numFound").asInt()).isEqualTo(1);
    }
    forget();
    assertRefused(solr.get("/select?q=name:caf%E9"), "'q' is not UTF-8", "0xE9");
    assertRefused(solr.get("/select?q=*:*&fq=%ED%A0%80"), "'fq' is not UTF-8");
    assertRefused(solr.get("/select?q=*:*&caf%E9=1"), "caf%E9");
    assertRefused(solr.post("/select", form, "q=caf%E9"), "'q' is not UTF-8");
    assertRefused(solr.post("/select", form + ";charset=klingon", "q=a"), "'klingon'");
  }
}
