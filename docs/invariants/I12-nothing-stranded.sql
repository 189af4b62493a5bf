-- I12: 120 s after the last fault nothing is stranded: no lease that ran out, no job that is due but not picked up, no queued
-- job without a dispatch that will wake it, no dispatch of an ended job that is still to come.
-- While workers are down, or saturated, rows are the truth and no fault of the engine's.
-- A row: a job, and what became of it.
with grace as (
  select coalesce(nullif(current_setting('coatcheck.grace', true), ''), '120 seconds')::interval as grace)
select job.id, job.tenant_id, job.status, job.dispatch_no, dispatch.state as dispatch_state,
       case
         when job.status = 'in_progress' then 'its lease ran out'
         when job.status <> 'queued' then 'ended, but its dispatch is still to come'
         when dispatch.id is null then 'queued without a dispatch'
         when dispatch.state in ('SUCCEEDED', 'FAILED', 'DELETED') then 'queued, but its dispatch is over'
         else 'due, but not picked up'
       end as fault
from job
cross join grace
left join jobrunr_jobs dispatch on dispatch.id = job.dispatch_id::text::char(36)
where job.status = 'in_progress' and job.lease_expires_at < now() - grace
  or job.status = 'queued' and (
    greatest(job.wake_at, job.created_at) < now() - grace
    or (dispatch.id is null or dispatch.state in ('SUCCEEDED', 'FAILED', 'DELETED'))
      and job.created_at < now() - grace)
  or job.ended_at < now() - grace and (
    dispatch.state in ('ENQUEUED', 'PROCESSING')
    or dispatch.state = 'SCHEDULED' and dispatch.scheduledAt < (now() - grace) at time zone 'UTC')
order by job.id;
