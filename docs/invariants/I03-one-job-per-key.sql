-- I3: one job a tenant and idempotency key, stored with its request.
-- A row: a key with several jobs, or a job that was stored in part.
select tenant_id, idempotency_key, count(*) as jobs, 'several jobs' as fault
from job
group by tenant_id, idempotency_key
having count(*) > 1
union all
select job.tenant_id, job.idempotency_key, 1, 'no request'
from job
left join job_request request on request.job_id = job.id and request.tenant_id = job.tenant_id
where request.job_id is null and job.erased_at is null
order by 1, 2;
