/** The parts of Druid that a process has once: its JSON, its files, its kinds of queries. */
package io.uniserve.engines.olap.druid;
