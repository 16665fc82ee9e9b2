package io.uniserve.engines.sharedscan;

import io.uniserve.api.form.Name;
import java.nio.ByteBuffer;

/**
 * Some rows of an answer.
 *
 * @param count their number
 * @param cells their values in {@linkplain io.uniserve.engines.sharedscan.data.Cells compact form},
 *     one row after another
 */
@Name("Rows")
public record Rows(int count, ByteBuffer cells) {}
