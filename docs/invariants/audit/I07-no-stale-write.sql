-- I7: no accepted write carries an epoch below its job's, and no epoch ever falls. Needs audit/install.sql.
-- A row: a write under an epoch that was not the job's at that moment, an attempt opened for a job that did not run, or a
-- change of hands that did not raise the epoch.
select at, job_id, what as write, epoch, job_epoch
from coatcheck_audit.epoch_write
where epoch is distinct from job_epoch or job_status <> 'in_progress'
union all
select at, job_id, from_status || ' to ' || to_status, from_epoch, to_epoch
from coatcheck_audit.job_move
where to_epoch < from_epoch
  or from_status = 'queued' and to_status = 'in_progress' and to_epoch <> from_epoch + 1
  or from_status = 'in_progress' and (to_deaths > from_deaths or to_status = 'cancelled') and to_epoch = from_epoch
order by at;
