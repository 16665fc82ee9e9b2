package io.uniserve.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that client, server and coordinator are separate programs in one process: they meet only in
 * wire.
 */
class RuntimePartsTest {
  private static final String RUNTIME = "io.uniserve.runtime";

  /** The parts that each part of the runtime may use. */
  private static final Map<String, Set<String>> PARTS =
      new TreeMap<>(
          Map.of(
              "wire", Set.of(),
              "store", Set.of("wire"),
              "control", Set.of("wire", "store"),
              "server", Set.of("wire", "store"),
              "client", Set.of("wire")));

  static Set<String> parts() {
    return PARTS.keySet();
  }

  @ParameterizedTest
  @MethodSource("parts")
  void aPartUsesOnlyThePartsBelowIt(String part) {
    String[] allowed =
        Stream.concat(Stream.of(part), PARTS.get(part).stream())
            .map(RuntimePartsTest::packages)
            .toArray(String[]::new);

    noClasses()
        .that()
        .resideInAPackage(packages(part))
        .should()
        .dependOnClassesThat(
            resideInAPackage(RUNTIME + "..")
                .and(DescribedPredicate.not(resideInAnyPackage(allowed))))
        .check(Modules.CLASSES);
  }

  @Test
  void everyClassOfTheRuntimeIsInAPart() {
    assertThat(Modules.classesOf("runtime"))
        .extracting(type -> type.getPackageName())
        .allMatch(name -> parts().stream().anyMatch(part -> isWithin(name, part)));
  }

  private static boolean isWithin(String name, String part) {
    return (name + ".").startsWith(RUNTIME + "." + part + ".");
  }

  private static String packages(String part) {
    return RUNTIME + "." + part + "..";
  }
}
