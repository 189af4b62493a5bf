-- I13: every request that was sent is accounted for: answered ones with their usage and as billed, those without a whole answer as
-- indeterminate and of unknown cost, and none is still open when its job is not in progress.
-- A row: an attempt, and what its row claims wrongly.
select attempt.job_id, attempt.tenant_id, attempt.number, attempt.state, attempt.billed,
       case
         when attempt.state = 'sending' then 'open, but its job does not run under its epoch'
         when attempt.state = 'answered' and attempt.billed <> 'yes' then 'answered, but not billed'
         when attempt.state = 'indeterminate' and attempt.billed <> 'unknown' then 'its cost cannot be known'
         when attempt.state = 'unreachable' and attempt.billed <> 'no' then 'nothing was sent, nothing is to be paid'
         else 'ended, but nobody knows when'
       end as fault
from attempt
join job on job.id = attempt.job_id and job.tenant_id = attempt.tenant_id
where attempt.state = 'sending' and (job.status <> 'in_progress' or job.epoch <> attempt.epoch)
  or attempt.state = 'answered' and attempt.billed <> 'yes'
  or attempt.state = 'indeterminate' and attempt.billed <> 'unknown'
  or attempt.state = 'unreachable' and attempt.billed <> 'no'
  or attempt.state <> 'sending' and attempt.ended_at is null
order by attempt.job_id, attempt.number;
