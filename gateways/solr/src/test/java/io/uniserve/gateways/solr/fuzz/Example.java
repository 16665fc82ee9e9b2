package io.uniserve.gateways.solr.fuzz;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A request whose answer is wrong, and the documents that it is asked of. */
record Example(Schema schema, int actors, List<Change> changes, Request request, String wrong) {
  private static final Duration SEARCH_MAX = Duration.ofMinutes(2);

  /** The smallest that is found in some time, by leaving out what can be left out. */
  Example smallest(Path directory) throws IOException {
    long end = System.nanoTime() + SEARCH_MAX.toNanos();
    Example smallest = this;
    Optional<Example> smaller = Optional.of(this);
    while (smaller.isPresent() && System.nanoTime() - end < 0) {
      smallest = smaller.get();
      smaller = smallest.smaller(directory);
    }
    return smallest;
  }

  private Optional<Example> smaller(Path directory) throws IOException {
    try (Trial trial = new Trial(schema, actors, changes, directory)) {
      for (Request each : request.simpler()) {
        Optional<String> failure = trial.failure(each, true);
        if (failure.isPresent()) {
          return Optional.of(new Example(schema, actors, changes, each, failure.get()));
        }
      }
    }
    for (List<Change> fewer : fewerChanges()) {
      Optional<String> failure = failure(fewer, directory);
      if (failure.isPresent()) {
        return Optional.of(new Example(schema, actors, fewer, request, failure.get()));
      }
    }
    return Optional.empty();
  }

  private Optional<String> failure(List<Change> fewer, Path directory) throws IOException {
    try (Trial trial = new Trial(schema, actors, fewer, directory)) {
      return trial.failure(request, true);
    }
  }

  private List<List<Change>> fewerChanges() {
    List<List<Change>> fewer = new ArrayList<>();
    for (int i = 0; i < changes.size(); i++) {
      List<Change> rest = new ArrayList<>(changes);
      rest.remove(i);
      fewer.add(rest);
      for (Change each : changes.get(i).simpler()) {
        List<Change> changed = new ArrayList<>(changes);
        changed.set(i, each);
        fewer.add(changed);
      }
    }
    return fewer;
  }

  @Override
  public String toString() {
    String parameters = URLDecoder.decode(request.parameters(), StandardCharsets.UTF_8);
    return wrong
        + "\n  request: "
        + parameters
        + "\n  encoded: "
        + request.parameters()
        + changes.stream().map(each -> "\n  change:  " + each.json()).collect(Collectors.joining())
        + "\n  schema:  "
        + schema.document()
        + "\n  actors:  1 and "
        + actors;
  }
}
