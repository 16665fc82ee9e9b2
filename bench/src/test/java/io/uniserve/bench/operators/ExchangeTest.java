package io.uniserve.bench.operators;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.partition.Partitioner;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.runtime.client.QueryOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExchangeTest {
  @Test
  void eachActorSendsToEachOther(@TempDir Path directory) throws IOException {
    Partitioner.Hash partitioner = new Partitioner.Hash(3);
    long block = new BlockActor().rows().remaining();
    try (EmbeddedCluster cluster = EmbeddedCluster.start(directory, 2, new BlockEngine())) {
      cluster.client().createTable(BlockEngine.table(3), Duration.ofSeconds(30));

      assertThat(cluster.client().query(Exchange.plan(partitioner, 0), QueryOptions.DEFAULT))
          .isEqualTo(new Exchange.Received(0, 9));
      assertThat(
              cluster.client().query(Exchange.plan(partitioner, block + 1), QueryOptions.DEFAULT))
          .isEqualTo(new Exchange.Received(3 * 2 * 2 * block, 12));
    }
  }
}
