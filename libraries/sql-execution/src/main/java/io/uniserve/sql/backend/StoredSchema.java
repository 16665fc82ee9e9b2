package io.uniserve.sql.backend;

import io.uniserve.api.codec.Form;
import io.uniserve.api.codec.TypeRegistry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.VarCharVector;

/**
 * The schema that an actor's database was last made to fit, stored in an internal table. It holds
 * more than the database's own catalog: the partitioning of rows and their primary keys.
 */
public final class StoredSchema {
  /** The name of the internal table, which no table of a schema can have. */
  public static final String NAME = "#schema";

  /** The statement that creates the internal table if it is missing. */
  public static final String TABLE =
      "CREATE TABLE IF NOT EXISTS \"" + NAME + "\" (document VARCHAR)";

  static final Form FORM =
      new Form("the schema in a database", 1, 1, TypeRegistry.of(List.of(SchemaDocument.class)));
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private StoredSchema() {}

  /** Stores a schema. */
  static void write(WarehouseSchema schema, Session session) throws SQLException {
    String text =
        Base64.getEncoder().encodeToString(FORM.encode(new SchemaDocument(schema.document())));
    session.execute("DELETE FROM \"" + NAME + "\"");
    session.execute("INSERT INTO \"" + NAME + "\" VALUES ('" + text + "')");
  }

  /**
   * Reads the stored schema; empty if the database is as it was created.
   *
   * @param warehouse the warehouse's name, which a schema of one table may lack
   */
  public static Optional<WarehouseSchema> read(String warehouse, Session session)
      throws SQLException {
    List<String> found = new ArrayList<>();
    session.query(
        List.of(),
        "SELECT document FROM \"" + NAME + "\"",
        TIMEOUT,
        () -> false,
        rows -> {
          VarCharVector texts = (VarCharVector) rows.getVector(0);
          for (int i = 0; i < rows.getRowCount(); i++) {
            found.add(new String(texts.get(i), StandardCharsets.US_ASCII));
          }
        });
    return found.stream()
        .map(text -> ByteBuffer.wrap(Base64.getDecoder().decode(text)))
        .map(bytes -> FORM.decode(bytes, SchemaDocument.class))
        .map(document -> WarehouseSchema.of(warehouse, document.schema()))
        .findFirst();
  }
}
