package io.uniserve.testkit.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Tests that the kit accepts a sound engine, and finds every defect by its check. */
class EngineConformanceTest {
  @AfterEach
  void mend() {
    LedgerConformance.defect = Defect.NONE;
  }

  @Test
  void aSoundEnginePassesEveryCheck() {
    Results results = run(Defect.NONE, check -> true);

    assertThat(results.failed).isEmpty();
    assertThat(results.passed).hasSizeGreaterThan(15);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void aDefectIsFoundByItsCheck(Defect defect) {
    Results results = run(defect, defect.check()::equals);

    assertThat(results.failed).containsOnlyKeys(defect.check());
    assertThat(results.failed.get(defect.check())).isNotInstanceOf(NullPointerException.class);
  }

  private static Results run(Defect defect, Predicate<String> checks) {
    LedgerConformance.defect = defect;
    PostDiscoveryFilter filter =
        test ->
            FilterResult.includedIf(
                test.getSource().filter(source -> fits(source, checks)).isPresent());
    Results results = new Results();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(LedgerConformance.class))
                .filters(filter)
                .build(),
            results);
    return results;
  }

  private static boolean fits(TestSource source, Predicate<String> checks) {
    return !(source instanceof MethodSource method) || checks.test(method.getMethodName());
  }

  /** The results by the names of the checks. A skipped check is in neither. */
  private static final class Results implements TestExecutionListener {
    private final Set<String> passed = new TreeSet<>();
    private final Map<String, Throwable> failed = new TreeMap<>();

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (test.isTest() && test.getSource().orElseThrow() instanceof MethodSource method) {
        switch (result.getStatus()) {
          case SUCCESSFUL -> passed.add(method.getMethodName());
          case FAILED -> failed.put(method.getMethodName(), result.getThrowable().orElseThrow());
          case ABORTED -> {} // does not apply
        }
      }
    }
  }
}
