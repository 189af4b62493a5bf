-- I2: an ended job never changes its state, result or failure. Needs audit/install.sql.
-- A row: a move of an ended job, or a recorded turn that was touched.
select at, job_id, from_status, to_status, 'moved after its end' as fault
from coatcheck_audit.job_move
where outcome_moved
union all
select at, job_id, what, null, 'turn ' || number || ' was touched'
from coatcheck_audit.turn_change
order by at;
