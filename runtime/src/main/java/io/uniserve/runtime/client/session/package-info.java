/** Sessions of ordered tables: updates that are submitted one after another without waiting. */
package io.uniserve.runtime.client.session;
