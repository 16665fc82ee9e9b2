package io.uniserve.surfaces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.UniserveException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutsideTextTest {
  private static final String TEXT = "caf\u00e9 \ud83c\udfac\n";

  private static String read(byte[] text, Charset charset) {
    return new String(OutsideText.utf8(text, charset, "the body"), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-8", "UTF-16", "UTF-16LE", "UTF-16BE", "GB18030", "UTF-32"})
  void everyCharsetIsReadAsItIs(String name) {
    Charset charset = Charset.forName(name);

    assertThat(read(TEXT.getBytes(charset), charset)).isEqualTo(TEXT);
    String longer = TEXT.repeat(9_999);
    assertThat(read(longer.getBytes(charset), charset)).isEqualTo(longer);
    assertThat(read(("\ufeff" + TEXT).getBytes(charset), charset)).isEqualTo(TEXT);
    assertThat(read(new byte[0], charset)).isEmpty();
  }

  @Test
  void bytesThatAreNoCharacterAreRefusedWithTheirLine() {
    byte[] latin =
        ("ab\n" + "x".repeat(20_000) + "\ncaf\u00e9").getBytes(StandardCharsets.ISO_8859_1);

    assertThat(read(latin, StandardCharsets.ISO_8859_1)).endsWith("caf\u00e9");
    assertThatThrownBy(() -> read(latin, StandardCharsets.UTF_8))
        .isInstanceOf(UniserveException.class)
        .hasMessage("the body is not UTF-8: byte 0xE9 on line 3");
    assertThatThrownBy(() -> read(latin, StandardCharsets.US_ASCII))
        .hasMessage("the body is not US-ASCII: byte 0xE9 on line 3");
  }

  /**
   * Checks a surrogate, an overlong form, a truncated character, one beyond the last, and UTF-16.
   */
  @Test
  void utf8IsReadStrictly() {
    byte[][] wrong = {
      {(byte) 0xed, (byte) 0xa0, (byte) 0x80},
      {(byte) 0xc0, (byte) 0x80},
      {'a', (byte) 0xe2, (byte) 0x82},
      {(byte) 0xf4, (byte) 0x90, (byte) 0x80, (byte) 0x80},
      {(byte) 0xff, (byte) 0xfe, 'a', 0},
      {'a', 0, 'b', 0}
    };
    for (byte[] bytes : wrong) {
      assertThatThrownBy(() -> read(bytes, StandardCharsets.UTF_8))
          .as(Arrays.toString(bytes))
          .isInstanceOf(UniserveException.class)
          .hasMessageStartingWith("the body is not UTF-8");
    }
  }

  @Test
  void aCharsetIsFoundInAContentType() {
    assertThat(OutsideText.charset("text/csv; header=present; Charset=\"iso-8859-1\""))
        .contains(StandardCharsets.ISO_8859_1);
    assertThat(OutsideText.charset("text/csv")).isEmpty();
    assertThat(OutsideText.charset(null)).isEmpty();
    assertThatThrownBy(() -> OutsideText.charset("text/csv;charset=klingon"))
        .hasMessage("charset 'klingon' is not known");
    assertThatThrownBy(() -> OutsideText.charset("text/csv;charset=")).hasMessageContaining("''");
  }

  @Test
  void halfACharacterIsRefused() {
    assertThat(OutsideText.requireWhole(TEXT)).isEqualTo(TEXT);
    for (String half : new String[] {"a\ud83c", "\udfaca", "\ud83cx", "\ud83c\ud83c\udfac"}) {
      assertThatThrownBy(() -> OutsideText.requireWhole(half))
          .hasMessageContaining("half a character");
    }
  }

  @Test
  void xmlIsReadAsItsSenderOrItselfSays() {
    String body = "<a>caf\u00e9</a>";
    String latin = "<?xml version=\"1.0\" encoding='ISO-8859-1'?>" + body;
    byte[] declared = latin.getBytes(StandardCharsets.ISO_8859_1);

    assertThat(XmlText.decode(declared, Optional.empty())).isEqualTo(latin);
    assertThat(XmlText.decode(latin.getBytes(StandardCharsets.UTF_8), utf8())).isEqualTo(latin);
    assertThatThrownBy(() -> XmlText.decode(declared, utf8())).hasMessageContaining("0xE9");
    for (Charset charset : new Charset[] {StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE}) {
      assertThat(XmlText.decode(body.getBytes(charset), Optional.empty())).isEqualTo(body);
      assertThat(XmlText.decode(("\ufeff" + body).getBytes(charset), Optional.empty()))
          .isEqualTo(body);
    }
    assertThat(XmlText.decode(("\ufeff" + body).getBytes(StandardCharsets.UTF_8), Optional.empty()))
        .isEqualTo(body);
    byte[] unknown = "<?xml version='1.0' encoding='klingon'?>".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> XmlText.decode(unknown, Optional.empty()))
        .hasMessageContaining("klingon");
  }

  private static Optional<Charset> utf8() {
    return Optional.of(StandardCharsets.UTF_8);
  }
}
