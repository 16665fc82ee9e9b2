package io.uniserve.node.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class JsonTest {
  @Test
  void readsAndWritesDocuments() {
    String text = "{\"a\":[1,-2.5,true,null,\"é\\n\"],\"b\":{\"c\":9223372036854775807}}";
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("a", Arrays.asList(1L, -2.5, true, null, "é\n"));
    document.put("b", Map.of("c", Long.MAX_VALUE));
    assertThat(Json.parse(text)).isEqualTo(document);
    assertThat(Json.text(document)).isEqualTo(text);
  }

  @Test
  void refusesWhatIsNotOneSoundDocument() {
    expect("", "not JSON: it is empty");
    expect("{} {}", "not one JSON value: another one follows it");
    expect("{\"a\":1,\"a\":2}", "Duplicate field 'a'");
    expect("{\"a\":", "not JSON: Unexpected end-of-input");
    expect("{'a':1}", "column 2");
    expect("9223372036854775808", "the number 9223372036854775808 does not fit into 64 bits");
    expect("1e999", "the number 1e999 is too large for a double");
    expect("[".repeat(Json.DEPTH_MAX + 1), "nesting depth");
  }

  @Test
  void numbersOfARecordHaveAllTheirDigits() {
    assertThat(record("[1, 1.5, 9223372036854775807, 1e300, 0.10000000000000000]"))
        .isEqualTo(List.of(1L, 1.5, Long.MAX_VALUE, 1e300, 0.1));
    assertThat(record("[9223372036854775808, 1234567890123456789.25]"))
        .isEqualTo(
            List.of(
                new BigInteger("9223372036854775808"), new BigDecimal("1234567890123456789.25")));
    assertThat(Json.text(record("[9223372036854775808,1234567890123456789.25]")))
        .isEqualTo("[9223372036854775808,1234567890123456789.25]");
    assertThatThrownBy(() -> record("1e999")).hasMessageContaining("1e999 is too large");
    assertThatThrownBy(() -> record("9".repeat(400))).hasMessageContaining("... is too large");
  }

  private static Object record(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Json.parseRecord(bytes, 0, bytes.length, new AtomicLong());
  }

  @Test
  void settingsRefuseWhatNobodyAsksFor() {
    Settings settings = new Settings("table", Json.parse("{\"name\":\"a\",\"actrs\":3}"));
    assertThat(settings.text("name")).isEqualTo("a");
    assertThat(settings.integer("actors", 8)).isEqualTo(8);
    assertThatThrownBy(settings::finish)
        .hasMessage("table: unknown 'actrs'; did you mean 'actors'?");
    assertThatThrownBy(() -> settings.integer("name", 1))
        .hasMessage("table: 'name' must be a whole number");
    assertThatThrownBy(() -> new Settings("table", List.of()))
        .hasMessage("table: must be a JSON object");
  }

  private static void expect(String text, String message) {
    assertThatThrownBy(() -> Json.parse(text)).hasMessageContaining(message);
  }
}
