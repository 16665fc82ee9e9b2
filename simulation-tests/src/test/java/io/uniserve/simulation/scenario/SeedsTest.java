package io.uniserve.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of the number of seeds in a build, and of the processors that it uses. */
class SeedsTest {
  private static final Path STATUS = Path.of("/proc/self/stat");

  /**
   * The index of the nice value among the fields after the name of the program, counted from 0
   * (proc(5)).
   */
  private static final int NICE = 16;

  @Test
  void aBuildPlaysAboutThreeHundredSeeds() {
    assumeTrue(System.getProperty("seed") == null && System.getProperty("seeds") == null);
    assertThat(
            Stream.of(
                    ClusterScenarioTest.class,
                    ControllersScenarioTest.class,
                    LedgerScenarioTest.class)
                .flatMap(test -> Stream.of(test.getDeclaredMethods()))
                .map(method -> method.getAnnotation(MethodSource.class))
                .filter(source -> source != null)
                .mapToLong(source -> count(source.value()[0]))
                .sum())
        .isBetween(300L, 350L);
  }

  private static long count(String source) {
    return switch (source.substring(source.indexOf('#') + 1)) {
      case "few" -> Seeds.few().count();
      case "some" -> Seeds.some().count();
      case "many" -> Seeds.many().count();
      default -> throw new IllegalArgumentException("no seeds are called " + source);
    };
  }

  @Test
  void otherTestsGoFirst() throws IOException {
    assumeTrue(Files.exists(STATUS) && System.getProperty("surefire.real.class.path") != null);
    String status = Files.readString(STATUS);
    String[] fields = status.substring(status.lastIndexOf(')') + 2).split(" ");
    assertThat(Integer.parseInt(fields[NICE])).isGreaterThanOrEqualTo(10);
  }
}
