/** What a process has of Druid once: its JSON, its files, its kinds of queries. */
package io.uniserve.engines.olap.druid;
