/** The statements of SQL that a shared scan can do. What it cannot is refused by name. */
package io.uniserve.engines.sharedscan.sql;
