-- I2: an ended job has one whole outcome, an open one has none.
-- A row: a job whose columns contradict its status.
select id, tenant_id, status,
       case
         when status in ('queued', 'in_progress', 'requires_action') and ended_at is not null
           then 'open, but it has an end'
         when status not in ('queued', 'in_progress', 'requires_action') and ended_at is null
           then 'ended, but nobody knows when'
         when status <> 'in_progress' and (lease_owner is not null or lease_expires_at is not null)
           then 'leased, but nobody runs it'
         when status = 'in_progress' and (lease_owner is null or lease_expires_at is null)
           then 'runs, but without a lease'
         when status = 'completed' and error_code is not null
           then 'completed, but with an error'
         when status in ('failed', 'cancelled', 'expired') and error_code is null
           then 'ended without an answer, but without an error'
         when status in ('completed', 'incomplete') and not has_turn
           then 'ended with an answer, but without a turn'
         when status not in ('completed', 'incomplete', 'requires_action') and has_answer
           then 'its last turn ended it, but its status does not say so'
       end as contradiction
from (
  select job.*,
         exists (select from turn where turn.job_id = job.id and turn.tenant_id = job.tenant_id) as has_turn,
         exists (
           select from turn
           where turn.job_id = job.id and turn.tenant_id = job.tenant_id
             and turn.finish_reason in ('stop', 'length', 'content_filter')
             and not exists (
               select from tool_call
               where tool_call.job_id = turn.job_id and tool_call.tenant_id = turn.tenant_id
                 and tool_call.turn = turn.number and tool_call.state <> 'not_run')) as has_answer
  from job) as job
where
  status in ('queued', 'in_progress', 'requires_action') and ended_at is not null
  or status not in ('queued', 'in_progress', 'requires_action') and ended_at is null
  or status <> 'in_progress' and (lease_owner is not null or lease_expires_at is not null)
  or status = 'in_progress' and (lease_owner is null or lease_expires_at is null)
  or status = 'completed' and error_code is not null
  or status in ('failed', 'cancelled', 'expired') and error_code is null
  or status in ('completed', 'incomplete') and not has_turn
  or status not in ('completed', 'incomplete', 'requires_action') and has_answer
order by id;
