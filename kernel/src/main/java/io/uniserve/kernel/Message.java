package io.uniserve.kernel;

/**
 * An immutable value that one process sends to another. It is encoded between processes and handed
 * over by reference inside a JVM.
 */
public interface Message {}
