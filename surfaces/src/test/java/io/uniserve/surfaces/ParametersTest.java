package io.uniserve.surfaces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParametersTest {
  private static Map<String, List<String>> query(String query) {
    return new Parameters().addQuery(query).values();
  }

  @Test
  void namesAndValuesAreDecoded() {
    assertThat(query("q=a+b%2Bc%26&fq=x&fq=caf%C3%A9=1&&empty=&alone&%C3%A9=%F0%9F%8E%AC"))
        .containsEntry("q", List.of("a b+c&"))
        .containsEntry("fq", List.of("x", "caf\u00e9=1"))
        .containsEntry("empty", List.of(""))
        .containsEntry("alone", List.of(""))
        .containsEntry("\u00e9", List.of("\ud83c\udfac"))
        .hasSize(5);
    assertThat(query(null)).isEmpty();
    assertThat(query("q=caf\u00e9")).containsEntry("q", List.of("caf\u00e9"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          q=caf%E9|the value of parameter 'q' is not UTF-8: byte 0xE9 on line 1
          caf%E9=1|the name of parameter
          a=1&q=%zz|'q' cannot be decoded: two hexadecimal digits follow a %, not 'zz'
          q=%4|not '4'
          q=%|not ''
          q=%+1|not ' 1'
          q=\ufffd|the query string is not UTF-8
          """)
  void whatCannotBeDecodedIsNamed(String query, String message) {
    assertThatThrownBy(() -> query(query))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aFormIsReadInItsCharset() {
    byte[] raw = "q=caf\u00e9&r=%E9".getBytes(StandardCharsets.ISO_8859_1);

    assertThat(new Parameters().addForm(raw, StandardCharsets.ISO_8859_1).values())
        .containsEntry("q", List.of("caf\u00e9"))
        .containsEntry("r", List.of("\u00e9"));
    assertThatThrownBy(() -> new Parameters().addForm(raw, StandardCharsets.UTF_8))
        .hasMessageContaining("'q'");
  }

  @Test
  void formsAndParametersAreBounded() {
    byte[] large = new byte[Parameters.FORM_BYTES_MAX + 1];

    assertThatThrownBy(() -> new Parameters().addForm(large, StandardCharsets.UTF_8))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE));
    assertThat(query("a&".repeat(Parameters.COUNT_MAX)).get("a")).hasSize(Parameters.COUNT_MAX);
    assertThatThrownBy(() -> query("a&".repeat(Parameters.COUNT_MAX + 1)))
        .hasMessageContaining("at most 1000 parameters");
    assertThatThrownBy(() -> query("a".repeat(50_000) + "=%zz"))
        .hasMessageContaining("(50000 characters)");
  }

  @Test
  void aPathIsReadStrictly() {
    Parameters.requirePath("/solr/caf%C3%A9/select");
    Parameters.requirePath("/solr/caf\u00e9/select");
    assertThatThrownBy(() -> Parameters.requirePath("/solr/caf%E9/select"))
        .hasMessage("the path '/solr/caf%E9/select' is not UTF-8: byte 0xE9 on line 1");
    assertThatThrownBy(() -> Parameters.requirePath("/solr/%zz")).hasMessageContaining("'zz'");
  }
}
