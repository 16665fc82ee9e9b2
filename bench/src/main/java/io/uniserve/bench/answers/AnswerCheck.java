package io.uniserve.bench.answers;

import io.uniserve.bench.answers.Answer.Hit;
import io.uniserve.bench.tasks.Workload.Scores;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A check that two answers are the same: the same count, the same scores rank by rank, and the same
 * documents. Documents of the same score may change places and, if the list is cut among them, may
 * differ.
 */
public final class AnswerCheck {

  /** The relative tolerance of scores, which are 32-bit numbers that went through decimal text. */
  private static final double RELATIVE_TOLERANCE = 2e-6;

  private AnswerCheck() {}

  /** Returns a description of the difference, or empty if there is none. */
  public static Optional<String> difference(Answer expected, Answer actual, Scores scores) {
    if (expected.count() != actual.count()) {
      return Optional.of("count %d, not %d".formatted(actual.count(), expected.count()));
    }
    if (expected.hits().size() != actual.hits().size()) {
      return Optional.of("%d hits, not %d".formatted(actual.hits().size(), expected.hits().size()));
    }
    return scores == Scores.COMPARABLE ? ranked(expected, actual) : Optional.empty();
  }

  private static Optional<String> ranked(Answer expected, Answer actual) {
    for (int rank = 0; rank < expected.hits().size(); rank++) {
      Hit wanted = expected.hits().get(rank);
      Hit got = actual.hits().get(rank);
      if (!close(wanted.score(), got.score())) {
        return Optional.of(
            "score %s of %s at rank %d, not %s of %s"
                .formatted(got.score(), got.id(), rank + 1, wanted.score(), wanted.id()));
      }
    }
    Set<String> wanted = certain(expected);
    Set<String> got = actual.hits().stream().map(Hit::id).collect(Collectors.toSet());
    return wanted.stream()
        .filter(id -> !got.contains(id))
        .findFirst()
        .map(id -> "document %s is missing".formatted(id));
  }

  /**
   * Returns the documents that every correct answer contains: all, unless the list may be cut among
   * documents of its last score.
   */
  private static Set<String> certain(Answer answer) {
    List<Hit> hits = answer.hits();
    boolean complete = answer.count() <= hits.size();
    return hits.stream()
        .filter(hit -> complete || !close(hit.score(), hits.getLast().score()))
        .map(Hit::id)
        .collect(Collectors.toSet());
  }

  private static boolean close(double one, double other) {
    return Math.abs(one - other) <= RELATIVE_TOLERANCE * Math.max(Math.abs(one), Math.abs(other));
  }
}
