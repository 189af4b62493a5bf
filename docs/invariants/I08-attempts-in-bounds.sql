-- I8: a turn is answered once, costs no more requests than max_attempts allows, and none is sent after the job's end or deadline.
-- Requests that our own graceful stop aborted do not count (attempt.counted). 2 s are left for statements that waited.
-- A row: a turn and its fault.
select attempt.job_id, attempt.tenant_id, attempt.turn,
       case
         when count(*) filter (where attempt.state = 'answered') > 1 then 'answered more than once'
         when count(*) filter (where attempt.counted) > job.max_attempts then 'more than max_attempts'
         when max(attempt.sent_at) > job.deadline_at + interval '2 seconds' then 'sent after the deadline'
         when max(attempt.sent_at) > job.ended_at + interval '2 seconds' then 'sent after the end'
         else 'answered, but its turn is not recorded'
       end as fault
from attempt
join job on job.id = attempt.job_id and job.tenant_id = attempt.tenant_id
left join turn
  on turn.job_id = attempt.job_id and turn.tenant_id = attempt.tenant_id and turn.number = attempt.turn
group by attempt.job_id, attempt.tenant_id, attempt.turn, job.id, turn.job_id
having count(*) filter (where attempt.state = 'answered') > 1
  or count(*) filter (where attempt.counted) > job.max_attempts
  or max(attempt.sent_at) > job.deadline_at + interval '2 seconds'
  or max(attempt.sent_at) > job.ended_at + interval '2 seconds'
  or count(*) filter (where attempt.state = 'answered') > 0 and turn.job_id is null
order by attempt.job_id, attempt.turn;
