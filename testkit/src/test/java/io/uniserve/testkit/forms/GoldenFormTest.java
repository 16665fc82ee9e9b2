package io.uniserve.testkit.forms;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.codec.Form;
import io.uniserve.api.codec.Since;
import io.uniserve.api.codec.TypeRegistry;
import io.uniserve.api.form.Name;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the differences that golden bytes detect. */
class GoldenFormTest {

  @TempDir Path directory;

  @Name("Home")
  sealed interface Home {
    @Name("Flat")
    record Flat(int floor, Kind kind) implements Home {}

    @Name("House")
    record House(int floors) implements Home {}
  }

  @Name("Kind")
  enum Kind {
    @Name("OLD")
    OLD
  }

  @Name("Street")
  record Street(List<Home> homes, @Since(2) Optional<String> name) {}

  record Nameless(int number) {}

  enum Half {
    @Name("ONE")
    ONE,
    TWO
  }

  @Name("Halves")
  record Halves(Half half) {}

  private void check(int version, Class<?>... types) {
    new GoldenForm(
            directory,
            "streets",
            new Form("streets", 1, version, TypeRegistry.of(List.of(types))),
            Map.of(),
            new SampleValues())
        .check();
  }

  private void write(int version, String... lines) throws IOException {
    Files.write(directory.resolve("streets-" + version + ".golden"), List.of(lines));
  }

  private static final String OWN = "GoldenFormTest.";
  private static final String GOOD_FLAT = OWN + "Home.Flat 04466c617402034f4c44";
  private static final String GOOD_HOUSE = OWN + "Home.House 05486f75736502";
  private static final String GOOD_KIND = OWN + "Kind.OLD 044b696e64034f4c44";
  private static final String STREET_1 =
      OWN + "Street 06537472656574" + "01" + "04466c617402034f4c44";
  private static final String STREET_2 = STREET_1 + "01" + "046e616d65";

  @Test
  void whatIsAsItWasPasses() throws IOException {
    write(2, GOOD_FLAT, GOOD_HOUSE, GOOD_KIND, STREET_2);
    assertThatCode(() -> check(2, Street.class)).doesNotThrowAnyException();
  }

  @Test
  void aFormWithoutGoldenBytesFails() {
    assertThatThrownBy(() -> check(2, Street.class))
        .hasMessageContaining("has no golden bytes")
        .hasMessageContaining("-Dforms.write=true");
  }

  @Test
  void changedBytesAskForAVersion() throws IOException {
    write(2, GOOD_FLAT, GOOD_HOUSE.replace("02", "04"), GOOD_KIND, STREET_2);
    assertThatThrownBy(() -> check(2, Street.class))
        .hasMessageContaining(
            "the bytes of GoldenFormTest.Home.House in the form of streets changed")
        .hasMessageContaining("Raise the version of the form");
  }

  @Test
  void whatIsNewOrGoneFails() throws IOException {
    write(2, GOOD_FLAT, GOOD_KIND, STREET_2);
    assertThatThrownBy(() -> check(2, Street.class))
        .hasMessageContaining("something in the form of streets is new, or gone")
        .hasMessageContaining("GoldenFormTest.Home.House");
    write(2, GOOD_FLAT, GOOD_HOUSE, GOOD_KIND, STREET_2, OWN + "Home.Tent 04");
    assertThatThrownBy(() -> check(2, Street.class)).hasMessageContaining("Home.Tent");
  }

  @Test
  void namesThatNobodyDeclaredFail() {
    assertThatThrownBy(() -> check(1, Nameless.class))
        .hasMessageContaining("under a name that no @Name declares")
        .hasMessageContaining("Nameless");
    assertThatThrownBy(() -> check(1, Halves.class)).hasMessageContaining("Half.TWO");
  }

  @Test
  void olderBytesAreStillRead() throws IOException {
    write(1, GOOD_FLAT, GOOD_HOUSE, GOOD_KIND, STREET_1);
    write(2, GOOD_FLAT, GOOD_HOUSE, GOOD_KIND, STREET_2);
    assertThatCode(() -> check(2, Street.class)).doesNotThrowAnyException();

    write(1, GOOD_FLAT, GOOD_HOUSE, GOOD_KIND, STREET_2);
    assertThatThrownBy(() -> check(2, Street.class))
        .hasMessageContaining("reads GoldenFormTest.Street as version 1 wrote it");

    write(1, OWN + "Home.Tent 0454656e74");
    assertThatThrownBy(() -> check(2, Street.class))
        .hasMessageContaining("Home.Tent of version 1 is no longer read");
  }

  @Test
  void bytesOfAVersionToComeFail() throws IOException {
    write(3, GOOD_FLAT, GOOD_HOUSE, GOOD_KIND, STREET_2);
    assertThatThrownBy(() -> check(2, Street.class)).hasMessageContaining("yet to come");
  }
}
