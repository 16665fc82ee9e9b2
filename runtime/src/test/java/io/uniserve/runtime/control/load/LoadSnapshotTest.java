package io.uniserve.runtime.control.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LoadSnapshotTest {
  @Test
  void anActorKeepsItsCopiesUntilItIsWellBelowWhatFewerBear() {
    // The mean is 1, so three copies came of a load above 2; 0.7 of the load that two bear is 1.4.
    assertThat(LoadSnapshot.kept(1, 3, 2.5, 0.7)).isEqualTo(3);
    assertThat(LoadSnapshot.kept(1, 3, 1.5, 0.7)).isEqualTo(3);
    assertThat(LoadSnapshot.kept(1, 3, 1.3, 0.7)).isEqualTo(2);
    assertThat(LoadSnapshot.kept(1, 3, 0.6, 0.7)).isEqualTo(1);
  }

  @Test
  void anActorNeverKeepsFewerThanItsTableAsksFor() {
    assertThat(LoadSnapshot.kept(2, 4, 0, 0.7)).isEqualTo(2);
    assertThat(LoadSnapshot.kept(2, 1, 0, 0.7)).isEqualTo(2);
  }

  @Test
  void withoutAnyLoadNoCopyIsKeptForIt() {
    assertThat(LoadSnapshot.kept(1, 4, 0, 0)).isEqualTo(1);
  }
}
