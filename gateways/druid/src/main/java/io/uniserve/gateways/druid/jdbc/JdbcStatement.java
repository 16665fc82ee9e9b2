package io.uniserve.gateways.druid.jdbc;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.olap.lookup.StoredLookups;
import io.uniserve.gateways.druid.sql.DruidSql;
import io.uniserve.runtime.client.UniserveClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.avatica.AvaticaParameter;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.remote.TypedValue;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.druid.java.util.common.guava.Sequence;
import org.apache.druid.server.security.Resource;
import org.apache.druid.server.security.ResourceAction;
import org.apache.druid.server.security.ResourceType;
import org.apache.druid.sql.DirectStatement;
import org.apache.druid.sql.PreparedStatement;
import org.apache.druid.sql.SqlQueryPlus;
import org.apache.druid.sql.avatica.AbstractDruidJdbcStatement;
import org.apache.druid.sql.calcite.planner.PrepareResult;

/**
 * A statement of a connection. All its rows are read when it is executed, so that an idle
 * connection holds none of the memory in which queries merge; they are dropped when the last is
 * fetched.
 */
final class JdbcStatement {
  private static final int ROWS_MAX = 1_000_000;

  private final Meta.StatementHandle handle;
  private final Map<String, Object> context;
  private final UniserveClient client;
  private final DruidSql sql;
  private SqlQueryPlus query;
  private long maxRowCount;
  private List<String> tables = List.of();
  private List<Object> rows;

  JdbcStatement(
      String connection,
      int number,
      Map<String, Object> context,
      UniserveClient client,
      DruidSql sql) {
    handle = new Meta.StatementHandle(connection, number, null);
    this.context = context;
    this.client = client;
    this.sql = sql;
  }

  /** Returns the handle, with the signature of what is prepared. */
  Meta.StatementHandle handle() {
    return handle;
  }

  /**
   * Prepares a query.
   *
   * @param most the most rows that it may give; any number if it is not positive
   */
  synchronized void prepare(String text, long most) {
    rows = null;
    maxRowCount = most;
    sql.prepare(text);
    query = SqlQueryPlus.builder().sql(text).context(context).auth(DruidSql.CALLER).build();
    try (PreparedStatement prepared = new PreparedStatement(sql.toolbox(), query)) {
      PrepareResult types = prepared.prepare();
      handle.signature =
          Meta.Signature.create(
              AbstractDruidJdbcStatement.createColumnMetaData(types.getReturnedRowType()),
              text,
              parameters(types.getParameterRowType()),
              Meta.CursorFactory.ARRAY,
              Meta.StatementType.SELECT);
    }
  }

  private static List<AvaticaParameter> parameters(RelDataType types) {
    List<AvaticaParameter> parameters = new ArrayList<>();
    for (RelDataTypeField each : types.getFieldList()) {
      RelDataType type = each.getType();
      parameters.add(
          new AvaticaParameter(
              false,
              type.getPrecision(),
              type.getScale(),
              type.getSqlTypeName().getJdbcOrdinal(),
              type.getSqlTypeName().getName(),
              Object.class.getName(),
              each.getName()));
    }
    return parameters;
  }

  /** Runs what is prepared, and keeps its rows. */
  synchronized void execute(List<TypedValue> parameters) {
    if (query == null) {
      throw UniserveException.invalid("the statement has no query");
    }
    sql.prepare(query.sql());
    try (DirectStatement statement =
        new DirectStatement(sql.toolbox(), query.withParameters(parameters))) {
      DirectStatement.ResultSet planned = statement.plan();
      tables =
          statement.allResources().stream()
              .map(ResourceAction::getResource)
              .flatMap(each -> table(each).stream())
              .distinct()
              .toList();
      Sequence<Object[]> all = planned.run().getResults();
      rows =
          (maxRowCount > 0 ? all.limit(maxRowCount) : all)
              .accumulate(new ArrayList<>(), JdbcStatement::add);
    }
  }

  /** Returns the table that holds what a statement reads. */
  private static Optional<String> table(Resource read) {
    return switch (read.getType()) {
      case ResourceType.DATASOURCE -> Optional.of(read.getName());
      case DruidSql.LOOKUP_KIND -> Optional.of(StoredLookups.NAME);
      default -> Optional.empty();
    };
  }

  private static List<Object> add(List<Object> rows, Object[] row) {
    if (rows.size() >= ROWS_MAX) {
      throw new UniserveException(
          ErrorCode.EXHAUSTED,
          "the result has more than " + ROWS_MAX + " rows, which is the most over JDBC: LIMIT it");
    }
    rows.add(row);
    return rows;
  }

  /** Returns whether rows from this one on can be had. */
  synchronized boolean hasRows(long offset) {
    return rows != null && offset >= 0 && offset <= rows.size();
  }

  /**
   * Returns some rows. Whoever fetches them must be allowed to read the tables they come from.
   *
   * @param offset the number of the first
   * @param most the most rows of the frame
   */
  synchronized Meta.Frame frame(long offset, int most) {
    tables.forEach(client.queries()::requireRead);
    int from = (int) offset;
    int to = Math.min(rows.size(), from + most);
    boolean done = to == rows.size();
    Meta.Frame frame = Meta.Frame.create(offset, done, List.copyOf(rows.subList(from, to)));
    if (done) {
      rows = null;
    }
    return frame;
  }
}
