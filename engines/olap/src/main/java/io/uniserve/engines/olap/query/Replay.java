package io.uniserve.engines.olap.query;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Keys;
import io.uniserve.engines.olap.druid.Druid;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.druid.query.Query;

/**
 * A native query as a plan. Druid's client asks for the actors' answers while it runs, and a plan
 * tells beforehand what it asks. So the query is run until it asks for an answer that is not known.
 * The plan gets this answer, and the query is run again, from its begin and with the answers that
 * are known. It ends when nothing more is asked: for most queries, the second time.
 */
public final class Replay {
  private final String text;
  private final List<List<List<QueryRows>>> known;

  private Replay(String text, List<List<List<QueryRows>>> known) {
    this.text = text;
    this.known = known;
  }

  /**
   * Plans a query.
   *
   * @throws UniserveException with {@link io.uniserve.api.error.ErrorCode#INVALID_ARGUMENT} for a
   *     malformed query
   */
  public static Plan<Object> plan(String text) {
    return new Replay(text, List.of()).plan();
  }

  /** A question that no answer is known to. */
  private static final class Asked extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient Plan<List<List<QueryRows>>> question;

    Asked(Plan<List<List<QueryRows>>> question) {
      super("a question is open", null, false, false);
      this.question = question;
    }
  }

  /** The answers that are known, in the order in which they are asked for. */
  private final class Known implements Cluster {
    private int next;

    @Override
    public List<List<QueryRows>> ask(String table, Keys keys, AskDruid question, Duration timeout) {
      if (next < known.size()) {
        return known.get(next++);
      }
      throw new Asked(new Plan.Query<>(Source.table(table, keys), question, Answers::new));
    }
  }

  private Plan<Object> plan() {
    Query<Object> query = Queries.read(text);
    Queries.check(query.context());
    try {
      DruidClient client = new DruidClient(new Known());
      if (LookupReader.uses(Druid.get().json().valueToTree(query))) {
        new LookupReader(client).readAll();
      }
      return new Plan.Known<>(document(query, client.run(query).toList()));
    } catch (Asked asked) {
      return asked.question.then(
          answer -> {
            List<List<List<QueryRows>>> more = new ArrayList<>(known);
            more.add(answer);
            return new Replay(text, more).plan();
          });
    } catch (RuntimeException e) {
      throw Failures.of(e);
    }
  }

  private static Object document(Query<Object> query, List<Object> results) {
    try {
      ObjectMapper mapper = DruidClient.mapper(query);
      return Druid.get()
          .json()
          .readerFor(Object.class)
          .with(DeserializationFeature.USE_LONG_FOR_INTS)
          .readValue(mapper.writeValueAsBytes(results));
    } catch (IOException e) {
      throw new IllegalStateException("the results of a query cannot be written", e);
    }
  }
}
