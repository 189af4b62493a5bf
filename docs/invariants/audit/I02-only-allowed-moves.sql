-- I2: a job goes from one state to another only as the table of states says. Needs audit/install.sql.
-- A row: a move that is not in the table.
select at, job_id, from_status, to_status
from coatcheck_audit.job_move
where from_status <> to_status
  and (from_status, to_status) not in (
    ('queued', 'in_progress'), ('queued', 'cancelled'), ('queued', 'expired'),
    ('in_progress', 'queued'), ('in_progress', 'requires_action'), ('in_progress', 'completed'),
    ('in_progress', 'incomplete'), ('in_progress', 'failed'), ('in_progress', 'cancelled'), ('in_progress', 'expired'),
    ('requires_action', 'queued'), ('requires_action', 'cancelled'), ('requires_action', 'expired'))
order by at;
