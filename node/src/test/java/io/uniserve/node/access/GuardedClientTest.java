package io.uniserve.node.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Answer;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.notes.LocalClient;
import io.uniserve.node.notes.Note;
import io.uniserve.node.notes.NotesActor;
import io.uniserve.runtime.client.Backups;
import io.uniserve.runtime.client.ClusterAdmin;
import io.uniserve.runtime.client.ClusterView;
import io.uniserve.runtime.client.Queries;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.Tables;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.Updates;
import io.uniserve.runtime.wire.cluster.ScalingSettings;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A caller cannot do what it may not do, whatever surface it uses. */
class GuardedClientTest {
  private final LocalClient cluster = new LocalClient();
  private final GuardedClient client = new GuardedClient(cluster);

  @BeforeEach
  void create() {
    cluster.createNotes("mine");
    cluster.createNotes("other");
  }

  /** Every way into the cluster is guarded: each part is, and each short way leads through one. */
  @Test
  void guardsEveryPart() throws Exception {
    for (Method method : UniserveClient.class.getMethods()) {
      if (Modifier.isAbstract(method.getModifiers()) && !method.getName().equals("close")) {
        assertThat(method.invoke(client).getClass().getSimpleName())
            .as(method.getName())
            .startsWith("Guarded");
      }
    }
    assertThat(GuardedClient.class.getSuperclass()).isEqualTo(Object.class);
  }

  /** A method that is added to a part, with or without a body there, must be considered here. */
  @Test
  void guardsEveryMethod() {
    guardsAll(GuardedQueries.class, Queries.class);
    guardsAll(GuardedUpdates.class, Updates.class);
    guardsAll(GuardedTables.class, Tables.class);
    guardsAll(GuardedBackups.class, Backups.class);
    guardsAll(GuardedAdmin.class, ClusterAdmin.class);
    guardsAll(GuardedView.class, ClusterView.class);
  }

  private static void guardsAll(Class<?> guard, Class<?> part) {
    List<String> guarded =
        Arrays.stream(guard.getDeclaredMethods())
            .filter(method -> !method.isBridge())
            .map(GuardedClientTest::signature)
            .toList();
    assertThat(Arrays.stream(part.getMethods()).map(GuardedClientTest::signature))
        .isNotEmpty()
        .allMatch(guarded::contains);
  }

  private static String signature(Method method) {
    return method.getName() + Arrays.toString(method.getParameterTypes());
  }

  private static <T> T as(String rights, Callable<T> work) throws Exception {
    Caller caller = new Caller("t", Rights.of(List.of(rights.split(" "))));
    Object[] result = new Object[1];
    caller.<Exception>run(() -> result[0] = work.call());
    @SuppressWarnings("unchecked")
    T typed = (T) result[0];
    return typed;
  }

  private static AbstractThrowableAssert<?, ?> refused(String rights, Callable<?> work) {
    return assertThatThrownBy(() -> as(rights, work))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FORBIDDEN));
  }

  private Object query(String table) {
    TableDefinition definition = cluster.state().requireTable(table).definition();
    Plan<?> plan = cluster.planner(definition).plan(definition, "x", Map.of());
    return client.query(plan, QueryOptions.DEFAULT);
  }

  @Test
  void readingNeedsTheRightToRead() throws Exception {
    assertThat(as("read:mine", () -> query("mine"))).isNotNull();
    assertThat(as("read:*", () -> query("other"))).isNotNull();
    refused("read:mine", () -> query("other")).hasMessage("token 't' may not read table 'other'");
    refused("write:mine", () -> query("mine"));
  }

  @Test
  void whatAPlanBecomesIsAskedAbout() throws Exception {
    TableDefinition mine = cluster.state().requireTable("mine").definition();
    TableDefinition other = cluster.state().requireTable("other").definition();
    Plan.Nested<?> begun = begun(plan(mine).then(found -> plan(other)));
    // The client may continue the plan on any thread.
    assertThatThrownBy(() -> begun.next().apply(List.of("found")))
        .hasMessage("token 't' may not read table 'other'");
  }

  @Test
  void whatIsKnownNeedsNoRight() throws Exception {
    Plan<Object> plan = plan(cluster.state().requireTable("mine").definition());
    Plan.Nested<?> begun = begun(plan.then(Plan.Known::new));
    assertThat(begun.next().apply(List.of("found"))).isEqualTo(new Plan.Known<>("found"));
  }

  /**
   * Returns the plan that a client receives when a caller who may read one table runs a nested
   * plan.
   */
  private Plan.Nested<?> begun(Plan<Object> nested) throws Exception {
    AtomicReference<Plan<?>> passed = new AtomicReference<>();
    Queries recorder =
        (Queries)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Queries.class},
                (proxy, method, arguments) -> {
                  passed.set((Plan<?>) arguments[0]);
                  return null;
                });
    as("read:mine", () -> new GuardedQueries(recorder).query(nested, QueryOptions.DEFAULT));
    return (Plan.Nested<?>) passed.get();
  }

  @SuppressWarnings("unchecked")
  private Plan<Object> plan(TableDefinition table) {
    return (Plan<Object>) cluster.planner(table).plan(table, "x", Map.of());
  }

  @Test
  void writingNeedsTheRightToWrite() {
    refused("read:mine", () -> client.update("mine", null, List.of(), null))
        .hasMessage("token 't' may not write table 'mine'");
    refused("read:* write:other", () -> client.updateAll("mine", null, null));
    assertThatThrownBy(
            () -> as("write:mine", () -> client.updateAll("mine", new Telling(false), null)))
        .hasMessageContaining("runs no updates of all actors");
  }

  /** An update that does nothing, and may report what it has found. */
  private record Telling(boolean reads) implements UpdateFunction.Eventual<NotesActor, Note> {
    @Override
    public Answer update(NotesActor actor, List<Note> records) {
      return Answer.NONE;
    }
  }

  @Test
  void aChangeThatTellsWhatThereIsNeedsTheRightToReadAsWell() {
    Telling telling = new Telling(true);
    refused("write:mine", () -> client.updateAll("mine", telling, null))
        .hasMessage("token 't' may not read table 'mine'");
    refused("write:mine", () -> client.update("mine", telling, List.of(), null))
        .hasMessage("token 't' may not read table 'mine'");
    refused(
            "write:mine",
            () -> client.query(new Plan.Update("mine", telling, List.of()), QueryOptions.DEFAULT))
        .hasMessage("token 't' may not read table 'mine'");
    assertThatThrownBy(
            () -> as("read:mine write:mine", () -> client.updateAll("mine", telling, null)))
        .hasMessageContaining("runs no updates of all actors");
  }

  @Test
  void anotherSchemaNeedsTheRightToWriteTheTable() throws Exception {
    Plan<TableDefinition> plan = new Plan.Redefine("mine", now -> Optional.empty());
    refused("read:* write:other", () -> client.query(plan, QueryOptions.DEFAULT))
        .hasMessage("token 't' may not write table 'mine'");
    Plan<Object> later = plan.then(now -> new Plan.Known<>("done"));
    assertThatThrownBy(() -> begun(later)).hasMessage("token 't' may not write table 'mine'");
  }

  @Test
  void tablesAreMadeAndDroppedByAdministrators() throws Exception {
    TableDefinition definition = cluster.state().requireTable("mine").definition();
    refused("read:* write:*", () -> client.createTable(definition, Duration.ZERO));
    refused(
            "read:* write:*",
            () -> {
              client.dropTable("mine", Duration.ZERO);
              return null;
            })
        .hasMessageContaining("drop table 'mine'")
        .hasMessageContaining("'admin'");
    as(
        "admin",
        () -> {
          client.dropTable("mine", Duration.ZERO);
          return null;
        });
    assertThat(cluster.state().table("mine")).isEmpty();
  }

  @Test
  void placementIsForAdministratorsAndLoadForThoseWhoSeeTheWholeCluster() {
    Duration soon = Duration.ofSeconds(1);
    refused("read:* write:*", () -> client.admin().decidePlacement(Optional.empty(), false, soon));
    refused("read:* write:*", () -> client.admin().pin("mine", 0, "s1", true, soon));
    refused("read:* write:*", () -> client.admin().split("mine", 0, Optional.empty(), soon));
    refused("read:* write:*", () -> client.admin().pausePlacement(true, soon));
    refused("read:* write:*", () -> client.admin().split("mine", 0, Optional.empty(), soon));
    refused("read:* write:*", () -> client.admin().merge("mine", 0, Optional.empty(), soon));
    refused("read:mine", () -> client.view().load(soon));
  }

  @Test
  void theSizeOfTheClusterIsForAdministrators() {
    Duration soon = Duration.ofSeconds(1);
    ScalingSettings settings =
        new ScalingSettings(1, 2, "utilisation:0.3-0.7", ScalingSettings.INTERVAL, false);
    refused("read:* write:*", () -> client.admin().scale(settings, soon));
    refused("read:mine", () -> client.view().scaling(soon));
  }

  @Test
  void othersTablesAreNotSeen() throws Exception {
    assertThat(as("write:mine", client::state).tableIds()).containsOnlyKeys("mine");
    assertThat(as("write:mine", client::state).tables()).hasSize(1);
    assertThat(as("read:*", client::state)).isSameAs(cluster.state());
    assertThat(as("read:mine", () -> client.table("mine"))).isPresent();
    refused("read:mine", () -> client.table("other"));
    refused("read:mine", () -> client.table("nowhere"));
    refused("read:mine", () -> client.view().statuses(Duration.ZERO));
    refused("read:mine", () -> client.view().onChange((state, record) -> {}));
  }

  @Test
  void nothingIsDoneForNobodyKnown() {
    assertThatThrownBy(client::state)
        .isInstanceOfSatisfying(
            UniserveException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAUTHENTICATED));
    assertThatThrownBy(() -> query("mine")).isInstanceOf(UniserveException.class);
  }
}
