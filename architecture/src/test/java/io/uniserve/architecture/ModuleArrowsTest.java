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

/** The arrows of the layout: whatever is not listed here is refused. */
class ModuleArrowsTest {
  private static final Set<String> JAVA_BASE =
      ModuleLayer.boot().findModule("java.base").orElseThrow().getPackages();

  /** The single-node index that the search engine spreads; a library, no engine of its own. */
  private static final String TEXT_INDEX = "engines/textindex";

  /** What reads SQL, up to what cuts it into stages for the warehouse; libraries, too. */
  private static final List<String> SQL =
      List.of(
          "engines/sqlsyntax",
          "engines/sqlalgebra",
          "engines/sqlestimates",
          "engines/sqlrewrites",
          "engines/sqlplanner");

  /** Those of them that a warehouse and its backends see. */
  private static final List<String> SQL_OF_A_WAREHOUSE =
      List.of("engines/sqlsyntax", "engines/sqlalgebra", "engines/sqlplanner");

  private static final String WAREHOUSE = "engines/warehouse";

  /** What the warehouse is made of, each above those before; libraries, too. */
  private static final String ARROW_ROWS = "engines/arrowrows";

  private static final String SQL_BACKEND = "engines/sqlbackend";
  private static final String DUCKDB = "engines/duckdb";
  private static final String SQL_WHOLE = "engines/sqlwhole";
  private static final String SQL_STAGES = "engines/sqlstages";
  private static final String SQL_CHANGES = "engines/sqlchanges";

  /** What Flight SQL says of it. */
  private static final String SQL_FLIGHT = "engines/sqlflight";

  /** Those of them whose rows, queries and changes a gateway speaks of. */
  private static final Set<String> WAREHOUSE_LIBRARIES =
      Set.of(ARROW_ROWS, SQL_BACKEND, SQL_STAGES, SQL_CHANGES, SQL_FLIGHT);

  /** A second backend of the warehouse, which is no part of the program. */
  private static final String MONETDB = "engines/monetdb";

  static List<String> modules() {
    return Modules.NAMES;
  }

  static List<String> gateways() {
    return Modules.NAMES.stream().filter(module -> module.startsWith("gateways/")).toList();
  }

  /** The modules that a module's main classes may use. */
  private static Set<String> targets(String module) {
    return switch (module) {
      case "api" -> Set.of();
      case "kernel", "policy", "surfaces" -> Set.of("api");
      case "runtime" -> Set.of("api", "kernel", "policy");
      case "solvers" -> Set.of("api", "policy");
      case "simulation" -> Set.of("api", "kernel", "policy", "solvers", "runtime");
      case "node" ->
          Set.of("api", "kernel", "policy", "solvers", "runtime", "surfaces", "simulation");
      case "examples" -> Set.of("api", "node", "runtime");
      case "seeds", "processes", "architecture" -> Set.of();
      default -> targetsByFolder(module);
    };
  }

  private static Set<String> targetsByFolder(String module) {
    if (module.equals("engines/search")) {
      return Set.of("api", TEXT_INDEX);
    }
    if (SQL.contains(module)) {
      return union(SQL.subList(0, SQL.indexOf(module)), "api");
    }
    if (module.equals(SQL_BACKEND)) {
      return union(SQL_OF_A_WAREHOUSE, "api", ARROW_ROWS);
    }
    if (module.equals(DUCKDB)) {
      return union(SQL_OF_A_WAREHOUSE, "api", ARROW_ROWS, SQL_BACKEND);
    }
    if (module.equals(SQL_WHOLE)) {
      return union(SQL_OF_A_WAREHOUSE, "api", DUCKDB);
    }
    if (module.equals(SQL_STAGES)) {
      return union(SQL_OF_A_WAREHOUSE, "api", ARROW_ROWS, SQL_BACKEND, DUCKDB, SQL_WHOLE);
    }
    if (module.equals(SQL_CHANGES)) {
      return union(SQL_OF_A_WAREHOUSE, "api", ARROW_ROWS, SQL_BACKEND, SQL_WHOLE, SQL_STAGES);
    }
    if (module.equals(SQL_FLIGHT)) {
      return Set.of("api", ARROW_ROWS, SQL_BACKEND, SQL_STAGES);
    }
    if (module.equals(WAREHOUSE)) {
      return union(SQL_OF_A_WAREHOUSE, "api", SQL_BACKEND, DUCKDB, SQL_STAGES, SQL_CHANGES);
    }
    if (module.equals(MONETDB)) { // the other backend is none of its business
      return union(SQL_OF_A_WAREHOUSE, "api", ARROW_ROWS, SQL_BACKEND, WAREHOUSE);
    }
    if (module.startsWith("engines/")) {
      return Set.of("api");
    }
    if (module.startsWith("providers/")) {
      return Set.of("api", "runtime");
    }
    if (module.startsWith("bench")) {
      return Set.copyOf(Modules.NAMES);
    }
    assertThat(module)
        .as("a module outside engines/, gateways/, providers/ and bench/")
        .startsWith("gateways/");
    Set<String> allowed = new TreeSet<>(Set.of("api", "runtime", "surfaces", TEXT_INDEX));
    allowed.addAll(WAREHOUSE_LIBRARIES);
    Modules.NAMES.stream().filter(ModuleArrowsTest::isEngine).forEach(allowed::add);
    return allowed;
  }

  private static Set<String> union(List<String> modules, String... others) {
    Set<String> all = new TreeSet<>(modules);
    all.addAll(List.of(others));
    return all;
  }

  private static boolean isEngine(String module) {
    return module.startsWith("engines/")
        && !SQL.contains(module)
        && !WAREHOUSE_LIBRARIES.contains(module)
        && !Set.of("engines/testkit", TEXT_INDEX, MONETDB, DUCKDB, SQL_WHOLE).contains(module);
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
            Stream.of("seeds", "processes")
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
