package io.uniserve.textindex.schema;

import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.analysis.core.SimpleAnalyzer;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;

/** The ways of dividing text into words. A schema names one in lower case. */
public enum TextAnalyzer {
  /** Words as Unicode divides them, in lower case. */
  STANDARD(new StandardAnalyzer()),
  /** Runs of letters, in lower case. */
  SIMPLE(new SimpleAnalyzer()),
  /** Everything between white space, unchanged. */
  WHITESPACE(new WhitespaceAnalyzer()),
  /** The whole value as one word. */
  KEYWORD(new KeywordAnalyzer()),
  /** English without its most frequent words, by their stems. */
  ENGLISH(new EnglishAnalyzer());

  private final Analyzer analyzer;

  TextAnalyzer(Analyzer analyzer) {
    this.analyzer = analyzer;
  }

  /** Returns the analyzer, which is safe for use by many threads. */
  Analyzer analyzer() {
    return analyzer;
  }
}
