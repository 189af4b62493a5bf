-- I4: an effect key is one call's, what is done was claimed or decided first, and a call that is SQL is done once or not at all.
-- Effects at a remote are counted where they happen: there must be one for each keyed call that is done, and one at most for any other.
-- A row: a call and its fault.
select job_id, tenant_id, turn, ordinal, name, fault
from (
  select tool_call.*,
         case
           when count(*) over (partition by effect_key) > 1 then 'its effect key is another call''s too'
           when state = 'done' and outcome is null and (epoch is null or sends < 1) then 'done, and never claimed'
           when state = 'running' and (epoch is null or sends < 1) then 'running, and never claimed'
           when safety = 'transactional' and state in ('running', 'in_doubt') then 'transactional, and half done'
           when safety = 'transactional' and sends > 1 then 'transactional, and done twice'
           when state in ('done', 'failed', 'denied', 'not_run') <> (ended_at is not null) then 'over, or not, by its state alone'
         end as fault
  from tool_call) as looked_at
where fault is not null
order by job_id, turn, ordinal;
