package io.uniserve.sql.planner;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.algebra.SqlText;
import io.uniserve.sql.planner.Stage.Place;
import io.uniserve.sql.syntax.DuckType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.prepare.RelOptTableImpl;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.logical.LogicalTableScan;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;

/** The stages of one query, in the order in which they were cut. Equal stages are one. */
final class Stages {
  /** The prefix of stages' names, which no table of a catalog has. */
  private static final String PREFIX = "#";

  /**
   * The least number of rows that are sent between actors. The client combines fewer rows sooner.
   */
  private static final double TOGETHER_ROWS_MIN = 100_000;

  /** The types whose values would change on the wire, so that they cannot leave an actor. */
  private static final Pattern STAYS =
      Pattern.compile("\\b(UHUGEINT|UUID|BIT|TIME WITH TIME ZONE|ENUM|UNION|VARIANT|BIGNUM)\\b");

  private record Work(Place place, String sql, List<String> inputs, List<Integer> spreadBy) {}

  private final RelOptCluster cluster;
  private final int actors;
  private final ActorSql actorSql;
  private final List<Stage> stages = new ArrayList<>();
  private final Map<Work, String> names = new LinkedHashMap<>();

  Stages(RelOptCluster cluster, int actors, ActorSql actorSql) {
    this.cluster = cluster;
    this.actors = actors;
    this.actorSql = actorSql;
  }

  /** Returns the number of actors that tables are spread over. */
  int actors() {
    return actors;
  }

  List<Stage> all() {
    return stages;
  }

  /** Returns the cost of moving rows in all stages, in rows. */
  double cost() {
    return stages.stream().limit(stages.size() - 1L).mapToDouble(this::cost).sum();
  }

  private double cost(Stage stage) {
    boolean toClient =
        stages.stream()
            .anyMatch(
                reader -> reader.place() == Place.CLIENT && reader.inputs().contains(stage.name()));
    double copies = toClient ? 1 : stage.spreadBy().isEmpty() ? actors : Joins.SPREAD_COST;
    return (toClient ? 0 : Joins.SEND_COST) + copies * stage.rows();
  }

  /** Returns the rows of a piece at the client. */
  RelNode atClient(PlanFragment piece) {
    return switch (piece.place()) {
      case CLIENT -> piece.rel();
      case SPREAD -> cut(piece, Place.EACH_ACTOR);
      case REPLICATED -> readsTables(piece.rel()) ? cut(piece, Place.ONE_ACTOR) : piece.rel();
    };
  }

  /** Returns the rows of a piece at every actor. */
  RelNode everywhere(PlanFragment piece) {
    return switch (piece.place()) {
      case REPLICATED -> piece.rel();
      case SPREAD -> cut(piece, Place.EACH_ACTOR);
      case CLIENT -> isStage(piece.rel()) ? piece.rel() : cut(piece, Place.CLIENT);
    };
  }

  /** Returns the rows of a spread piece, each at the actor of its values of some columns. */
  PlanFragment spread(PlanFragment piece, List<Integer> columns) {
    RelNode rel = cut(piece, Place.EACH_ACTOR, columns);
    return PlanFragment.spread(rel, List.of(columns), piece.rows());
  }

  /**
   * Returns the rows of a piece with equal values of some columns in one place: at an actor if
   * there are many rows, otherwise at the client.
   */
  PlanFragment together(PlanFragment piece, List<Integer> columns) {
    List<Integer> keys = columns.stream().filter(piece::canBeSpreadBy).toList();
    return piece.is(PlanFragment.Place.SPREAD) && areMany(piece.rows()) && !keys.isEmpty()
        ? spread(piece, keys)
        : PlanFragment.client(atClient(piece), piece.rows());
  }

  /** Returns whether rows are combined in the actors rather than at the client. */
  boolean areMany(double rows) {
    return rows >= TOGETHER_ROWS_MIN;
  }

  /**
   * Ends the query with the piece that makes its answer. Returns true if this only passes on the
   * rows of a stage.
   */
  boolean end(PlanFragment piece) {
    RelNode rel = atClient(piece);
    add(PlanFragment.client(rel, piece.rows()), Place.CLIENT, List.of());
    return isStage(rel);
  }

  private RelNode cut(PlanFragment piece, Place place) {
    return cut(piece, place, List.of());
  }

  private RelNode cut(PlanFragment piece, Place place, List<Integer> spreadBy) {
    piece.rel().getRowType().getFieldList().forEach(field -> requireTravels(field.getType()));
    return add(piece, place, spreadBy);
  }

  private static void requireTravels(RelDataType type) {
    if (type instanceof DuckType known && STAYS.matcher(known.name()).find()) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          "SQL: values of type " + known.name() + " cannot be sent from actor to client unchanged");
    }
  }

  private RelNode add(PlanFragment piece, Place place, List<Integer> spreadBy) {
    RelNode rel = piece.rel();
    Work work = new Work(place, sql(place, rel), inputs(rel), spreadBy);
    String name = names.get(work);
    if (name == null) {
      name = PREFIX + (stages.size() + 1);
      names.put(work, name);
      stages.add(new Stage(name, place, work.sql, work.inputs, spreadBy, piece.rows()));
    }
    RelDataType row = named(rel.getRowType());
    return LogicalTableScan.create(
        cluster,
        RelOptTableImpl.create(null, row, List.of(name), Expressions.constant(name)),
        List.of());
  }

  private RelDataType named(RelDataType row) {
    RelDataTypeFactory.Builder builder = cluster.getTypeFactory().builder();
    for (int i = 0; i < row.getFieldCount(); i++) {
      builder.add("c" + i, row.getFieldList().get(i).getType());
    }
    return builder.build();
  }

  private String sql(Place place, RelNode rel) {
    ActorSql sql = place == Place.CLIENT ? ActorSql.DUCKDB : actorSql;
    return SqlText.of(sql.checked(rel), sql.dialect());
  }

  private static List<String> inputs(RelNode rel) {
    Set<String> inputs = new LinkedHashSet<>();
    scans(rel).stream()
        .map(Stages::name)
        .filter(name -> name.startsWith(PREFIX))
        .forEach(inputs::add);
    return List.copyOf(inputs);
  }

  private static boolean readsTables(RelNode rel) {
    return scans(rel).stream().anyMatch(scan -> !name(scan).startsWith(PREFIX));
  }

  private static boolean isStage(RelNode rel) {
    return rel instanceof TableScan scan && name(scan).startsWith(PREFIX);
  }

  private static String name(TableScan scan) {
    return scan.getTable().getQualifiedName().getLast();
  }

  private static List<TableScan> scans(RelNode rel) {
    List<TableScan> scans = new ArrayList<>();
    collect(rel, scans);
    return scans;
  }

  private static void collect(RelNode rel, List<TableScan> scans) {
    if (rel instanceof TableScan scan) {
      scans.add(scan);
    }
    rel.getInputs().forEach(input -> collect(input, scans));
  }
}
