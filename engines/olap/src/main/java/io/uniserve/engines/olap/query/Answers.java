package io.uniserve.engines.olap.query;

import io.uniserve.api.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The combine that keeps the answers of actors apart, in the order of their numbers. */
public final class Answers implements Operator.Combiner<QueryRows, List<List<QueryRows>>> {
  private final Map<Integer, List<QueryRows>> answers = new TreeMap<>();

  @Override
  public void add(int actor, QueryRows rows) {
    answers.computeIfAbsent(actor, number -> new ArrayList<>()).add(rows);
  }

  @Override
  public List<List<QueryRows>> result() {
    return List.copyOf(answers.values());
  }
}
