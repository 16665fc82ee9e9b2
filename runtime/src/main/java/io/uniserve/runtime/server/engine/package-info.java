/** Threads of engines, their failures, and actors that are in use. */
package io.uniserve.runtime.server.engine;
