package io.uniserve.sql.syntax;

/**
 * A column of a table.
 *
 * @param name its name, in lower case
 * @param type the type of its values
 * @param nullable true if a row may lack a value
 */
public record SqlColumn(String name, SqlType type, boolean nullable) {}
