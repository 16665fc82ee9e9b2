package io.uniserve.simulation.scenario.cluster.check;

import io.uniserve.api.ActorId;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.model.Marks;
import io.uniserve.simulation.model.ModelActor;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The final state of the servers, once nothing happens any more. */
public final class FinalState {
  private final SimulatedCluster cluster;
  private final ClusterState state;
  private final TableState table;
  private final Holdings holdings;
  private final List<String> servers;

  public FinalState(
      SimulatedCluster cluster,
      ClusterShape shape,
      ClusterState state,
      Holdings holdings,
      List<String> servers) {
    this.cluster = cluster;
    this.state = state;
    this.table = state.requireTable(shape.table().name());
    this.holdings = holdings;
    this.servers = servers;
  }

  /** Returns whether each server has open exactly what it is assigned, and all copies are equal. */
  public boolean level() {
    return servers.stream().allMatch(this::opensWhatItIsAssigned)
        && servers.stream()
            .flatMap(server -> open(server).stream())
            .allMatch(actor -> actor.prepared().isEmpty() && actor.marks().equals(marks()))
        && allJournals().values().stream()
            .allMatch(copies -> copies.stream().distinct().count() == 1);
  }

  private Marks marks() {
    return Marks.of(table.definition());
  }

  private boolean opensWhatItIsAssigned(String server) {
    List<Integer> open =
        open(server).stream().map(actor -> actor.context().actor()).sorted().toList();
    return open.size() == holdings.open(server).size() && open.equals(assigned(server));
  }

  private List<ModelActor> open(String server) {
    return holdings.open(server).stream()
        .filter(actor -> actor.context().table().name().equals(table.definition().name()))
        .toList();
  }

  private List<Integer> assigned(String server) {
    List<Integer> numbers = new ArrayList<>();
    table.forEachActor(
        (id, actor) -> actor.copyOn(server).ifPresent(copy -> numbers.add(id.number())));
    return numbers;
  }

  private SortedMap<Integer, List<List<Operation>>> allJournals() {
    SortedMap<Integer, List<List<Operation>>> all = new TreeMap<>();
    for (String server : servers) {
      for (ModelActor actor : open(server)) {
        all.computeIfAbsent(actor.context().actor(), number -> new ArrayList<>())
            .add(actor.journal());
      }
    }
    return all;
  }

  /** Returns the journal of each actor; all its copies have the same. */
  public SortedMap<Integer, List<Operation>> journals() {
    SortedMap<Integer, List<Operation>> journals = new TreeMap<>();
    allJournals().forEach((number, copies) -> journals.put(number, copies.getFirst()));
    return journals;
  }

  /** Returns the remaining differences, for people. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (String server : servers) {
      text.append(server).append(" is assigned ").append(assigned(server)).append(" and has open");
      for (ModelActor actor : holdings.open(server)) {
        text.append(' ').append(actor.context().table().name()).append('/');
        text.append(actor.context().actor()).append(':').append(actor.journal().size());
        text.append(' ').append(actor.marks());
      }
      text.append('\n');
    }
    text.append("the table has ").append(marks()).append('\n');
    return text.append("left behind: ").append(leftBehind()).toString();
  }

  /**
   * Returns the directories of copies that a server does not hold any more, and of unfinished ones.
   */
  public List<String> leftBehind() {
    List<String> left = new ArrayList<>();
    for (String server : servers) {
      List<String> expected =
          assigned(server).stream().map(n -> directory(table.actorId(n))).toList();
      for (String name : names(actors(server))) {
        if (expected.contains(name)) {
          leftBehind(server + "/" + name, actors(server).resolve(name), left);
        } else {
          left.add(server + "/" + name);
        }
      }
    }
    return left;
  }

  private static void leftBehind(String where, Path replica, List<String> left) {
    List<String> lives = names(replica).stream().filter(name -> name.startsWith("live-")).toList();
    if (lives.size() > 1) {
      left.add(where + " has " + lives);
    }
    List<String> keys = names(replica).stream().filter(name -> name.startsWith("keys-")).toList();
    if (keys.size() > 1) {
      left.add(where + " has " + keys);
    }
    names(replica.resolve("checkpoints")).stream()
        .filter(name -> name.startsWith("unfinished-"))
        .forEach(name -> left.add(where + "/" + name));
  }

  private Path actors(String server) {
    return cluster.process(server).disk().root().resolve("actors");
  }

  private static String directory(ActorId id) {
    return id.table() + "-" + id.number();
  }

  private static List<String> names(Path directory) {
    if (!Files.exists(directory)) {
      return List.of();
    }
    try (Stream<Path> paths = Files.list(directory)) {
      return paths.map(path -> path.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the assignments of the actors, for people. */
  public String assignments() {
    StringBuilder text = new StringBuilder();
    for (ActorState actor : table.actors()) {
      text.append(actor.epoch()).append(' ').append(actor.primary()).append(' ');
      for (CopyState copy : actor.copies()) {
        text.append(copy.server()).append(state.alive(copy.server()) ? "" : "(dead)");
        text.append(' ').append(copy.status()).append(' ');
      }
      text.append('\n');
    }
    return text.toString();
  }
}
