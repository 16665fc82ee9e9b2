package io.uniserve.simulation.model;

import io.uniserve.api.Plan;
import io.uniserve.api.Planner;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.RejectedRowException;
import io.uniserve.api.error.UniserveException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The planner of journals: it makes operations of rows, and knows no queries. */
public final class ModelPlanner implements Planner {
  /** The field of a row that has an operation's key. */
  public static final String KEY = "key";

  /** The field of a row that has an operation's number. */
  public static final String NUMBER = "number";

  @Override
  public Plan<?> plan(TableDefinition table, String query, Map<String, String> options) {
    throw new UniserveException(ErrorCode.UNSUPPORTED, "journals have no query language");
  }

  @Override
  public List<Operation> records(TableDefinition table, List<Map<String, Object>> rows) {
    List<Operation> operations = new ArrayList<>();
    for (Map<String, Object> row : rows) {
      if (!(row.get(KEY) instanceof Long key) || !(row.get(NUMBER) instanceof Long number)) {
        throw new RejectedRowException(operations.size(), row + " is no operation");
      }
      operations.add(new Operation(key, number));
    }
    return operations;
  }

  @Override
  public UpdateFunction<?, ?> load(TableDefinition table) {
    return new AppendOperations();
  }
}
