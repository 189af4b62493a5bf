/** The tool calls of a job: loaded, claimed, recorded, waited for; and SQL that is a tool. */
@NullMarked
package dev.coatcheck.db.call;

import org.jspecify.annotations.NullMarked;
