package io.uniserve.testkit.tools;

import java.io.IOException;
import java.util.List;

/** The machines of a cluster's processes; by default all processes are on loopback. */
public interface Hosts extends AutoCloseable {
  /** All processes at 127.0.0.1. */
  Hosts LOOPBACK =
      new Hosts() {
        @Override
        public String address(String process) {
          return "127.0.0.1";
        }

        @Override
        public String outside() {
          return "127.0.0.1";
        }

        @Override
        public List<String> commandPrefix(String process) {
          return List.of();
        }

        @Override
        public void close() {
          // there is nothing to close
        }
      };

  /** Returns the IP address at which others reach a process; makes its host if it is missing. */
  String address(String process) throws IOException;

  /** Returns the IP address at which the processes reach the machine that started them. */
  String outside();

  /** Returns the words before the command that starts a process there. */
  List<String> commandPrefix(String process);

  @Override
  void close();
}
