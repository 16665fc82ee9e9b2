package io.uniserve.engines.warehouse;

import java.nio.ByteBuffer;

/**
 * Some rows that a stage gave.
 *
 * @param rows an Arrow stream
 */
record Block(ByteBuffer rows) {}
