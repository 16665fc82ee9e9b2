package io.uniserve.sql.syntax;

/**
 * A column of a table.
 *
 * @param name its name, in lower case
 * @param type of its values
 * @param nullable whether a row may lack a value
 */
public record SqlColumn(String name, SqlType type, boolean nullable) {}
