package io.uniserve.druidtests;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.druid.sql.calcite.TestedWalker;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** A run of Druid's tests, and what came of it. */
final class SuiteRun implements TestExecutionListener {
  private int passed;
  private int failed;
  private int left;
  private final SortedMap<String, List<String>> failures = new TreeMap<>();

  private SuiteRun() {}

  /**
   * Runs the tests of some classes.
   *
   * @param actors the number of actors of each table, or 0 for a run on Druid's own walker
   */
  static SuiteRun of(List<String> classes, int actors) {
    TestedWalker.use(druids -> actors == 0 ? druids : new ActorComponents(druids, actors));
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(
                classes.stream()
                    .map(name -> "org.apache.druid.sql.calcite." + name)
                    .map(DiscoverySelectors::selectClass)
                    .toList())
            .build();
    SuiteRun run = new SuiteRun();
    LauncherFactory.create().execute(request, run);
    return run;
  }

  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    left++;
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    switch (result.getStatus()) {
      case SUCCESSFUL -> passed += test.isTest() ? 1 : 0;
      case ABORTED -> left++;
      case FAILED -> {
        failed++;
        failures
            .computeIfAbsent(name(test), name -> new ArrayList<>())
            .add(result.getThrowable().map(SuiteRun::text).orElse(""));
      }
    }
  }

  private static String name(TestIdentifier test) {
    return test.getSource()
        .filter(MethodSource.class::isInstance)
        .map(MethodSource.class::cast)
        .map(method -> method.getClassName().replaceAll(".*\\.", "") + "#" + method.getMethodName())
        .orElse(test.getDisplayName());
  }

  private static String text(Throwable failure) {
    StringBuilder text = new StringBuilder();
    for (Throwable each = failure; each != null; each = each.getCause()) {
      text.append(each).append('\n');
      int frames = each.getCause() == null ? 40 : 4;
      for (int i = 0; i < Math.min(frames, each.getStackTrace().length); i++) {
        text.append("    ").append(each.getStackTrace()[i]).append('\n');
      }
    }
    return text.toString();
  }

  /** Returns the number of tests that passed; each invocation of a parameterised one counts. */
  int passed() {
    return passed;
  }

  /** Returns the number of tests that failed. */
  int failed() {
    return failed;
  }

  /** Returns the number of tests that left themselves out. */
  int left() {
    return left;
  }

  /** Returns the failures, by the names of the tests' methods. */
  SortedMap<String, List<String>> failures() {
    return failures;
  }
}
