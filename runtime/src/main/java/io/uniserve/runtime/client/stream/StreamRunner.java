package io.uniserve.runtime.client.stream;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Signal;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.stream.StreamRun.Progress;
import io.uniserve.runtime.wire.ControlMessage.ReportStream;
import io.uniserve.runtime.wire.ControlMessage.StreamNoted;
import io.uniserve.runtime.wire.stream.SkippedRecord;
import io.uniserve.runtime.wire.stream.StreamPartition;
import io.uniserve.runtime.wire.stream.StreamState;
import io.uniserve.runtime.wire.stream.StreamState.Status;
import io.uniserve.runtime.wire.subscription.Controllers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process's readiness to read streams. It reports on every stream that is to be read, and reads
 * those that the coordinator gives it. If it dies, another process gets them, and begins where the
 * last report was; what was applied since is known to the actors.
 */
public final class StreamRunner implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StreamRunner.class);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(2);

  private final Environment environment;
  private final Controllers controllers;
  private final UniserveClient client;
  private final StreamSettings settings;
  private final String name;
  private final Signal closed;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, StreamRun> runs = new TreeMap<>();

  /**
   * @param client the client through which records are stored; outlives the runner
   * @param name a name that no other process has
   */
  public StreamRunner(
      Environment environment,
      Controllers controllers,
      UniserveClient client,
      StreamSettings settings,
      String name) {
    this.environment = environment;
    this.controllers = controllers;
    this.client = client;
    this.settings = settings;
    this.name = name;
    this.closed = environment.threads().signal();
  }

  /** Begins to report. */
  public void start() {
    environment.threads().start("streams", this::run);
  }

  /** Returns the trouble of a stream that this process reads and waits to pass. */
  public Optional<String> problem(String stream) {
    lock.lock();
    try {
      return Optional.ofNullable(runs.get(stream)).flatMap(StreamRun::problem);
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    try {
      while (!closed.isSet()) {
        step();
        closed.await(Deadline.after(environment.clock(), settings.interval()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      stopAll();
    }
  }

  private void step() {
    for (StreamState stream : List.copyOf(client.state().streams().values())) {
      if (stream.status() == Status.RUNNING && !closed.isSet()) {
        report(stream);
      }
    }
    settle();
  }

  private void report(StreamState stream) {
    Optional<StreamRun> run = known(stream);
    Optional<Progress> progress = run.map(StreamRun::progress);
    ReportStream report =
        new ReportStream(
            stream.name(),
            name,
            run.map(StreamRun::term).orElse(0L),
            progress.map(Progress::topic).orElse(stream.topic()),
            progress
                .map(now -> changed(stream, now.partitions()))
                .orElse(List.<StreamPartition>of()),
            progress.map(Progress::skipped).orElse(List.<SkippedRecord>of()),
            progress.flatMap(Progress::failure));
    try {
      controllers.ask(
          report, StreamNoted.class, Deadline.after(environment.clock(), ANSWER_TIMEOUT));
      run.ifPresent(one -> one.reported(progress.orElseThrow()));
    } catch (UniserveException e) {
      LOG.debug("a report on stream {} was not answered: {}", stream.name(), e.getMessage());
    }
  }

  private Optional<StreamRun> known(StreamState stream) {
    lock.lock();
    try {
      return Optional.ofNullable(runs.get(stream.name()));
    } finally {
      lock.unlock();
    }
  }

  private static List<StreamPartition> changed(StreamState stream, List<StreamPartition> now) {
    return now.stream()
        .filter(one -> !stream.partition(one.number()).equals(Optional.of(one)))
        .toList();
  }

  /** Begins and ends runs so that they are as cluster state has it. */
  private void settle() {
    lock.lock();
    try {
      Map<String, StreamState> streams = client.state().streams();
      runs.values()
          .removeIf(
              run -> {
                boolean over = streams.values().stream().noneMatch(stream -> is(run, stream));
                if (over) {
                  run.stop();
                }
                return over;
              });
      for (StreamState stream : streams.values()) {
        if (isMine(stream) && !runs.containsKey(stream.name()) && !closed.isSet()) {
          StreamRun run = new StreamRun(environment, client, settings, stream);
          runs.put(stream.name(), run);
          run.start();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean isMine(StreamState stream) {
    return stream.status() == Status.RUNNING && stream.runner().equals(name);
  }

  private boolean is(StreamRun run, StreamState stream) {
    return isMine(stream)
        && run.identity().equals(stream.identity())
        && run.term() == stream.term();
  }

  private void stopAll() {
    lock.lock();
    try {
      runs.values().forEach(StreamRun::stop);
      runs.clear();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    closed.set();
  }
}
