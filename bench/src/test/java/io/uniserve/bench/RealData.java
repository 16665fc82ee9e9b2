package io.uniserve.bench;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.uniserve.bench.base.ProjectRoot;
import io.uniserve.bench.corpus.DataDirectory;
import java.nio.file.Files;
import java.util.Optional;

/**
 * The real inputs for tests. A test that needs one is skipped on a machine that does not have it.
 */
public final class RealData {

  private RealData() {}

  public static DataDirectory with(String relative) {
    DataDirectory data =
        DataDirectory.of(
            Optional.empty(),
            Optional.ofNullable(System.getenv(DataDirectory.VARIABLE)),
            ProjectRoot.find());
    assumeTrue(Files.exists(data.root().resolve(relative)), () -> relative + " is not here");
    return data;
  }
}
