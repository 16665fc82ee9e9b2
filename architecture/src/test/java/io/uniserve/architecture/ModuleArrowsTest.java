package io.uniserve.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of the dependencies of the layout: any that is not listed here is refused. */
class ModuleArrowsTest {
  private static final Set<String> JAVA_BASE =
      ModuleLayer.boot().findModule("java.base").orElseThrow().getPackages();

  /** The single-node index that the search engine distributes. */
  private static final String TEXT_INDEX = "libraries/textindex";

  /** The generator of tickets, which the demo loads. */
  private static final String TICKETS = "libraries/tickets";

  /** The planner that translates SQL text into stages. */
  private static final String SQL_PLANNER = "libraries/sql-planner";

  /** The translation of SQL into plans, on the port of a backend. */
  private static final String SQL_EXECUTION = "libraries/sql-execution";

  private static final String DUCKDB = "backends/duckdb";
  private static final String WAREHOUSE = "engines/warehouse";

  /** A second backend of the warehouse, which is not part of the program. */
  private static final String MONETDB = "backends/monetdb";

  static List<String> modules() {
    return Modules.NAMES;
  }

  static List<String> gateways() {
    return Modules.NAMES.stream().filter(module -> module.startsWith("gateways/")).toList();
  }

  /** Returns the modules that a module's main classes may use. */
  private static Set<String> targets(String module) {
    return switch (module) {
      case "api" -> Set.of();
      case "kernel", "policy", "surfaces" -> Set.of("api");
      case "runtime" -> Set.of("api", "kernel", "policy");
      case "runtime-testkit" -> Set.of("api", "runtime");
      case "solvers" -> Set.of("api", "policy");
      case "simulation" -> Set.of("api", "kernel", "policy", "solvers", "runtime");
      case "node" ->
          Set.of(
              "api", "kernel", "policy", "solvers", "runtime", "surfaces", "simulation", TICKETS);
      case "examples" -> Set.of("api", "node", "runtime");
      case "simulation-tests", "process-tests", "druid-tests", "architecture" -> Set.of();
      default -> targetsByFolder(module);
    };
  }

  private static Set<String> targetsByFolder(String module) {
    switch (module) {
      case TICKETS -> {
        return Set.of();
      }
      case TEXT_INDEX, SQL_PLANNER, "testkit" -> {
        return Set.of("api");
      }
      case SQL_EXECUTION -> {
        return Set.of("api", SQL_PLANNER);
      }
      case DUCKDB -> {
        return Set.of("api", SQL_PLANNER, SQL_EXECUTION);
      }
      case "engines/search" -> {
        return Set.of("api", TEXT_INDEX);
      }
      case WAREHOUSE -> {
        return Set.of("api", SQL_PLANNER, SQL_EXECUTION, DUCKDB);
      }
      case MONETDB -> { // MonetDB must not use the other backend
        return Set.of("api", SQL_PLANNER, SQL_EXECUTION, WAREHOUSE);
      }
      default -> {}
    }
    if (module.startsWith("engines/")) {
      return Set.of("api");
    }
    if (module.startsWith("providers/") || module.startsWith("streams/")) {
      return Set.of("api", "runtime");
    }
    if (module.startsWith("bench")) {
      return Set.copyOf(Modules.NAMES);
    }
    assertThat(module)
        .as(
            "a module outside engines/, backends/, libraries/, gateways/, providers/, streams/ and bench/")
        .startsWith("gateways/");
    Set<String> allowed =
        new TreeSet<>(Set.of("api", "runtime", "surfaces", TEXT_INDEX, SQL_EXECUTION));
    Modules.NAMES.stream().filter(ModuleArrowsTest::isEngine).forEach(allowed::add);
    return allowed;
  }

  private static boolean isEngine(String module) {
    return module.startsWith("engines/");
  }

  @ParameterizedTest
  @MethodSource("modules")
  void aModuleUsesOnlyTheModulesBelowIt(String module) {
    Set<String> allowed = targets(module);

    assertThat(foreignDependencies(module))
        .filteredOn(dependency -> !allowed.contains(targetModule(dependency).orElseThrow()))
        .extracting(Dependency::getDescription)
        .isEmpty();
  }

  @Test
  void theProgrammingModelUsesNothingButTheJavaBaseModule() {
    assertThat(Modules.classesOf("api"))
        .flatExtracting(JavaClass::getDirectDependenciesFromSelf)
        .filteredOn(dependency -> !isApiOrJavaBase(dependency.getTargetClass()))
        .extracting(Dependency::getDescription)
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("gateways")
  void aGatewaySeesTheRuntimeAsAClientDoes(String gateway) {
    assertThat(foreignDependencies(gateway))
        .filteredOn(dependency -> targetModule(dependency).equals(Optional.of("runtime")))
        .extracting(dependency -> element(dependency).getPackageName())
        .allMatch(name -> name.matches("io\\.uniserve\\.runtime\\.(client|wire)(\\..*)?"));
  }

  @ParameterizedTest
  @MethodSource("gateways")
  void aGatewayKnowsAtMostOneEngine(String gateway) {
    assertThat(foreignDependencies(gateway))
        .extracting(dependency -> targetModule(dependency).orElseThrow())
        .filteredOn(ModuleArrowsTest::isEngine)
        .satisfies(engines -> assertThat(new TreeSet<>(engines)).hasSizeLessThanOrEqualTo(1));
  }

  @ParameterizedTest
  @MethodSource("modules")
  void nothingBringsTheSecondBackend(String module) throws IOException {
    assumeThat(module).isNotIn(MONETDB, "architecture");

    assertThat(Files.readString(Modules.ROOT.resolve(module).resolve("pom.xml")))
        .doesNotContain("uniserve-monetdb");
  }

  @ParameterizedTest
  @MethodSource("modules")
  void nothingWaitsForTheLongestTests(String module) throws IOException {
    assertThat(Files.readString(Modules.ROOT.resolve(module).resolve("pom.xml")))
        .doesNotContain(
            Stream.of("simulation-tests", "process-tests", "druid-tests")
                .filter(name -> !name.equals(module))
                .map("uniserve-"::concat)
                .toList());
  }

  @Test
  void aPolicyReadsAndWritesNothing() {
    assertThat(Modules.classesOf("policy"))
        .flatExtracting(JavaClass::getDirectDependenciesFromSelf)
        .filteredOn(
            dependency ->
                element(dependency)
                    .getPackageName()
                    .matches("java\\.(net|nio\\.(file|channels))(\\..*)?"))
        .extracting(Dependency::getDescription)
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("modules")
  void everyModuleWithSourcesIsLookedAt(String module) throws IOException {
    Path sources = Modules.mainSources(module);
    if (!Files.isDirectory(sources)) {
      return;
    }
    try (Stream<Path> files = Files.walk(sources)) {
      boolean hasClasses =
          files
              .map(file -> file.getFileName().toString())
              .anyMatch(name -> name.endsWith(".java") && !name.equals("package-info.java"));
      assertThat(!hasClasses || !Modules.classesOf(module).isEmpty())
          .as("architecture/pom.xml depends on " + module)
          .isTrue();
    }
  }

  private static List<Dependency> foreignDependencies(String module) {
    return Modules.classesOf(module).stream()
        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
        .filter(dependency -> targetModule(dependency).isPresent())
        .filter(dependency -> !targetModule(dependency).equals(Optional.of(module)))
        .toList();
  }

  private static Optional<String> targetModule(Dependency dependency) {
    return Modules.of(element(dependency));
  }

  private static JavaClass element(Dependency dependency) {
    return dependency.getTargetClass().getBaseComponentType();
  }

  private static boolean isApiOrJavaBase(JavaClass type) {
    JavaClass element = type.getBaseComponentType();
    return element.isPrimitive()
        || JAVA_BASE.contains(element.getPackageName())
        || Modules.of(element).equals(Optional.of("api"));
  }
}
