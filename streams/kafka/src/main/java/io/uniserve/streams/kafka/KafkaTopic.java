package io.uniserve.streams.kafka;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.client.stream.StreamRecord;
import io.uniserve.runtime.client.stream.StreamSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A topic of Kafka. Which records are read is Uniserve's affair alone: there is no consumer group,
 * and no offset is kept in Kafka. Records of transactions that were aborted are not read.
 */
final class KafkaTopic implements StreamSource {
  private static final int RECORDS_MAX = 5_000;
  private static final int FETCH_BYTES_MAX = 8 << 20;
  private static final int PARTITION_BYTES_MAX = 1 << 20;
  private static final int TIMEOUT_MILLIS = 10_000;
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

  private final String address;
  private final String topic;
  private final Admin admin;
  private final KafkaConsumer<byte[], byte[]> consumer;

  private KafkaTopic(
      String address, String topic, Admin admin, KafkaConsumer<byte[], byte[]> consumer) {
    this.address = address;
    this.topic = topic;
    this.admin = admin;
    this.consumer = consumer;
  }

  /**
   * Opens a topic.
   *
   * @param properties further settings of Kafka's client: {@code security.}, {@code sasl.} and
   *     {@code ssl.}
   */
  static KafkaTopic open(String address, String topic, Map<String, String> properties) {
    Map<String, Object> common = new HashMap<>(properties);
    common.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, address);
    common.put(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS);
    common.put(CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS);
    common.put(CommonClientConfigs.METRIC_REPORTER_CLASSES_CONFIG, "");
    common.put("enable.metrics.push", false);
    Map<String, Object> reading = new HashMap<>(common);
    reading.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    reading.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    reading.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    reading.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    reading.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, RECORDS_MAX);
    reading.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES_MAX);
    reading.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, PARTITION_BYTES_MAX);
    return calling(
        address,
        () -> {
          Admin admin = Admin.create(common);
          try {
            return new KafkaTopic(
                address,
                topic,
                admin,
                new KafkaConsumer<>(
                    reading, new ByteArrayDeserializer(), new ByteArrayDeserializer()));
          } catch (RuntimeException e) {
            admin.close(CLOSE_TIMEOUT);
            throw e;
          }
        });
  }

  /**
   * Runs a call of Kafka's client, which loads classes by name from the loader of the thread.
   *
   * @throws UniserveException if it fails; the message has no settings in it
   */
  private static <T> T calling(String address, Supplier<T> call) {
    Thread thread = Thread.currentThread();
    ClassLoader former = thread.getContextClassLoader();
    thread.setContextClassLoader(KafkaTopic.class.getClassLoader());
    try {
      return call.get();
    } catch (KafkaException e) {
      throw failed(address, e);
    } finally {
      thread.setContextClassLoader(former);
    }
  }

  private static UniserveException failed(String address, Throwable cause) {
    return new UniserveException(
        ErrorCode.UNAVAILABLE,
        "Kafka at "
            + address
            + ": "
            + cause.getClass().getSimpleName()
            + (cause.getMessage() == null ? "" : ": " + cause.getMessage()),
        cause);
  }

  private TopicDescription describe() {
    return calling(
        address,
        () -> {
          try {
            return admin
                .describeTopics(List.of(topic))
                .allTopicNames()
                .get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
                .get(topic);
          } catch (ExecutionException e) {
            throw failed(address, e.getCause());
          } catch (TimeoutException e) {
            throw failed(address, e);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UniserveException(ErrorCode.CANCELLED, "interrupted", e);
          }
        });
  }

  @Override
  public String identity() {
    return describe().topicId().toString();
  }

  @Override
  public SortedMap<Integer, Bounds> partitions() {
    List<TopicPartition> all =
        describe().partitions().stream()
            .map(partition -> new TopicPartition(topic, partition.partition()))
            .toList();
    return calling(
        address,
        () -> {
          Map<TopicPartition, Long> first = consumer.beginningOffsets(all);
          Map<TopicPartition, Long> end = consumer.endOffsets(all);
          SortedMap<Integer, Bounds> bounds = new TreeMap<>();
          all.forEach(one -> bounds.put(one.partition(), new Bounds(first.get(one), end.get(one))));
          return bounds;
        });
  }

  @Override
  public void seek(Map<Integer, Long> next) {
    calling(
        address,
        () -> {
          consumer.assign(
              next.keySet().stream().map(number -> new TopicPartition(topic, number)).toList());
          next.forEach(
              (number, offset) -> consumer.seek(new TopicPartition(topic, number), offset));
          return true;
        });
  }

  @Override
  public List<StreamRecord> read(Duration patience) {
    return calling(
        address,
        () -> {
          List<StreamRecord> records = new ArrayList<>();
          for (ConsumerRecord<byte[], byte[]> record : consumer.poll(patience)) {
            records.add(
                new StreamRecord(
                    record.partition(),
                    record.offset(),
                    record.value() == null ? new byte[0] : record.value()));
          }
          return records;
        });
  }

  @Override
  public void close() {
    calling(
        address,
        () -> {
          try {
            consumer.close(CloseOptions.timeout(CLOSE_TIMEOUT));
          } finally {
            admin.close(CLOSE_TIMEOUT);
          }
          return true;
        });
  }
}
