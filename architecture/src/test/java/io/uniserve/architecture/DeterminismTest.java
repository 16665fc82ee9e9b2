package io.uniserve.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.reflect.AccessFlag;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests for language features that no list of forbidden calls can name. A thread that waits for a
 * monitor is woken by the JVM rather than by the simulator's scheduler, so a seed would not replay.
 * An {@code assert} is off in production. The test reads class files, so comments and strings
 * cannot matter.
 */
class DeterminismTest {
  @ParameterizedTest
  @ValueSource(strings = {"api", "kernel", "policy", "runtime"})
  void nothingIsSynchronized(String module) {
    assertThat(Modules.classesOf(module))
        .flatExtracting(type -> monitorUsers(parse(type)))
        .as("use java.util.concurrent.locks.ReentrantLock instead of synchronized")
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"api", "kernel", "policy", "runtime"})
  void nothingIsAsserted(String module) {
    assertThat(Modules.classesOf(module))
        .filteredOn(type -> hasAssert(parse(type)))
        .as("throw an exception, or check an Invariant, instead of assert")
        .isEmpty();
  }

  @Test
  void theCheckSeesWhatItLooksFor() throws IOException {
    ClassModel offender = parse(Offender.class);

    assertThat(monitorUsers(offender))
        .extracting(text -> text.replaceAll(".*Offender\\.", ""))
        .containsExactlyInAnyOrder("method", "block");
    assertThat(hasAssert(offender)).isTrue();
    assertThat(monitorUsers(parse(Innocent.class))).isEmpty();
    assertThat(hasAssert(parse(Innocent.class))).isFalse();
  }

  private static List<String> monitorUsers(ClassModel type) {
    return type.methods().stream()
        .filter(DeterminismTest::usesMonitor)
        .map(method -> type.thisClass().asInternalName() + "." + method.methodName())
        .map(name -> name.replace('$', '.'))
        .toList();
  }

  private static boolean usesMonitor(MethodModel method) {
    return method.flags().has(AccessFlag.SYNCHRONIZED)
        || method.code().stream()
            .flatMap(CodeModel::elementStream)
            .anyMatch(DeterminismTest::enters);
  }

  private static boolean enters(Object element) {
    return element instanceof MonitorInstruction monitor && monitor.opcode() == Opcode.MONITORENTER;
  }

  /**
   * Returns whether a class has an assert. The compiler adds this field to every class that has
   * one.
   */
  private static boolean hasAssert(ClassModel type) {
    return type.fields().stream()
        .anyMatch(field -> field.fieldName().equalsString("$assertionsDisabled"));
  }

  private static ClassModel parse(JavaClass type) {
    try (InputStream bytes = type.getSource().orElseThrow().getUri().toURL().openStream()) {
      return ClassFile.of().parse(bytes.readAllBytes());
    } catch (IOException e) {
      throw new IllegalStateException("cannot read " + type.getName(), e);
    }
  }

  private static ClassModel parse(Class<?> type) throws IOException {
    String file = type.getName().substring(type.getPackageName().length() + 1) + ".class";
    try (InputStream bytes = type.getResourceAsStream(file)) {
      return ClassFile.of().parse(bytes.readAllBytes());
    }
  }

  private static final class Offender {
    private int count;

    private synchronized void method() {
      count++;
    }

    private void block() {
      synchronized (this) {
        count++;
      }
      assert count > 0;
    }
  }

  /** A class that mentions synchronized and assert in strings only. */
  private static final class Innocent {
    private static final String TEXT = "synchronized (this) { assert true; }";
  }
}
