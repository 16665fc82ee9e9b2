package io.uniserve.kernel;

/**
 * An immutable value that one process sends another. Between processes it is encoded; inside one it
 * is handed over.
 */
public interface Message {}
