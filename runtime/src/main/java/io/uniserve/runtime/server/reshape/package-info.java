/** The server's part in splits and merges. */
package io.uniserve.runtime.server.reshape;
