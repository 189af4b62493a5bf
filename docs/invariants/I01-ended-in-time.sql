-- I1: every accepted job has ended by its deadline + 60 s.
-- A row: a job that is open past that, or that ended later than that. The expirer is not running, or cannot write.
select id, tenant_id, status, deadline_at, ended_at,
       coalesce(ended_at, now()) - deadline_at as late_by
from job
where coalesce(ended_at, now()) > deadline_at + interval '60 seconds'
order by id;
