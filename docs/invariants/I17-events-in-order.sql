-- I17: a job's events are numbered from 1 without a gap, and the last event of an ended job, and no other, is its end.
-- A row: a job whose events contradict that. Jobs from before there were events have none.
select id, tenant_id, status, events as counted, told, newest,
       case
         when told <> events or newest <> events or oldest <> 1 then 'a gap, or a number too many'
         when ended_at is not null and last_type <> 'job.' || status then 'ended, but its last event says otherwise'
         when ended_at is null and last_type in
             ('job.completed', 'job.incomplete', 'job.failed', 'job.cancelled', 'job.expired')
           then 'open, but its events say that it ended'
         when ends > 1 then 'its events say twice that it ended'
       end as contradiction
from job
join lateral (
  select count(*) as told, min(number) as oldest, max(number) as newest,
         max(type) filter (where number = job.events) as last_type,
         count(*) filter (where type in
           ('job.completed', 'job.incomplete', 'job.failed', 'job.cancelled', 'job.expired')) as ends
  from event where event.job_id = job.id and event.tenant_id = job.tenant_id) as sequence on true
where job.events > 0
  and (told <> events or newest <> events or oldest <> 1
    or (ended_at is not null) is distinct from (last_type = 'job.' || status)
    or ends > 1 or ends = 1 and ended_at is null)
order by id;
