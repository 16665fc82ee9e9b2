package io.uniserve.runtime.client.scan;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.runtime.wire.RuntimeForms;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The form of what a client keeps of a scan. */
class ScanFormsTest {
  private static final ScanCursor CURSOR = new ScanCursor(1, 2, Optional.of(3L), List.of());

  private static String with(int at, int value) {
    byte[] bytes = Base64.getUrlDecoder().decode(CURSOR.text());
    bytes[at] = (byte) value;
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  @Test
  void aCursorHasItsBytes() {
    RuntimeForms.check("scan-cursor", ScanCursor.FORM);
  }

  @Test
  void aCursorOfALaterVersionIsRefusedByThatName() {
    assertThatThrownBy(() -> ScanCursor.of(with(1, 99)))
        .hasMessageContaining("the form of the cursor of a scan has version 99");
  }

  @Test
  void whatIsNoCursorIsRefused() {
    assertThatThrownBy(() -> ScanCursor.of(with(0, 7)))
        .hasMessage("this is not the cursor of a scan");
    assertThatThrownBy(() -> ScanCursor.of("%")).hasMessage("this is not the cursor of a scan");
  }
}
