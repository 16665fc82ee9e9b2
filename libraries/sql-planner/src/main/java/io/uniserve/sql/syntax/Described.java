package io.uniserve.sql.syntax;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The rewriting of SHOW and DESCRIBE to queries.
 *
 * <pre>
 * show tables   →   select table_name as name from information_schema.tables order by 1
 * describe t    →   select column_name, ... from information_schema.columns where table_name = 't'
 * </pre>
 */
public final class Described {
  private static final String NAME = "(?:[\\p{L}_][\\p{L}\\p{N}_$]*|\"[^\"]+\")";
  private static final Pattern TABLES =
      Pattern.compile("(?i)\\s*show(\\s+(all\\s+)?tables)?\\s*;?");
  private static final Pattern TABLE =
      Pattern.compile(
          "(?i)\\s*(?:describe|desc|show)\\s+(?:table\\s+)?(?<from>(?:"
              + NAME
              + "\\.)?(?<name>"
              + NAME
              + "))\\s*;?");

  private Described() {}

  /** Returns the query; any other statement is returned as it is. */
  public static String query(String sql) {
    if (TABLES.matcher(sql).matches()) {
      return "select table_name as name from information_schema.tables order by 1";
    }
    Matcher table = TABLE.matcher(sql);
    if (!table.matches()) {
      return sql;
    }
    String name = table.group("name").replace("\"", "").toLowerCase(Locale.ROOT);
    // The query also reads the table itself, so that a missing one is an error.
    return "select column_name, data_type as column_type, is_nullable as \"null\","
        + " nullif(column_key, '') as \"key\", cast(null as varchar) as \"default\","
        + " cast(null as varchar) as extra from information_schema.columns left join (select 1 as one from "
        + table.group("from")
        + " where 1 = 0) as described on 1 = 1 where table_name = '"
        + name
        + "' order by ordinal_position";
  }
}
