package io.uniserve.gateways.solr.fuzz;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The parts of texts, and the words that Unicode's rules divide each part into. */
final class Words {
  private static final Map<String, List<String>> STANDARD = new LinkedHashMap<>();

  static {
    for (String same :
        "fox fo fx fog dog dogs foxes brown naïve x1 42 7 3.14 a.b don't".split(" ")) {
      STANDARD.put(same, List.of(same));
    }
    for (String larger : "Fox DOG Über ΣΑΣ".split(" ")) {
      STANDARD.put(larger, List.of(lowerCase(larger)));
    }
    STANDARD.put("wi-fi", List.of("wi", "fi"));
    STANDARD.put("fox-dog", List.of("fox", "dog"));
    STANDARD.put("日本", List.of("日", "本"));
    STANDARD.put("😀", List.of("😀"));
    STANDARD.put("cafe\u0301", List.of("cafe\u0301"));
  }

  static final List<String> ALL = List.copyOf(STANDARD.keySet());

  private Words() {}

  /** The words of a text whose parts are of {@link #ALL}. */
  static List<String> standard(String text) {
    List<String> words = new ArrayList<>();
    Arrays.stream(text.split(" ")).forEach(part -> words.addAll(STANDARD.get(part)));
    return words;
  }

  /** Runs of letters. */
  static List<String> simple(String text) {
    return Arrays.stream(lowerCase(text).split("\\P{L}+")).filter(word -> !word.isEmpty()).toList();
  }

  /** Letter by letter, as an index does it: a final sigma is none. */
  static String lowerCase(String text) {
    return text.codePoints()
        .map(Character::toLowerCase)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  static <T> T any(List<T> of, Random random) {
    return of.get(random.nextInt(of.size()));
  }

  static String text(int parts, Random random) {
    StringBuilder text = new StringBuilder(any(ALL, random));
    for (int i = 1; i < parts; i++) {
      text.append(' ').append(any(ALL, random));
    }
    return text.toString();
  }

  /** A text in a query, taken as it is. */
  static String escaped(String text) {
    return text.replaceAll("[-+&|!(){}\\[\\]^\"~*?:\\\\/\\s]", "\\\\$0");
  }
}
