-- I11: each end of a job that has a webhook is one event, delivered, given up after its last try, or on its way in time.
-- While workers are down, or an endpoint has more than it takes, rows are the truth and no fault of the engine's.
-- A row: a job, and what became of its webhook.
with grace as (
  select coalesce(nullif(current_setting('coatcheck.grace', true), ''), '120 seconds')::interval as grace),
told as (
  select delivery.*,
         (select count(*) from delivery_attempt tried
          where tried.delivery_id = delivery.id and tried.tenant_id = delivery.tenant_id) as tries_noted,
         exists (
           select from delivery_attempt tried
           where tried.delivery_id = delivery.id and tried.tenant_id = delivery.tenant_id
             and tried.http_status between 200 and 299) as taken
  from delivery)
select job.id, job.tenant_id, job.status, null::text as event_id, 'ended, but nobody will be told' as fault
from job
where job.has_webhook and job.ended_at is not null
  and not exists (
    select from delivery
    where delivery.job_id = job.id and delivery.tenant_id = job.tenant_id and delivery.type = 'job.' || job.status)
union all
select job.id, job.tenant_id, job.status, min(delivery.event_id), 'one end, but several events'
from job
join delivery on delivery.job_id = job.id and delivery.tenant_id = job.tenant_id and delivery.type = 'job.' || job.status
where job.ended_at is not null
group by job.id having count(*) > 1
union all
select told.job_id, told.tenant_id, told.state, told.event_id,
       case
         when told.tries <> told.tries_noted then 'a try without its row'
         when told.state = 'delivered' and not told.taken then 'delivered, but no try was taken'
         when told.state = 'dead' and told.tries = 0 then 'given up without a try'
         else 'due, but not sent'
       end
from told
cross join grace
where told.tries <> told.tries_noted
  or told.state = 'delivered' and not told.taken
  or told.state = 'dead' and told.tries = 0
  or told.state = 'pending' and told.next_at < now() - grace
    and (told.claimed_until is null or told.claimed_until < now() - grace)
union all
select min(job_id::text)::uuid, min(tenant_id), null, event_id, 'one id for several events'
from delivery group by event_id having count(*) > 1
order by 1;
