-- I5: an at-most-once call whose reply was lost is not sent again, a call in doubt stops its job until somebody resolves it,
-- and a job that waits for people has something for them to do.
-- A row: a job, a call of it where there is one, and the fault.
select tool_call.job_id, tool_call.tenant_id, tool_call.turn, tool_call.ordinal,
       case
         when tool_call.safety = 'at-most-once' and tool_call.reply_lost then 'sent again after its reply was lost'
         else 'in doubt, and the job went on'
       end as fault
from tool_call
join job on job.id = tool_call.job_id and job.tenant_id = tool_call.tenant_id
where tool_call.safety = 'at-most-once' and tool_call.reply_lost
  or tool_call.state = 'in_doubt'
    and (job.status in ('completed', 'incomplete')
      or exists (
        select from turn
        where turn.job_id = job.id and turn.tenant_id = job.tenant_id and turn.number > tool_call.turn))
union all
select job.id, job.tenant_id, null, null, 'waits for people, who have nothing to do'
from job
where job.status = 'requires_action'
  and not exists (
    select from tool_call
    where tool_call.job_id = job.id and tool_call.tenant_id = job.tenant_id
      and tool_call.state in ('awaiting_approval', 'awaiting_output', 'in_doubt'))
order by 1, 3, 4;
