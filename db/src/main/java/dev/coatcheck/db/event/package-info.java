/**
 * What happens to jobs, told: to callers as numbered events that are kept, to processes as
 * notifications that may be lost.
 *
 * <p>An event is written by the statement that makes the fact. The statement raises {@code
 * job.events} by as many as it appends, in the update that it does anyway, and takes the numbers
 * from what that returns:
 *
 * <pre>
 * with moved as (
 *   update job set status = …, events = events + 2 where … returning id, tenant_id, events),
 * told as (
 *   insert into event (job_id, number, tenant_id, type, data)
 *   select id, events - 1, tenant_id, 'tool.ended', … from moved
 *   union all
 *   select id, events, tenant_id, 'job.queued', event_of_status('queued', 'ready', null) from moved)
 * select …
 * </pre>
 *
 * <p>A statement that waited for the row's lock reads a stale counter in any sub-select; what
 * {@code returning} gives is right. The job's row is written before the rows of its attempts and
 * tools, so that no two statements wait for each other; where a statement must see what they hold,
 * its transaction locks the job first, in a statement of its own. Nothing is appended after an end.
 * What a run tells in between, {@code dev.coatcheck.db.lease.AppendEvents} appends.
 */
@NullMarked
package dev.coatcheck.db.event;

import org.jspecify.annotations.NullMarked;
