package io.uniserve.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of package names: a package is named after its subject, belongs to one module, and defines
 * its terms.
 */
class NamesTest {
  private static final Set<String> DRAWERS =
      Set.of("util", "utils", "common", "impl", "manager", "managers", "helper", "helpers", "misc");

  static List<String> modules() {
    return Modules.NAMES;
  }

  @Test
  void noPackageIsADrawer() {
    assertThat(Modules.CLASSES)
        .extracting(JavaClass::getPackageName)
        .allSatisfy(name -> assertThat(name.split("\\.")).doesNotContainAnyElementsOf(DRAWERS));
  }

  @Test
  void aPackageBelongsToOneModule() {
    Map<String, Set<String>> modulesByPackage = new TreeMap<>();
    for (JavaClass type : Modules.CLASSES) {
      Modules.of(type)
          .ifPresent(
              module ->
                  modulesByPackage
                      .computeIfAbsent(type.getPackageName(), name -> new TreeSet<>())
                      .add(module));
    }

    assertThat(modulesByPackage).allSatisfy((name, modules) -> assertThat(modules).hasSize(1));
  }

  @ParameterizedTest
  @MethodSource("modules")
  void everyPackageIsDescribed(String module) throws IOException {
    Path sources = Modules.mainSources(module);
    if (!Files.isDirectory(sources)) {
      return;
    }
    try (Stream<Path> files = Files.walk(sources)) {
      assertThat(files.filter(file -> file.toString().endsWith(".java")).map(Path::getParent))
          .allSatisfy(directory -> assertThat(directory.resolve("package-info.java")).exists());
    }
  }
}
