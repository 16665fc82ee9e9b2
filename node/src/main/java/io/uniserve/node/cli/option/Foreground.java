package io.uniserve.node.cli.option;

import io.uniserve.api.error.UniserveException;
import io.uniserve.node.cluster.Parts;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of a command that runs until the process is asked to end. It then closes what the
 * command started, the latest first.
 */
public final class Foreground implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Foreground.class);

  private final Parts parts = new Parts();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread hook = Thread.ofPlatform().name("shutdown").unstarted(this::closeAll);

  public Foreground() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Takes charge of closing a part. */
  public <T extends AutoCloseable> T add(T part) {
    return parts.add(part);
  }

  /** Waits for the end of the process. */
  public void await() {
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closeAll();
    if (!Thread.currentThread().equals(hook)) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        LOG.debug("the process is ending already", e);
      }
    }
  }

  private void closeAll() {
    try {
      parts.close();
    } catch (UniserveException e) {
      LOG.warn("not everything closed well", e);
    } finally {
      closed.countDown();
    }
  }
}
