/** Clients for tests of surfaces, without a cluster. */
package io.uniserve.testkit.client;
