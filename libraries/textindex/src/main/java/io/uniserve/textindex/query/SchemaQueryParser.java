package io.uniserve.textindex.query;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.textindex.query.QueryText.FieldBoost;
import io.uniserve.textindex.schema.FieldDefinition;
import io.uniserve.textindex.schema.SearchSchema;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.DoublePoint;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.index.Term;
import org.apache.lucene.queryparser.classic.ParseException;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;

/**
 * A parser of Lucene's query language over the typed fields of a schema. Words without a field are
 * searched in all default fields and scored by the best of them. A query, or a part in parentheses,
 * that only excludes, excludes from all documents. Used by one thread.
 */
final class SchemaQueryParser extends QueryParser {
  private static final String NO_FIELD = "";

  private final SearchSchema schema;
  private final List<FieldBoost> defaults;
  private final float tie;
  private final boolean tolerant;
  private Query ofClauses;

  private SchemaQueryParser(
      SearchSchema schema,
      List<FieldBoost> defaults,
      float tie,
      boolean requireAll,
      boolean tolerant) {
    super(NO_FIELD, schema.analyzer());
    this.schema = schema;
    this.defaults = defaults;
    this.tie = tie;
    this.tolerant = tolerant;
    setAllowLeadingWildcard(true);
    setSplitOnWhitespace(true);
    setDefaultOperator(requireAll ? Operator.AND : Operator.OR);
  }

  /** Makes a parser that refuses a word without a field if the default field cannot have it. */
  static SchemaQueryParser strict(
      SearchSchema schema, List<FieldBoost> defaultField, boolean requireAll) {
    return new SchemaQueryParser(schema, defaultField, 0, requireAll, false);
  }

  /**
   * Makes a parser by which a word without a field is not searched in fields that cannot have it.
   */
  static SchemaQueryParser tolerant(
      SearchSchema schema, List<FieldBoost> fields, float tie, boolean requireAll) {
    return new SchemaQueryParser(schema, fields, tie, requireAll, true);
  }

  /** A maker of a query of one field. */
  private interface FieldQuery {
    Query in(String name, FieldDefinition field) throws ParseException;
  }

  private Query inEach(String named, FieldQuery query) throws ParseException {
    if (!named.equals(NO_FIELD)) {
      return query.in(named, searched(named));
    }
    if (defaults.isEmpty()) {
      throw UniserveException.invalid("no field is named and there is no default field");
    }
    List<Query> queries = new ArrayList<>();
    for (FieldBoost each : defaults) {
      Query found = inOne(each.field(), query);
      if (found != null) {
        queries.add(each.boost() == 1 ? found : new BoostQuery(found, each.boost()));
      }
    }
    return queries.size() > 1
        ? new DisjunctionMaxQuery(queries, tie)
        : queries.stream().findFirst().orElse(null);
  }

  private Query inOne(String name, FieldQuery query) throws ParseException {
    try {
      return query.in(name, searched(name));
    } catch (UniserveException e) {
      if (!tolerant || e.code() == ErrorCode.TOO_LARGE) {
        throw e;
      }
      return new MatchNoDocsQuery(e.getMessage());
    }
  }

  private FieldDefinition searched(String name) {
    FieldDefinition field = schema.require(name);
    if (!field.indexed()) {
      throw new UniserveException(ErrorCode.UNSUPPORTED, "field '" + name + "' is not indexed");
    }
    return field;
  }

  /**
   * Returns whether the latest query consists of clauses that the user wrote, and not of one word's
   * parts.
   */
  boolean isOfClauses(Query latest) {
    return latest == ofClauses;
  }

  @Override
  protected Query getBooleanQuery(List<BooleanClause> clauses) throws ParseException {
    boolean onlyExcludes =
        !clauses.isEmpty() && clauses.stream().allMatch(BooleanClause::isProhibited);
    List<BooleanClause> all = new ArrayList<>(clauses);
    if (onlyExcludes) {
      all.add(new BooleanClause(MatchAllDocsQuery.INSTANCE, Occur.MUST));
    }
    ofClauses = super.getBooleanQuery(all);
    return ofClauses;
  }

  @Override
  protected Query getFieldQuery(String named, String text, boolean quoted) throws ParseException {
    return inEach(
        named,
        (name, field) ->
            field.numeric()
                ? range(name, field, field.codeOf(name, text), field.lastCodeOf(name, text))
                : super.getFieldQuery(name, text, quoted));
  }

  @Override
  protected Query getFieldQuery(String named, String text, int slop) throws ParseException {
    return inEach(named, (name, field) -> super.getFieldQuery(name, text, slop));
  }

  @Override
  protected Query getRangeQuery(
      String named, String low, String high, boolean withLow, boolean withHigh)
      throws ParseException {
    return inEach(
        named,
        (name, field) -> {
          if (low == null && high == null) {
            return exists(name, field);
          }
          if (!field.numeric()) {
            return super.getRangeQuery(name, low, high, withLow, withHigh);
          }
          return numbers(name, field, low, high, withLow, withHigh);
        });
  }

  private static Query numbers(
      String name,
      FieldDefinition field,
      String low,
      String high,
      boolean withLow,
      boolean withHigh) {
    boolean above = low != null && !withLow;
    boolean below = high != null && !withHigh;
    long least =
        low == null
            ? field.leastCode()
            : above ? field.lastCodeOf(name, low) : field.codeOf(name, low);
    long most =
        high == null
            ? field.mostCode()
            : below ? field.codeOf(name, high) : field.lastCodeOf(name, high);
    boolean beyondAll = above && least == Long.MAX_VALUE || below && most == Long.MIN_VALUE;
    least += above ? 1 : 0;
    most -= below ? 1 : 0;
    return beyondAll || least > most
        ? new MatchNoDocsQuery("nothing lies in an empty range")
        : range(name, field, least, most);
  }

  private static Query range(String name, FieldDefinition field, long least, long most) {
    Query points =
        field.type() == FieldDefinition.Type.DOUBLE
            ? DoublePoint.newRangeQuery(
                name, (Double) field.ofCode(least), (Double) field.ofCode(most))
            : LongPoint.newRangeQuery(name, least, most);
    return field.docValues()
        ? new IndexOrDocValuesQuery(
            points, SortedNumericDocValuesField.newSlowRangeQuery(name, least, most))
        : points;
  }

  @Override
  protected Query getWildcardQuery(String named, String text) throws ParseException {
    PatternBounds.check(text);
    boolean any = text.equals("*");
    if (any && (named.equals(NO_FIELD) || named.equals("*"))) {
      return MatchAllDocsQuery.INSTANCE;
    }
    return any
        ? inEach(named, SchemaQueryParser::exists)
        : inEachOfWords(named, (name, field) -> super.getWildcardQuery(name, text));
  }

  private static Query exists(String name, FieldDefinition field) {
    boolean listed = field.docValues() || field.type() == FieldDefinition.Type.TEXT;
    return listed
        ? new FieldExistsQuery(name)
        : field.numeric()
            ? range(name, field, field.leastCode(), field.mostCode())
            : new PrefixQuery(new Term(name, ""));
  }

  @Override
  protected Query getPrefixQuery(String named, String text) throws ParseException {
    PatternBounds.check(text);
    return inEachOfWords(named, (name, field) -> super.getPrefixQuery(name, text));
  }

  @Override
  protected Query getRegexpQuery(String named, String text) throws ParseException {
    PatternBounds.checkRegexp(text);
    return inEachOfWords(named, (name, field) -> super.getRegexpQuery(name, text));
  }

  @Override
  protected Query getFuzzyQuery(String named, String text, float likeness) throws ParseException {
    PatternBounds.check(text);
    return inEachOfWords(named, (name, field) -> super.getFuzzyQuery(name, text, likeness));
  }

  @Override
  protected Query newFuzzyQuery(Term term, float likeness, int prefixLength) {
    int characters = term.text().codePointCount(0, term.text().length());
    int edits = FuzzyQuery.floatToEdits(likeness, characters);
    return FuzzyRewrite.query(term, edits, prefixLength);
  }

  private Query inEachOfWords(String named, FieldQuery query) throws ParseException {
    return inEach(
        named,
        (name, field) -> {
          if (field.numeric()) {
            throw UniserveException.invalid("field '" + name + "' has numbers, not words");
          }
          return query.in(name, field);
        });
  }
}
