/** Clients for tests of surfaces, and what such tests ask of a client. */
package io.uniserve.testkit.client;
