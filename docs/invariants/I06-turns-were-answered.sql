-- I6: turns are numbered without a gap, and each was brought by an attempt that was answered.
-- A row: a turn that has no such attempt, or whose predecessor is missing.
select turn.job_id, turn.tenant_id, turn.number, turn.attempt, attempt.state as attempt_state,
       before.number is null and turn.number > 1 as gap
from turn
left join attempt
  on attempt.job_id = turn.job_id and attempt.tenant_id = turn.tenant_id
    and attempt.number = turn.attempt and attempt.turn = turn.number
left join turn before
  on before.job_id = turn.job_id and before.tenant_id = turn.tenant_id and before.number = turn.number - 1
where attempt.state is distinct from 'answered'
  or before.number is null and turn.number > 1
order by turn.job_id, turn.number;
