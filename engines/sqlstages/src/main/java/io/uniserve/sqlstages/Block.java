package io.uniserve.sqlstages;

import java.nio.ByteBuffer;

/**
 * Some rows that a stage gave.
 *
 * @param rows an Arrow stream
 */
public record Block(ByteBuffer rows) {}
