package io.uniserve.node.processes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A broker of Kafka in KRaft mode, a process of its own, and a producer of its records. */
final class Broker implements AutoCloseable {
  private static final String CLUSTER = "AAAAAAAAAAAAAAAAAAAAAQ";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Path directory;
  private final String address;
  private Process process;
  private KafkaProducer<byte[], byte[]> producer;

  private Broker(Path directory, int port) {
    this.directory = directory;
    this.address = "127.0.0.1:" + port;
  }

  /** Starts a broker that keeps its logs in a directory. */
  static Broker start(Path directory) throws IOException {
    int port = Jvm.freePorts(2);
    Broker broker = new Broker(Files.createDirectories(directory), port);
    Path config = directory.resolve("server.properties");
    Files.write(
        config,
        List.of(
            "process.roles=broker,controller",
            "node.id=1",
            "controller.quorum.voters=1@127.0.0.1:" + (port + 1),
            "listeners=PLAINTEXT://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d"
                .formatted(port, port + 1),
            "controller.listener.names=CONTROLLER",
            "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
            "log.dirs=" + directory.resolve("logs"),
            "offsets.topic.replication.factor=1"));
    Process format =
        broker.java("kafka.tools.StorageTool", "format", "-t", CLUSTER, "-c", config.toString());
    try {
      if (!format.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || format.exitValue() != 0) {
        throw new IOException("the broker's storage was not made: " + broker.log());
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    broker.process = broker.java("kafka.Kafka", config.toString());
    // One request at a time: a broker that has just made a topic may refuse the first of several
    // and take the next, and then it refuses the first for ever as out of order.
    broker.producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                broker.address,
                "acks",
                "all",
                "max.in.flight.requests.per.connection",
                1),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    return broker;
  }

  private Process java(String... programAndArguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path")));
    command.addAll(List.of(programAndArguments));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("broker.log").toFile()))
        .start();
  }

  private String log() throws IOException {
    return Files.readString(directory.resolve("broker.log"));
  }

  String address() {
    return address;
  }

  /** Makes a topic, once the broker answers. */
  void createTopic(String name, int partitions) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", address))) {
      admin
          .createTopics(List.of(new NewTopic(name, partitions, (short) 1)))
          .all()
          .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("topic " + name + " was not made", e);
    }
  }

  /** Sends a record; the answer comes once the broker has it. */
  Future<?> send(String topic, int partition, String json) {
    return producer.send(
        new ProducerRecord<>(topic, partition, null, json.getBytes(StandardCharsets.UTF_8)));
  }

  @Override
  public void close() {
    if (producer != null) {
      producer.close(Duration.ZERO);
    }
    if (process != null) {
      process.destroyForcibly().onExit().join();
    }
  }
}
