package dev.coatcheck.db.lease;

import dev.coatcheck.db.job.Epoch;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.tenant.TenantId;

/**
 * The right to write to a job in progress, as long as its epoch has not passed. Every fenced write
 * takes one.
 */
public record Lease(JobId job, TenantId tenant, Epoch epoch) {}
