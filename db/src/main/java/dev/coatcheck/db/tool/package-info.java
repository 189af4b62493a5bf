/** What both processes know of tools: the tools file, schemas, safeties, and the names of calls. */
@NullMarked
package dev.coatcheck.db.tool;

import org.jspecify.annotations.NullMarked;
