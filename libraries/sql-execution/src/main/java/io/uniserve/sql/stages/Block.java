package io.uniserve.sql.stages;

import io.uniserve.api.form.Name;
import java.nio.ByteBuffer;

/**
 * Some rows of a stage's result.
 *
 * @param rows an Arrow stream
 */
@Name("Block")
public record Block(ByteBuffer rows) {}
