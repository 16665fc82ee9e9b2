/** Errors: whose they are, whether a retry is safe, and how long a text they echo. */
package io.uniserve.api.error;
