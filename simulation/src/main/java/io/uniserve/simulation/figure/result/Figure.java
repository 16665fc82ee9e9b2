package io.uniserve.simulation.figure.result;

import java.util.function.Function;

/**
 * A figure that can be made.
 *
 * @param name its number in the paper, or a word
 * @param title the title: what it shows and where the paper measured it
 * @param make makes it
 */
public record Figure(String name, String title, Function<FigureSettings, FigureResult> make) {}
