package io.uniserve.engines.search;

import java.util.Locale;
import java.util.function.Supplier;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.analysis.core.SimpleAnalyzer;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.analysis.de.GermanAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.es.SpanishAnalyzer;
import org.apache.lucene.analysis.fr.FrenchAnalyzer;
import org.apache.lucene.analysis.it.ItalianAnalyzer;
import org.apache.lucene.analysis.pt.PortugueseAnalyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;

/** How text becomes words. A schema names one in lower case. */
public enum TextAnalyzer {
  /** Words as Unicode divides them, in lower case. */
  STANDARD(StandardAnalyzer::new),
  /** Runs of letters, in lower case. */
  SIMPLE(SimpleAnalyzer::new),
  /** What stands between white space, as it is. */
  WHITESPACE(WhitespaceAnalyzer::new),
  /** The whole value as one word. */
  KEYWORD(KeywordAnalyzer::new),
  /** English without its most frequent words, by their stems. */
  ENGLISH(EnglishAnalyzer::new),
  /** German by stems. */
  GERMAN(GermanAnalyzer::new),
  /** French by stems. */
  FRENCH(FrenchAnalyzer::new),
  /** Spanish by stems. */
  SPANISH(SpanishAnalyzer::new),
  /** Italian by stems. */
  ITALIAN(ItalianAnalyzer::new),
  /** Portuguese by stems. */
  PORTUGUESE(PortugueseAnalyzer::new);

  private final Supplier<Analyzer> analyzer;

  TextAnalyzer(Supplier<Analyzer> analyzer) {
    this.analyzer = analyzer;
  }

  Analyzer create() {
    return analyzer.get();
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
