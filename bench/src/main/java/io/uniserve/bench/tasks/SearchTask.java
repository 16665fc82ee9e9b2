package io.uniserve.bench.tasks;

/**
 * One line of the task file.
 *
 * @param kind the kind as the file names it, such as {@code HighSloppyPhrase}
 * @param text the query in the task file's own notation, without the frequencies that the file
 *     appends
 */
public record SearchTask(String kind, String text) {}
