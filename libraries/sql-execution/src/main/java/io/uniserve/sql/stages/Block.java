package io.uniserve.sql.stages;

import io.uniserve.api.form.Name;
import java.nio.ByteBuffer;

/**
 * Some rows that a stage gave.
 *
 * @param rows an Arrow stream
 */
@Name("Block")
public record Block(ByteBuffer rows) {}
