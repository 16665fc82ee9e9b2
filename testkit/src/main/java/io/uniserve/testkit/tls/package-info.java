/** Certificates for tests of connections that are encrypted. */
package io.uniserve.testkit.tls;
