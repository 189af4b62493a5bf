-- JobRunr 8.7.0's own schema: its migration scripts one after the other, PostgreSQL's variant where there is one.
-- JobRunr runs with skip-create; jobrunr_migrations is filled so that a later JobRunr finds what it expects.
-- Locks: creates only.

-- v000__create_migrations_table.sql
CREATE TABLE jobrunr_migrations
(
    id          nchar(36) PRIMARY KEY,
    script      varchar(64) NOT NULL,
    installedOn varchar(29) NOT NULL
);
INSERT INTO jobrunr_migrations (id, script, installedOn) VALUES ('4e195090-12f9-5d8c-8168-7519b84f8d8b', 'v000__create_migrations_table.sql', '2026-11-29T00:00:00Z');

-- v001__create_job_table.sql
CREATE TABLE jobrunr_jobs
(
    id           NCHAR(36) PRIMARY KEY,
    version      int          NOT NULL,
    jobAsJson    text         NOT NULL,
    jobSignature VARCHAR(512) NOT NULL,
    state        VARCHAR(36)  NOT NULL,
    createdAt    TIMESTAMP    NOT NULL,
    updatedAt    TIMESTAMP    NOT NULL,
    scheduledAt  TIMESTAMP
);
CREATE INDEX jobrunr_state_idx ON jobrunr_jobs (state);
CREATE INDEX jobrunr_job_signature_idx ON jobrunr_jobs (jobSignature);
CREATE INDEX jobrunr_job_created_at_idx ON jobrunr_jobs (createdAt);
CREATE INDEX jobrunr_job_updated_at_idx ON jobrunr_jobs (updatedAt);
CREATE INDEX jobrunr_job_scheduled_at_idx ON jobrunr_jobs (scheduledAt);
INSERT INTO jobrunr_migrations (id, script, installedOn) VALUES ('0bc7870c-7ef8-5ef5-9b2d-7da42e169ea3', 'v001__create_job_table.sql', '2026-11-29T00:00:00Z');

-- v002__create_recurring_job_table.sql
CREATE TABLE jobrunr_recurring_jobs
(
    id        NCHAR(128) PRIMARY KEY,
    version   int  NOT NULL,
    jobAsJson text NOT NULL
);
INSERT INTO jobrunr_migrations (id, script, installedOn) VALUES ('10030cbe-da7c-5c1f-bbe8-e1414181687d', 'v002__create_recurring_job_table.sql', '2026-11-29T00:00:00Z');

-- v003__create_background_job_server_table.sql
CREATE TABLE jobrunr_backgroundjobservers
(
    id                     NCHAR(36) PRIMARY KEY,
    workerPoolSize         int           NOT NULL,
    pollIntervalInSeconds  int           NOT NULL,
    firstHeartbeat         TIMESTAMP(6)  NOT NULL,
    lastHeartbeat          TIMESTAMP(6)  NOT NULL,
    running                int           NOT NULL,
    systemTotalMemory      BIGINT        NOT NULL,
    systemFreeMemory       BIGINT        NOT NULL,
    systemCpuLoad          NUMERIC(3, 2) NOT NULL,
    processMaxMemory       BIGINT        NOT NULL,
    processFreeMemory      BIGINT        NOT NULL,
    processAllocatedMemory BIGINT        NOT NULL,
    processCpuLoad         NUMERIC(3, 2) NOT NULL
);
CREATE INDEX jobrunr_bgjobsrvrs_fsthb_idx ON jobrunr_backgroundjobservers (firstHeartbeat);
CREATE INDEX jobrunr_bgjobsrvrs_lsthb_idx ON jobrunr_backgroundjobservers (lastHeartbeat);
INSERT INTO jobrunr_migrations (id, script, installedOn) VALUES ('92d1b243-4762-5e8a-8cef-a034c8691934', 'v003__create_background_job_server_table.sql', '2026-11-29T00:00:00Z');

-- v004__create_job_stats_view.sql
CREATE TABLE jobrunr_job_counters
(
    name   NCHAR(36) PRIMARY KEY,
    amount int NOT NULL
);

INSERT INTO jobrunr_job_counters (name, amount)
VALUES ('AWAITING', 0);
INSERT INTO jobrunr_job_counters (name, amount)
VALUES ('SCHEDULED', 0);
INSERT INTO jobrunr_job_counters (name, amount)
VALUES ('ENQUEUED', 0);
INSERT INTO jobrunr_job_counters (name, amount)
VALUES ('PROCESSING', 0);
INSERT INTO jobrunr_job_counters (name, amount)
VALUES ('FAILED', 0);
INSERT INTO jobrunr_job_counters (name, amount)
VALUES ('SUCCEEDED', 0);

CREATE VIEW jobrunr_jobs_stats
AS
SELECT count(*)                                                                           AS total,
       (SELECT count(*) FROM jobrunr_jobs jobs WHERE jobs.state = 'AWAITING')             AS awaiting,
       (SELECT count(*) FROM jobrunr_jobs jobs WHERE jobs.state = 'SCHEDULED')            AS scheduled,
       (SELECT count(*) FROM jobrunr_jobs jobs WHERE jobs.state = 'ENQUEUED')             AS enqueued,
       (SELECT count(*) FROM jobrunr_jobs jobs WHERE jobs.state = 'PROCESSING')           AS processing,
       (SELECT count(*) FROM jobrunr_jobs jobs WHERE jobs.state = 'FAILED')               AS failed,
       (SELECT((SELECT count(*) FROM jobrunr_jobs jobs WHERE jobs.state = 'SUCCEEDED') +
               (SELECT amount FROM jobrunr_job_counters jc WHERE jc.name = 'SUCCEEDED'))) AS succeeded,
       (SELECT count(*) FROM jobrunr_backgroundjobservers)                                AS nbrOfBackgroundJobServers,
       (SELECT count(*) FROM jobrunr_recurring_jobs)                                      AS nbrOfRecurringJobs
FROM jobrunr_jobs j;
INSERT INTO jobrunr_migrations (id, script, installedOn) VALUES ('6b9053f1-a3a2-534b-979c-a11ea50b14a5', 'v004__create_job_stats_view.sql', '2026-11-29T00:00:00Z');

-- v005__update_job_stats_view.sql
DROP VIEW jobrunr_jobs_stats;

CREATE VIEW jobrunr_jobs_stats
AS
SELECT count(*)                                                                           AS total,
       (SELECT count(*) FROM jobrunr_jobs jobs WHERE jobs.state = 'AWAITING')             AS awaiting,
       (SELECT count(*) FROM jobrunr_jobs jobs WHERE jobs.state = 'SCHEDULED')            AS scheduled,
       (SELECT count(*) FROM jobrunr_jobs jobs WHERE jobs.state = 'ENQUEUED')             AS enqueued,
       (SELECT count(*) FROM jobrunr_jobs jobs WHERE jobs.state = 'PROCESSING')           AS processing,
       (SELECT count(*) FROM jobrunr_jobs jobs WHERE jobs.state = 'FAILED')               AS failed,
       (SELECT((SELECT count(*) FROM jobrunr_jobs jobs WHERE jobs.state = 'SUCCEEDED') +
               (SELECT amount FROM jobrunr_job_counters jc WHERE jc.name = 'SUCCEEDED'))) AS succeeded,
       (SELECT count(*) FROM jobrunr_jobs jobs WHERE jobs.state = 'DELETED')              AS deleted,
       (SELECT count(*) FROM jobrunr_backgroundjobservers)                                AS nbrOfBackgroundJobServers,
       (SELECT count(*) FROM jobrunr_recurring_jobs)                                      AS nbrOfRecurringJobs
FROM jobrunr_jobs j;
INSERT INTO jobrunr_migrations (id, script, installedOn) VALUES ('bd22f47c-b711-5254-9e11-cbe9f382cd0c', 'v005__update_job_stats_view.sql', '2026-11-29T00:00:00Z');

-- v006__alter_table_jobs_add_recurringjob.sql
ALTER TABLE jobrunr_jobs
    ADD recurringJobId VARCHAR(128);
CREATE INDEX jobrunr_job_rci_idx ON jobrunr_jobs (recurringJobId);
INSERT INTO jobrunr_migrations (id, script, installedOn) VALUES ('d7e6e587-5c73-58d8-be63-5d59290ab305', 'v006__alter_table_jobs_add_recurringjob.sql', '2026-11-29T00:00:00Z');

-- v007__alter_table_backgroundjobserver_add_delete_config.sql
ALTER TABLE jobrunr_backgroundjobservers
    ADD deleteSucceededJobsAfter VARCHAR(32);
ALTER TABLE jobrunr_backgroundjobservers
    ADD permanentlyDeleteJobsAfter VARCHAR(32);
INSERT INTO jobrunr_migrations (id, script, installedOn) VALUES ('402846e9-07ee-5c7c-bcae-a62f2a438480', 'v007__alter_table_backgroundjobserver_add_delete_config.sql', '2026-11-29T00:00:00Z');

-- v008__alter_table_jobs_increase_jobAsJson_size.sql
-- Empty migration so all databases follow the same numbering
INSERT INTO jobrunr_migrations (id, script, installedOn) VALUES ('7e17aa6e-8502-5127-aa5f-310b90c84273', 'v008__alter_table_jobs_increase_jobAsJson_size.sql', '2026-11-29T00:00:00Z');

-- v009__change_jobrunr_job_counters_to_jobrunr_metadata.sql
CREATE TABLE jobrunr_metadata
(
    id        varchar(156) PRIMARY KEY,
    name      varchar(92) NOT NULL,
    owner     varchar(64) NOT NULL,
    value     text        NOT NULL,
    createdAt TIMESTAMP   NOT NULL,
    updatedAt TIMESTAMP   NOT NULL
);

INSERT INTO jobrunr_metadata (id, name, owner, value, createdAt, updatedAt)
VALUES ('succeeded-jobs-counter-cluster', 'succeeded-jobs-counter', 'cluster',
        cast((SELECT amount FROM jobrunr_job_counters WHERE name = 'SUCCEEDED') AS char(10)), CURRENT_TIMESTAMP,
        CURRENT_TIMESTAMP);

DROP VIEW jobrunr_jobs_stats;
DROP TABLE jobrunr_job_counters;

CREATE VIEW jobrunr_jobs_stats
AS
SELECT count(*)                                                                 AS total,
       (SELECT count(*) FROM jobrunr_jobs jobs WHERE jobs.state = 'AWAITING')   AS awaiting,
       (SELECT count(*) FROM jobrunr_jobs jobs WHERE jobs.state = 'SCHEDULED')  AS scheduled,
       (SELECT count(*) FROM jobrunr_jobs jobs WHERE jobs.state = 'ENQUEUED')   AS enqueued,
       (SELECT count(*) FROM jobrunr_jobs jobs WHERE jobs.state = 'PROCESSING') AS processing,
       (SELECT count(*) FROM jobrunr_jobs jobs WHERE jobs.state = 'FAILED')     AS failed,
       (SELECT((SELECT count(*) FROM jobrunr_jobs jobs WHERE jobs.state = 'SUCCEEDED') +
               (SELECT cast(cast(value AS char(10)) AS decimal(10, 0))
                FROM jobrunr_metadata jm
                WHERE jm.id = 'succeeded-jobs-counter-cluster')))               AS succeeded,
       (SELECT count(*) FROM jobrunr_jobs jobs WHERE jobs.state = 'DELETED')    AS deleted,
       (SELECT count(*) FROM jobrunr_backgroundjobservers)                      AS nbrOfBackgroundJobServers,
       (SELECT count(*) FROM jobrunr_recurring_jobs)                            AS nbrOfRecurringJobs
FROM jobrunr_jobs j;
INSERT INTO jobrunr_migrations (id, script, installedOn) VALUES ('d77a3efe-01f7-5078-b5ba-9527a6f5bc0a', 'v009__change_jobrunr_job_counters_to_jobrunr_metadata.sql', '2026-11-29T00:00:00Z');

-- v010__change_job_stats.sql
DROP VIEW jobrunr_jobs_stats;

CREATE VIEW jobrunr_jobs_stats
AS
SELECT count(*)                                                                 AS total,
       (SELECT count(*) FROM jobrunr_jobs jobs WHERE jobs.state = 'AWAITING')   AS awaiting,
       (SELECT count(*) FROM jobrunr_jobs jobs WHERE jobs.state = 'SCHEDULED')  AS scheduled,
       (SELECT count(*) FROM jobrunr_jobs jobs WHERE jobs.state = 'ENQUEUED')   AS enqueued,
       (SELECT count(*) FROM jobrunr_jobs jobs WHERE jobs.state = 'PROCESSING') AS processing,
       (SELECT count(*) FROM jobrunr_jobs jobs WHERE jobs.state = 'FAILED')     AS failed,
       (SELECT count(*) FROM jobrunr_jobs jobs WHERE jobs.state = 'SUCCEEDED')  AS succeeded,
       (SELECT cast(cast(value AS char(10)) AS decimal(10, 0))
        FROM jobrunr_metadata jm
        WHERE jm.id = 'succeeded-jobs-counter-cluster')                         AS allTimeSucceeded,
       (SELECT count(*) FROM jobrunr_jobs jobs WHERE jobs.state = 'DELETED')    AS deleted,
       (SELECT count(*) FROM jobrunr_backgroundjobservers)                      AS nbrOfBackgroundJobServers,
       (SELECT count(*) FROM jobrunr_recurring_jobs)                            AS nbrOfRecurringJobs
FROM jobrunr_jobs j;
INSERT INTO jobrunr_migrations (id, script, installedOn) VALUES ('7cea79b3-605d-5dff-b5fa-84d54f79cd01', 'v010__change_job_stats.sql', '2026-11-29T00:00:00Z');

-- v011__change_sqlserver_text_to_varchar.sql
-- Empty migration so all databases follow the same numbering
INSERT INTO jobrunr_migrations (id, script, installedOn) VALUES ('fa145618-f4db-58b1-916a-0c20b6ede5ae', 'v011__change_sqlserver_text_to_varchar.sql', '2026-11-29T00:00:00Z');

-- v012__change_oracle_alter_jobrunr_metadata_column_size.sql
-- Empty migration so all databases follow the same numbering
INSERT INTO jobrunr_migrations (id, script, installedOn) VALUES ('0ef60090-3e53-5f62-8a42-1143cf7772cb', 'v012__change_oracle_alter_jobrunr_metadata_column_size.sql', '2026-11-29T00:00:00Z');

-- v013__alter_table_recurring_job_add_createdAt.sql
ALTER TABLE jobrunr_recurring_jobs
    ADD createdAt BIGINT NOT NULL DEFAULT '0';
CREATE INDEX jobrunr_recurring_job_created_at_idx ON jobrunr_recurring_jobs (createdAt);
INSERT INTO jobrunr_migrations (id, script, installedOn) VALUES ('382d4e9b-3965-5710-b6db-cdc7b2757f60', 'v013__alter_table_recurring_job_add_createdAt.sql', '2026-11-29T00:00:00Z');

-- v014__improve_job_stats.sql
DROP VIEW jobrunr_jobs_stats;
CREATE VIEW jobrunr_jobs_stats
AS
with job_stat_results AS (SELECT state, count(*) AS count
    FROM jobrunr_jobs
    GROUP BY ROLLUP (state
)
)
SELECT coalesce((SELECT count FROM job_stat_results WHERE state IS NULL), 0)        AS total,
       coalesce((SELECT count FROM job_stat_results WHERE state = 'SCHEDULED'), 0)  AS scheduled,
       coalesce((SELECT count FROM job_stat_results WHERE state = 'ENQUEUED'), 0)   AS enqueued,
       coalesce((SELECT count FROM job_stat_results WHERE state = 'PROCESSING'), 0) AS processing,
       coalesce((SELECT count FROM job_stat_results WHERE state = 'FAILED'), 0)     AS failed,
       coalesce((SELECT count FROM job_stat_results WHERE state = 'SUCCEEDED'), 0)  AS succeeded,
       coalesce((SELECT cast(cast(value AS char(10)) AS decimal(10, 0))
                 FROM jobrunr_metadata jm
                 WHERE jm.id = 'succeeded-jobs-counter-cluster'), 0)                AS allTimeSucceeded,
       coalesce((SELECT count FROM job_stat_results WHERE state = 'DELETED'), 0)    AS deleted,
       (SELECT count(*) FROM jobrunr_backgroundjobservers)                          AS nbrOfBackgroundJobServers,
       (SELECT count(*) FROM jobrunr_recurring_jobs)                                AS nbrOfRecurringJobs;

DROP INDEX jobrunr_job_updated_at_idx;
CREATE INDEX jobrunr_jobs_state_updated_idx ON jobrunr_jobs (state ASC, updatedAt ASC);
INSERT INTO jobrunr_migrations (id, script, installedOn) VALUES ('cc56e90a-0187-54ab-a027-da660b37215a', 'v014__improve_job_stats.sql', '2026-11-29T00:00:00Z');

-- v015__alter_table_backgroundjobserver_add_name.sql
ALTER TABLE jobrunr_backgroundjobservers
    ADD name VARCHAR(128);
INSERT INTO jobrunr_migrations (id, script, installedOn) VALUES ('cbe6d7fb-ae68-5eb2-a6de-3f10d75efc81', 'v015__alter_table_backgroundjobserver_add_name.sql', '2026-11-29T00:00:00Z');

-- v016__alter_jobs_stats_add_awaiting_jobs.sql
DROP VIEW jobrunr_jobs_stats;
CREATE VIEW jobrunr_jobs_stats
AS
with job_stat_results AS (SELECT state, count(*) AS count
    FROM jobrunr_jobs
    GROUP BY state
)
SELECT coalesce((SELECT sum(job_stat_results.count) FROM job_stat_results), 0)                            AS total,
       coalesce((SELECT sum(job_stat_results.count) FROM job_stat_results WHERE state = 'AWAITING'), 0)   AS awaiting,
       coalesce((SELECT sum(job_stat_results.count) FROM job_stat_results WHERE state = 'SCHEDULED'), 0)  AS scheduled,
       coalesce((SELECT sum(job_stat_results.count) FROM job_stat_results WHERE state = 'ENQUEUED'), 0)   AS enqueued,
       coalesce((SELECT sum(job_stat_results.count) FROM job_stat_results WHERE state = 'PROCESSING'), 0) AS processing,
       coalesce((SELECT sum(job_stat_results.count) FROM job_stat_results WHERE state = 'PROCESSED'), 0)  AS processed,
       coalesce((SELECT sum(job_stat_results.count) FROM job_stat_results WHERE state = 'FAILED'), 0)     AS failed,
       coalesce((SELECT sum(job_stat_results.count) FROM job_stat_results WHERE state = 'SUCCEEDED'), 0)  AS succeeded,
       coalesce((SELECT cASt(cASt(value AS char(10)) AS decimal(10, 0))
                 FROM jobrunr_metadata jm
                 WHERE jm.id = 'succeeded-jobs-counter-cluster'),
                0)                                                                                        AS allTimeSucceeded,
       coalesce((SELECT sum(job_stat_results.count) FROM job_stat_results WHERE state = 'DELETED'), 0)    AS deleted,
       (SELECT count(*) FROM jobrunr_backgroundjobservers)                                                AS nbrOfBackgroundJobServers,
       (SELECT count(*) FROM jobrunr_recurring_jobs)                                                      AS nbrOfRecurringJobs;
INSERT INTO jobrunr_migrations (id, script, installedOn) VALUES ('72e2484c-1df0-5634-a0a8-39cbec5fd957', 'v016__alter_jobs_stats_add_awaiting_jobs.sql', '2026-11-29T00:00:00Z');

-- Fewer indexes on what is rewritten at each change of state: what no frequent query of JobRunr's needs, or another
-- index serves as well. The promoter and the schedule look for SCHEDULED alone.
DROP INDEX jobrunr_state_idx;
DROP INDEX jobrunr_job_signature_idx;
DROP INDEX jobrunr_job_scheduled_at_idx;
DROP INDEX jobrunr_job_rci_idx;
CREATE INDEX jobrunr_jobs_due_idx ON jobrunr_jobs (scheduledAt) WHERE state = 'SCHEDULED';
CREATE INDEX jobrunr_job_rci_idx ON jobrunr_jobs (recurringJobId) WHERE recurringJobId IS NOT NULL;

-- Dispatches are rewritten at each change of state and deleted an hour later.
ALTER TABLE jobrunr_jobs SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.02);
