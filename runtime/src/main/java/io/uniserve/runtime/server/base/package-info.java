/** The surroundings of everything in a server: its settings and the process that it runs in. */
package io.uniserve.runtime.server.base;
