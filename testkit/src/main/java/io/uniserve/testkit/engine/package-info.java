/** The engine under test and its questions. */
package io.uniserve.testkit.engine;
