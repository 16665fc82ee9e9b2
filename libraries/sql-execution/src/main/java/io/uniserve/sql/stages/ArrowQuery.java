package io.uniserve.sql.stages;

import io.uniserve.api.Consistency;
import io.uniserve.api.Plan;
import io.uniserve.api.ScanPlan;
import io.uniserve.api.Source;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.arrow.ArrowSink;
import io.uniserve.sql.arrow.Blocks;
import io.uniserve.sql.backend.ArrowTable;
import io.uniserve.sql.backend.ClientSql;
import io.uniserve.sql.planner.ActorSql;
import io.uniserve.sql.planner.DistributedQuery;
import io.uniserve.sql.planner.KeyedRows;
import io.uniserve.sql.planner.SqlPlanner;
import io.uniserve.sql.planner.Stage;
import io.uniserve.sql.syntax.SqlType;
import io.uniserve.sql.whole.QueryPlans;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A query of actors in DuckDB whose answer is taken as Arrow, some rows at a time.
 *
 * <p>If the client only passes on the actors' rows, it asks a few actors at a time, in waves. A
 * wave has as many actors as give about {@value #WAVE_BYTES} bytes together, judged by earlier
 * waves (adaptive server allocation). The next wave is asked after these rows have been taken. If
 * all actors have to show one version, one wave has them all. What does not fit a wave is scanned
 * by pages, if it is of one table with a key. Otherwise the inputs of the last stage are held,
 * within {@link StagePlan#GATHERED_BYTES_MAX}, and its results are streamed.
 */
public final class ArrowQuery {
  /** The bytes that are held before any of them are passed on. */
  static final int WAVE_BYTES = 32 << 20;

  /** The usual bytes of a wave beyond which its rows are scanned by pages, if they can be. */
  private static final long WAVE_BYTES_MAX =
      Math.min(2L * WAVE_BYTES, StagePlan.GATHERED_BYTES_MAX / 4);

  /**
   * The greatest factor by which a wave grows, since actors that have given little say little about
   * the others.
   */
  private static final long WIDER_BY_MAX = 8;

  private static final Schema EXPLAINED =
      new Schema(List.of(ArrowTable.field(SqlQuery.PLAN, false, new ArrowType.Utf8())));

  private final SqlQuery query;

  private ArrowQuery(SqlQuery query) {
    this.query = query;
  }

  /** A client with its options, which runs plans. */
  public interface Runner {
    /** Runs a plan and returns its answer. */
    <R> R run(Plan<R> plan);

    /** Runs a scan and passes on the blocks of each page, no faster than they are taken. */
    void scan(ScanPlan plan, Consumer<List<ByteBuffer>> pages);

    /** Returns whether all that a query reads has to be of one moment of the table. */
    boolean atOneMark();

    /** Returns the bytes beyond which a wave is given up, and its rows are scanned by pages. */
    default long waveBytesMax() {
      return WAVE_BYTES_MAX;
    }
  }

  /**
   * Checks a query.
   *
   * @param values the values of its parameters, the question marks, in order: null, Boolean, Long,
   *     Double, BigDecimal, String, LocalDate or LocalDateTime
   * @throws UniserveException naming the wrong part and its place, or the part that cannot be
   *     planned
   */
  public static ArrowQuery of(TableDefinition warehouse, String sql, List<?> values) {
    return new ArrowQuery(SqlQuery.of(warehouse, ActorSql.DUCKDB, sql, values));
  }

  /**
   * The parameters and columns of a query.
   *
   * @param answer the columns of the answer; types that depend on those of parameters may change
   * @param parameters a field for each parameter; times are in milliseconds
   */
  public record Shape(Schema answer, Schema parameters) {}

  /**
   * Returns the shape of a query whose parameters have no values yet.
   *
   * @throws UniserveException as {@link #of} does, also if nothing determines the type of a
   *     parameter
   */
  public static Shape shape(TableDefinition warehouse, String sql) {
    SqlQuery.requireLength(sql);
    List<SqlType> types =
        QueryPlans.parameters(
            SqlQuery.catalog(warehouse, ActorSql.DUCKDB, Map.of()), SqlQuery.withoutExplain(sql));
    SqlQuery query = SqlQuery.of(warehouse, ActorSql.DUCKDB, sql, types);
    Schema answer = query.isExplain() ? EXPLAINED : query.columns();
    return new Shape(answer, parameters(types));
  }

  /** Returns a field for each parameter of a statement; times are in milliseconds. */
  public static Schema parameters(List<SqlType> types) {
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      fields.add(ArrowTable.field("$" + (i + 1), true, parameter(types.get(i))));
    }
    return new Schema(fields);
  }

  /** Returns the type of a parameter. JDBC's driver writes milliseconds into times of any unit. */
  private static ArrowType parameter(SqlType type) {
    return type.kind() == SqlType.Kind.TIMESTAMP
        ? new ArrowType.Timestamp(TimeUnit.MILLISECOND, null)
        : ArrowTable.type(type);
  }

  /**
   * Returns the qualifiers of a query's tables, which may be names of warehouses.
   *
   * @throws UniserveException if the text is no SQL
   */
  public static Set<String> qualifiers(String sql) {
    SqlQuery.requireLength(sql);
    return QueryPlans.qualifiers(SqlQuery.withoutExplain(sql));
  }

  /** Returns the words that cannot be names without quotes, except those of SQL-92. */
  public static List<String> keywords() {
    return SqlPlanner.keywords();
  }

  /**
   * Returns whether a statement reads, changes, creates or drops a table.
   *
   * @throws UniserveException if the text is no SQL
   */
  public static boolean namesTables(String sql) {
    SqlQuery.requireLength(sql);
    return QueryPlans.namesTables(SqlQuery.withoutExplain(sql));
  }

  /**
   * Passes the answer to a sink.
   *
   * @throws UniserveException if the answer could not be passed on completely
   */
  public void run(Runner cluster, ArrowSink sink) {
    if (query.isExplain()) {
      explain(cluster.run(query.explained(lines -> lines)), sink);
    } else if (onlyPasses(query.small())) {
      new Passing(cluster, sink).run();
    } else {
      ClientSql.get().stream(cluster.run(query.plan((last, timeout) -> last)), sink);
    }
  }

  private static void explain(List<String> lines, ArrowSink sink) {
    Blocks.make(
        EXPLAINED,
        rows -> {
          VarCharVector column = (VarCharVector) rows.getVector(0);
          for (int i = 0; i < lines.size(); i++) {
            column.setSafe(i, lines.get(i).getBytes(StandardCharsets.UTF_8));
          }
          rows.setRowCount(lines.size());
          sink.rows(rows);
        });
  }

  /** Returns whether the client only passes on the rows of each actor. */
  static boolean onlyPasses(DistributedQuery query) {
    return query.passes()
        && query.stages().size() == 2
        && query.stages().getFirst().place() == Stage.Place.EACH_ACTOR;
  }

  /**
   * A transfer of the actors' rows. Nothing is passed on before a wave, or everything, has arrived.
   * Until then the query can begin again.
   */
  private final class Passing {
    private final Runner cluster;
    private final ArrowSink sink;
    private final UnreadActors unread = new UnreadActors(query.warehouse().name());
    private final Deque<ByteBuffer> held = new ArrayDeque<>();
    private long heldBytes;
    private long width = 1;
    private long bytesOfOneMax = 1;

    Passing(Runner cluster, ArrowSink sink) {
      this.cluster = cluster;
      this.sink = sink;
    }

    void run() {
      boolean together =
          cluster.atOneMark() || query.warehouse().consistency() == Consistency.SNAPSHOT;
      width = together ? Long.MAX_VALUE : 1;
      do {
        Optional<List<ByteBuffer>> wave = wave(together);
        if (wave.isEmpty()) {
          forgetVoid();
          give();
          scan();
          return;
        }
        take(wave.get());
        if (heldBytes > WAVE_BYTES || !unread.more()) {
          give();
        }
      } while (unread.more());
    }

    /** Returns the rows of a few actors, or of all; empty if they have to be scanned. */
    private Optional<List<ByteBuffer>> wave(boolean together) {
      Stage stage = query.small().stages().getFirst();
      RunStage run = new RunStage(stage.name(), stage.sql(), List.of());
      // A scan reads the newest version that is kept, and knows of no other marks.
      boolean scannable = query.small().keyed().isPresent() && !cluster.atOneMark();
      StagePlan.Room most = StagePlan.room(query.small());
      StagePlan.Room room =
          scannable ? new StagePlan.Room(cluster.waveBytesMax(), most.why()) : most;
      while (true) {
        try {
          Source.Table some = new Source.Table(query.warehouse().name(), unread.next(width));
          return Optional.of(
              cluster.run(new Plan.Query<>(some, run, () -> new StagePlan.Gathered(room))));
        } catch (UniserveException e) {
          if (e.code() != ErrorCode.TOO_LARGE) {
            throw e;
          }
          if (width > 1 && !together) {
            width = 1;
          } else if (scannable) {
            return Optional.empty();
          } else {
            throw e;
          }
        }
      }
    }

    /** Passes on the rows of all actors that were not read yet, page by page. */
    private void scan() {
      KeyedRows rows = query.small().keyed().orElseThrow();
      ScanPlan plan = TableScan.of(query.warehouse(), rows, unread.next(Long.MAX_VALUE));
      cluster.scan(plan, blocks -> blocks.forEach(this::pass));
    }

    private void take(List<ByteBuffer> blocks) {
      forgetVoid();
      int actors = Math.max(1, unread.chosen().size());
      unread.took();
      long bytes = blocks.stream().mapToLong(ByteBuffer::remaining).sum();
      bytesOfOneMax = Math.max(bytesOfOneMax, bytes / actors);
      width = Math.clamp(WAVE_BYTES / bytesOfOneMax, 1, actors * WIDER_BY_MAX);
      held.addAll(blocks);
      heldBytes += bytes;
    }

    /** Forgets what was held, if the query has begun again since. */
    private void forgetVoid() {
      if (unread.beganAgain()) {
        held.clear();
        heldBytes = 0;
      }
    }

    private void give() {
      if (!held.isEmpty()) {
        unread.gave();
      }
      while (!held.isEmpty()) {
        pass(held.remove());
      }
      heldBytes = 0;
    }

    private void pass(ByteBuffer block) {
      Blocks.read(block, rows -> sink.rows(ArrowTable.named(rows, query.small().columns())));
    }
  }
}
