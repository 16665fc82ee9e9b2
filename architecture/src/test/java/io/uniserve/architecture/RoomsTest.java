package io.uniserve.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of the packages of the largest parts, in order: each uses only those before it. */
class RoomsTest {
  /** The name for the package of the part itself, among its subpackages. */
  private static final String SELF = "";

  private static final Map<String, List<String>> ROOMS =
      new TreeMap<>(
          Map.of(
              "api",
              List.of("form", "error", "partition", SELF, "codec", "policy"),
              "runtime.wire",
              List.of(
                  "entry",
                  "ring",
                  "stream",
                  "cluster",
                  "plan",
                  SELF,
                  "tls",
                  "grpc",
                  "subscription"),
              "runtime.store",
              List.of(SELF, "backup", "directory", "s3", "location"),
              "runtime.server",
              List.of(
                  "keys",
                  "engine",
                  "checkpoint",
                  "actor",
                  "replica",
                  "plan.chunk",
                  "plan",
                  "base",
                  "membership",
                  "restore",
                  "backup",
                  "replication",
                  "update",
                  "reshape",
                  "query",
                  "scan",
                  "load",
                  SELF),
              "runtime.control",
              List.of(
                  "raft",
                  "settings",
                  "load",
                  "log",
                  "copies",
                  "transactions",
                  "reshape",
                  "ring",
                  "stream",
                  "placement",
                  "scaling",
                  SELF),
              "runtime.client",
              List.of(
                  "plan",
                  SELF,
                  "load",
                  "group",
                  "context",
                  "retrieve",
                  "tables",
                  "update",
                  "run",
                  "session",
                  "scan",
                  "stream",
                  "cluster"),
              "node.http",
              List.of(
                  "base",
                  "metrics",
                  "document",
                  "event",
                  "api",
                  "error",
                  "access",
                  "connection",
                  SELF),
              "node.cli",
              List.of("option", "cluster", "process", "sql", SELF),
              "sql",
              List.of(
                  "syntax",
                  "algebra.functions",
                  "algebra",
                  "estimates",
                  "rewrites",
                  "planner",
                  "arrow",
                  "backend",
                  "whole",
                  "stages",
                  "changes"),
              "textindex",
              List.of(
                  "schema",
                  "document",
                  "codec",
                  "phrase",
                  "query",
                  "request",
                  "collect",
                  "highlight",
                  SELF)));

  static Set<String> parts() {
    return ROOMS.keySet();
  }

  @ParameterizedTest
  @MethodSource("parts")
  void aRoomUsesOnlyTheRoomsBeforeIt(String part) {
    List<String> names = ROOMS.get(part).stream().map(room -> packageOf(part, room)).toList();
    for (int i = 0; i + 1 < names.size(); i++) {
      noClasses()
          .that()
          .resideInAPackage(names.get(i))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(names.subList(i + 1, names.size()).toArray(String[]::new))
          .check(Modules.CLASSES);
    }
  }

  @ParameterizedTest
  @MethodSource("parts")
  void everyRoomIsListed(String part) {
    String name = packageOf(part, SELF);

    assertThat(
            Modules.CLASSES.stream()
                .map(JavaClass::getPackageName)
                .filter(other -> other.equals(name) || other.startsWith(name + "."))
                .collect(Collectors.toSet()))
        .containsExactlyInAnyOrderElementsOf(
            ROOMS.get(part).stream().map(room -> packageOf(part, room)).toList());
  }

  @Test
  void noPackagesUseEachOther() {
    slices().matching("io.uniserve.(**)").should().beFreeOfCycles().check(Modules.CLASSES);
  }

  private static String packageOf(String part, String room) {
    return "io.uniserve." + part + (room.equals(SELF) ? "" : "." + room);
  }
}
