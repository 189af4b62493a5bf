-- I6: a tool call is recorded with its turn and claimed after that, and the model is not asked on before each call of the turn is over.
-- A row: a call and its fault.
select tool_call.job_id, tool_call.tenant_id, tool_call.turn, tool_call.ordinal,
       case
         when turn.job_id is null then 'its turn is not recorded'
         when tool_call.recorded_at < turn.recorded_at then 'recorded before its turn'
         when tool_call.started_at < turn.recorded_at then 'claimed before its turn was recorded'
         when tool_call.ordinal > 1 and before.job_id is null then 'the call before it is missing'
         else 'the model was asked on before it was over'
       end as fault
from tool_call
left join turn
  on turn.job_id = tool_call.job_id and turn.tenant_id = tool_call.tenant_id and turn.number = tool_call.turn
left join tool_call before
  on before.job_id = tool_call.job_id and before.tenant_id = tool_call.tenant_id
    and before.turn = tool_call.turn and before.ordinal = tool_call.ordinal - 1
where turn.job_id is null
  or tool_call.recorded_at < turn.recorded_at
  or tool_call.started_at < turn.recorded_at
  or tool_call.ordinal > 1 and before.job_id is null
  or exists (
    select from attempt
    where attempt.job_id = tool_call.job_id and attempt.tenant_id = tool_call.tenant_id
      and attempt.turn > tool_call.turn
      and (tool_call.ended_at is null or attempt.sent_at < tool_call.ended_at))
order by tool_call.job_id, tool_call.turn, tool_call.ordinal;
