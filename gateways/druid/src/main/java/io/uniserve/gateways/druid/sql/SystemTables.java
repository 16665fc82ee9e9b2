package io.uniserve.gateways.druid.sql;

import io.uniserve.api.TableDefinition;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.ServerState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.column.RowSignature;

/**
 * The schema {@code sys}, in Druid's columns. What Druid calls a segment is here an actor, and what
 * it calls a server's segments are its copies. A column that has no meaning here is null.
 */
public final class SystemTables extends AbstractSchema {
  private static final RowSignature SEGMENTS =
      columns(
          "segment_id datasource start end #size version #partition_num #num_replicas #num_rows"
              + " #is_active #is_published #is_available #is_realtime #is_overshadowed shard_spec"
              + " dimensions metrics last_compaction_state #replication_factor");
  private static final RowSignature SERVERS =
      columns(
          "server host #plaintext_port #tls_port server_type tier #curr_size #max_size #is_leader"
              + " start_time");
  private static final RowSignature SERVER_SEGMENTS = columns("server segment_id");
  private static final RowSignature TASKS =
      columns(
          "task_id group_id type datasource created_time queue_insertion_time status runner_status"
              + " #duration location host #plaintext_port #tls_port error_msg");

  private static final RowSignature SUPERVISORS =
      columns("supervisor_id state detailed_state #healthy type source #suspended spec");

  private final UniserveClient client;
  private final Supplier<Map<String, TableDefinition>> readable;
  private final Map<String, Table> tables;

  /**
   * Makes the schema.
   *
   * @param readable gives the tables that the caller may read, on the caller's thread
   * @param tasks gives the rows of the tasks of such tables, in the order of Druid's columns
   * @param supervisors gives those of the supervisors of such tables
   */
  public SystemTables(
      UniserveClient client,
      Supplier<Map<String, TableDefinition>> readable,
      Supplier<List<Object[]>> tasks,
      Supplier<List<Object[]>> supervisors) {
    this.client = client;
    this.readable = readable;
    tables =
        Map.of(
            "segments",
            new SystemTable(SEGMENTS, this::segments),
            "servers",
            new SystemTable(SERVERS, this::servers),
            "server_segments",
            new SystemTable(SERVER_SEGMENTS, this::serverSegments),
            "tasks",
            new SystemTable(TASKS, tasks),
            "supervisors",
            new SystemTable(SUPERVISORS, supervisors));
  }

  /** Returns columns of text, or of numbers where a name begins with a hash sign. */
  private static RowSignature columns(String names) {
    RowSignature.Builder columns = RowSignature.builder();
    for (String name : names.split(" ")) {
      if (name.startsWith("#")) {
        columns.add(name.substring(1), ColumnType.LONG);
      } else {
        columns.add(name, ColumnType.STRING);
      }
    }
    return columns.build();
  }

  @Override
  protected Map<String, Table> getTableMap() {
    return tables;
  }

  private static String segment(String table, int actor) {
    return table + "_" + actor;
  }

  private List<Object[]> servers() {
    List<Object[]> rows = new ArrayList<>();
    for (ServerState server : client.state().servers().values()) {
      if (server.alive()) {
        String address = String.valueOf(server.address());
        int colon = address.lastIndexOf(':');
        rows.add(
            new Object[] {
              server.name(),
              colon < 0 ? address : address.substring(0, colon),
              colon < 0 ? null : Long.valueOf(address.substring(colon + 1)),
              -1L,
              "historical",
              "_default_tier",
              null,
              null,
              null,
              null
            });
      }
    }
    return rows;
  }

  private interface EachActor {
    void see(TableDefinition table, int number, ActorState actor);
  }

  private void forEachActor(EachActor action) {
    for (TableDefinition table : readable.get().values()) {
      client
          .table(table.name())
          .ifPresent(
              state -> {
                for (int number = 0; number < state.actors().size(); number++) {
                  ActorState actor = state.actors().get(number);
                  if (!actor.copies().isEmpty()) {
                    action.see(state.definition(), number, actor);
                  }
                }
              });
    }
  }

  private static List<String> ready(ActorState actor) {
    return actor.copies().stream()
        .filter(copy -> copy.status() == CopyState.Status.READY)
        .map(CopyState::server)
        .toList();
  }

  private List<Object[]> serverSegments() {
    List<Object[]> rows = new ArrayList<>();
    forEachActor(
        (table, number, actor) ->
            ready(actor)
                .forEach(server -> rows.add(new Object[] {server, segment(table.name(), number)})));
    return rows;
  }

  private List<Object[]> segments() {
    ActorRows contents = new ActorRows(client);
    List<Object[]> rows = new ArrayList<>();
    forEachActor(
        (table, number, actor) -> {
          ActorRows.Counted counted = contents.of(table.name(), number);
          rows.add(
              new Object[] {
                segment(table.name(), number),
                table.name(),
                counted.first(),
                counted.last(),
                null,
                Long.toString(actor.epoch()),
                (long) number,
                (long) ready(actor).size(),
                counted.rows(),
                1L,
                1L,
                ready(actor).isEmpty() ? 0L : 1L,
                0L,
                0L,
                null,
                null,
                null,
                null,
                (long) table.replicas()
              });
        });
    return rows;
  }
}
