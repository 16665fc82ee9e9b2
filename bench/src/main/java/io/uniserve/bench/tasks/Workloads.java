package io.uniserve.bench.tasks;

import io.uniserve.bench.tasks.TaskTranslation.LeftOut;
import io.uniserve.bench.tasks.TaskTranslation.Query;
import io.uniserve.bench.tasks.Workload.Answers;
import io.uniserve.bench.tasks.Workload.Scores;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All workloads: two of one query, one of rare words, and one for every kind of the task file.
 *
 * @param all the workloads in the order of the report
 * @param leftOut the kinds that are not run, with the reason
 */
public record Workloads(List<Workload> all, Map<String, String> leftOut) {

  /**
   * Words that about ten of the 206,000 documents contain. There are so many of them that a system
   * is rarely asked for one whose place in the dictionary it has just seen.
   */
  private static final List<String> RARE_WORDS =
      List.of(
          """
          facsimiles caliente muffled suppressive skyrocketing schlager autocode dissipating
          brewpubs langford sanitized inhibitions jocularly phylogenies groundlings shippers
          criminalise bhojpuri konstantinos anarchiste trombonist subnets hankerson immunized
          ogasawara sashimi schwimmer abdicating quadratically infirmities dyskinesia
          reinstalled skyhawk decarboxylated nicomachean wearers boadicea unappealing
          farmhouses andries allotropy amateurism photios merengue adopter waldeck tortola
          grundlagen prostration cuauhtemoc zagorje hydraulically repetitious andalucia
          marquisate daimlerchrysler impulsively larimer misapplied defilement frontenac
          deduces premillennialism curtius
          """
              .split("\\s+"));

  /**
   * @param queriesPerKind the number of queries of each kind, taken at even distances so that
   *     frequent and rare words both occur
   */
  public static Workloads of(Map<String, List<SearchTask>> tasks, int queriesPerKind) {
    List<Workload> workloads = new ArrayList<>(apart());
    Map<String, String> leftOut = new LinkedHashMap<>();
    tasks.forEach(
        (kind, ofKind) -> {
          List<String> queries = new ArrayList<>();
          for (SearchTask task : sample(ofKind, queriesPerKind)) {
            switch (TaskTranslation.of(task)) {
              case Query query -> queries.add(query.syntax());
              case LeftOut reason -> leftOut.put(kind, reason.reason());
            }
          }
          if (!queries.isEmpty()) {
            workloads.add(new Workload(kind, Answers.TOP_TEN, queries, scores(kind)));
          }
        });
    return new Workloads(List.copyOf(workloads), leftOut);
  }

  private static List<Workload> apart() {
    return List.of(
        new Workload("phrase-count", Answers.COUNT, List.of("\"is also\""), Scores.COMPARABLE),
        new Workload("sloppy-count", Answers.COUNT, List.of("\"of the\"~4"), Scores.COMPARABLE),
        new Workload("rare-term", Answers.TOP_TEN, RARE_WORDS, Scores.COMPARABLE));
  }

  /**
   * Returns workloads whose queries cost little beyond the fixed cost of a request. They let the
   * code of that fixed part be compiled, as it is in a service that runs for hours. Long queries
   * are too few for that in the time of a benchmark.
   */
  public static List<Workload> cheapest() {
    return List.of(
        new Workload("rare-count", Answers.COUNT, RARE_WORDS, Scores.COMPARABLE),
        new Workload("rare-term", Answers.TOP_TEN, RARE_WORDS, Scores.COMPARABLE));
  }

  private static Scores scores(String kind) {
    return switch (kind) {
      case "Prefix3", "Wildcard", "IntNRQ" -> Scores.CONSTANT;
      case "Fuzzy1", "Fuzzy2" -> Scores.EXPANDED;
      default -> Scores.COMPARABLE;
    };
  }

  static <T> List<T> sample(List<T> values, int count) {
    if (values.size() <= count) {
      return values;
    }
    List<T> sample = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      sample.add(values.get((int) ((long) i * values.size() / count)));
    }
    return sample;
  }
}
