package io.uniserve.engines.warehouse.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A piece of a statement, which knows what it could be without. */
sealed interface Part {
  /** Text that stays as it is. */
  record Word(String text) implements Part {
    @Override
    public Stream<Part> smaller() {
      return Stream.empty();
    }
  }

  /**
   * Several pieces one after another.
   *
   * @param sort the sort: whatever is of the same sort may take its place; nothing may if it is
   *     empty
   */
  record Sequence(String sort, List<Part> parts) implements Part {
    @Override
    public String text() {
      return parts.stream().map(Part::text).collect(Collectors.joining());
    }

    @Override
    public Stream<Part> smaller() {
      Stream<Part> within =
          sort.isEmpty() ? Stream.empty() : parts.stream().flatMap(part -> part.ofSort(sort));
      Stream<Part> simplest =
          Type.simplest(sort).filter(text -> !text.equals(text())).map(Word::new);
      Stream<Part> changed =
          changedParts(parts).map(changedParts -> new Sequence(sort, changedParts));
      return Stream.of(within, simplest, changed).flatMap(each -> each);
    }

    @Override
    public Stream<Part> ofSort(String wanted) {
      return sort.equals(wanted)
          ? Stream.of(this)
          : parts.stream().flatMap(part -> part.ofSort(wanted));
    }
  }

  /** A piece that can be left out. */
  record Optional(Part part) implements Part {
    @Override
    public String text() {
      return part.text();
    }

    @Override
    public Stream<Part> smaller() {
      return Stream.concat(Stream.of(new Word("")), part.smaller().map(Optional::new));
    }

    @Override
    public Stream<Part> ofSort(String wanted) {
      return part.ofSort(wanted);
    }
  }

  /**
   * A list, all of whose pieces but some can be left out.
   *
   * @param separator the text between them
   * @param least the fewest that there must be
   */
  record Listed(String separator, int least, List<Part> parts) implements Part {
    @Override
    public String text() {
      return parts.stream().map(Part::text).collect(Collectors.joining(separator));
    }

    @Override
    public Stream<Part> smaller() {
      Stream<Part> fewer =
          parts.size() <= least
              ? Stream.empty()
              : IntStream.range(0, parts.size())
                  .mapToObj(
                      i -> {
                        List<Part> others = new ArrayList<>(parts);
                        others.remove(i);
                        return new Listed(separator, least, others);
                      });
      Stream<Part> changed =
          changedParts(parts).map(changedParts -> new Listed(separator, least, changedParts));
      return Stream.concat(fewer, changed);
    }

    @Override
    public Stream<Part> ofSort(String wanted) {
      return parts.stream().flatMap(part -> part.ofSort(wanted));
    }
  }

  /** A sequence of pieces and texts, in whose place may stand what is of its sort. */
  static Part sorted(String sort, Object... parts) {
    return new Sequence(
        sort,
        Stream.of(parts)
            .map(each -> each instanceof Part part ? part : new Word((String) each))
            .toList());
  }

  /** A sequence that nothing may take the place of. */
  static Part of(Object... parts) {
    return sorted("", parts);
  }

  /** A sequence that can be left out. */
  static Part optional(Object... parts) {
    return new Optional(of(parts));
  }

  /** A list of at least one piece. */
  static Part list(String separator, List<? extends Part> parts) {
    return new Listed(separator, 1, List.copyOf(parts));
  }

  /** Returns the text of the part. */
  String text();

  /** The same, each time without something. */
  Stream<Part> smaller();

  /** The largest pieces of it that are of a sort. */
  default Stream<Part> ofSort(String wanted) {
    return Stream.empty();
  }

  private static Stream<List<Part>> changedParts(List<Part> parts) {
    return IntStream.range(0, parts.size())
        .boxed()
        .flatMap(
            i ->
                parts
                    .get(i)
                    .smaller()
                    .map(
                        smaller -> {
                          List<Part> changed = new ArrayList<>(parts);
                          changed.set(i, smaller);
                          return changed;
                        }));
  }
}
