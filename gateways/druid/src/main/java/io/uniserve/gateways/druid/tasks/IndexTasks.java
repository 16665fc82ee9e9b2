package io.uniserve.gateways.druid.tasks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.hash.Hashing;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.client.UniserveClient;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/**
 * Tasks of ingestion. A task is carried out while its sender waits: when it has a number, its rows
 * are on all copies. If there is no such table, it is made as the task's schema says.
 */
public final class IndexTasks {
  private static final int TASKS_MAX = 1_000;
  private static final String COMPLETE = "complete";

  /** The states that no task here is in: it has ended when its sender gets its number. */
  private static final Set<String> STATES_BEFORE = Set.of("pending", "waiting", "running");

  private static final ObjectMapper JSON = new ObjectMapper();

  private final UniserveClient client;
  private final AllowedInputs allowed;

  /** The latest tasks that ended well, by number. */
  private final Map<String, EndedTask> ended =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, EndedTask> eldest) {
          return size() > TASKS_MAX;
        }
      };

  /**
   * Makes what runs tasks.
   *
   * @param allowed the files and hosts that tasks may read
   */
  public IndexTasks(UniserveClient client, AllowedInputs allowed) {
    this.client = client;
    this.allowed = allowed;
  }

  /**
   * Runs a task.
   *
   * @throws UniserveException if it is wrong, or not supported; nothing is stored then
   */
  public void run(byte[] body, HttpServletResponse response) throws IOException {
    Instant begin = Instant.now();
    IndexTask task = IndexTask.read(body);
    String digest = Hashing.sha256().hashBytes(body).toString();
    task.id().ifPresent(id -> requireSame(id, digest));
    String dataSource = task.schema().dataSource();
    if (client.table(dataSource).isPresent()) {
      client.updates().requireWrite(dataSource);
    }
    try (TaskInput input = TaskInput.open(task, allowed)) {
      TableDefinition table = task.schema().table(client);
      client.updates().requireWrite(table.name());
      String id =
          task.id().orElseGet(() -> task.type() + "_" + table.name() + "_" + UUID.randomUUID());
      TaskRun run = new TaskRun(client, task, table, id);
      run.check(input);
      store(run, input, task);
      EndedTask done =
          new EndedTask(
              id,
              digest,
              task.type(),
              table.name(),
              begin,
              Duration.between(begin, Instant.now()),
              run.processed(),
              run.thrownAway());
      synchronized (ended) {
        ended.put(id, done);
      }
      write(response, Map.of("task", id));
    }
  }

  /**
   * Requires that no other task of this id has ended here. Its actors would refuse only what
   * differs from the former, each for itself.
   */
  private void requireSame(String id, String digest) {
    EndedTask former;
    synchronized (ended) {
      former = ended.get(id);
    }
    if (former != null && !former.body().equals(digest)) {
      throw new UniserveException(
          ErrorCode.ALREADY_EXISTS,
          "another task '" + Excerpt.of(id) + "' has ended here; nothing of this one is stored");
    }
  }

  /**
   * Stores a task's rows. Sent again without an id, rows that were appended would be appended
   * twice; rows that replace others replace them again.
   */
  private static void store(TaskRun run, TaskInput input, IndexTask task) throws IOException {
    try {
      run.store(input);
    } catch (UniserveException e) {
      boolean repeatable =
          task.id().isPresent() || !(task.replacing() instanceof IndexTask.Replacing.Nothing);
      throw repeatable ? e : e.ofUnknownOutcome();
    }
  }

  /**
   * Shows what is asked of a task.
   *
   * @param path the task's number, a slash, and {@code status} or {@code reports}
   */
  public void show(String path, HttpServletResponse response) throws IOException {
    String id = path.replaceFirst("/.*", "");
    EndedTask task;
    synchronized (ended) {
      task = ended.get(id);
    }
    if (task == null) {
      throw new UniserveException(
          ErrorCode.NOT_FOUND, "there is no task '" + Excerpt.of(id) + "' that ended here");
    }
    client.queries().requireRead(task.table());
    switch (path.substring(id.length())) {
      case "/status" -> write(response, Map.of("task", id, "status", task.status()));
      case "/reports" -> write(response, task.report());
      default ->
          throw new UniserveException(
              ErrorCode.NOT_FOUND,
              "a task has no '"
                  + Excerpt.of(path.substring(id.length()))
                  + "' here; there are /status and /reports");
    }
  }

  /**
   * Lists the tasks of these tables that a request asks for, the latest first.
   *
   * @throws UniserveException for a state that there is not, and a bound that is no number
   */
  public void list(Set<String> tables, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String state = Objects.requireNonNullElse(request.getParameter("state"), COMPLETE);
    if (!state.equals(COMPLETE) && !STATES_BEFORE.contains(state)) {
      throw UniserveException.invalid(
          "'"
              + Excerpt.of(state)
              + "' is no state of a task: one is pending, waiting, running or"
              + " complete");
    }
    String table = request.getParameter("datasource");
    String type = request.getParameter("type");
    List<EndedTask> asked =
        some(tables).stream()
            .filter(task -> state.equals(COMPLETE))
            .filter(task -> table == null || table.equals(task.table()))
            .filter(task -> type == null || type.equals(task.type()))
            .limit(most(request))
            .toList();
    write(response, asked.stream().map(EndedTask::status).toList());
  }

  private static int most(HttpServletRequest request) {
    String most = request.getParameter("max");
    if (most == null) {
      return TASKS_MAX;
    }
    try {
      return Integer.parseUnsignedInt(most);
    } catch (NumberFormatException e) {
      throw UniserveException.invalid("max '" + Excerpt.of(most) + "' is no number of tasks");
    }
  }

  /** Shows no tasks: none waits or runs, since a task has ended when its sender gets its number. */
  public void none(HttpServletResponse response) throws IOException {
    write(response, List.of());
  }

  private List<EndedTask> some(Set<String> tables) {
    List<EndedTask> some = new ArrayList<>();
    synchronized (ended) {
      ended.values().stream().filter(each -> tables.contains(each.table())).forEach(some::add);
    }
    return some.reversed();
  }

  /** Returns the tasks of these tables as rows of the table {@code sys.tasks}. */
  public List<Object[]> rows(Set<String> tables) {
    return some(tables).stream().map(EndedTask::row).toList();
  }

  private static void write(HttpServletResponse response, Object value) throws IOException {
    response.setContentType("application/json");
    JSON.writeValue(response.getOutputStream(), value);
  }
}
