package io.uniserve.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.UniserveException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OnLossTest {
  @ParameterizedTest
  @ValueSource(strings = {"wait", "restore-after 0", "restore-after 30", "restore-after 86400"})
  void isReadAsItIsWritten(String text) {
    assertThat(OnLoss.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "Wait", "restore-after", "restore-after -5", "restore-after 5 ", "30"})
  void anythingElseIsRefusedByName(String text) {
    assertThatThrownBy(() -> OnLoss.parse(text))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("'" + text + "'")
        .hasMessageContaining("'wait' or 'restore-after SECONDS'");
  }

  @Test
  void aTimeOfMoreThanADayIsRefusedInItsOwnUnit() {
    assertThatThrownBy(() -> OnLoss.parse("restore-after 86401"))
        .isInstanceOf(UniserveException.class)
        .hasMessage("on-loss: restore-after takes 0 to 86400 seconds, not 86401");
  }

  @Test
  void onlyEventualTablesWithAStoreGoOnByThemselves() {
    assertThat(OnLoss.of(Consistency.EVENTUAL, Durability.ASYNCHRONOUS))
        .isEqualTo(OnLoss.restoreAfter(Duration.ofSeconds(30)));
    assertThat(OnLoss.of(Consistency.EVENTUAL, Durability.NONE)).isEqualTo(OnLoss.WAIT);
    for (Consistency level : Consistency.values()) {
      if (level != Consistency.EVENTUAL) {
        assertThat(OnLoss.of(level, Durability.ASYNCHRONOUS)).isEqualTo(OnLoss.WAIT);
      }
    }
  }
}
