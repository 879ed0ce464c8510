/**
 * Stores the CPU, memory and process limits that project quotas reserve for replicas. `limits` contains the reserved
 * limits. The limits of the container are never higher. `limits_pending` is 1 until Docker confirms that the container
 * has exactly these limits. For existing replicas, `limits_pending` is 1, because concurrent changes may have set other
 * limits.
 *
 * `release_limits` of a deployment contains the limits of the container that runs its release command, as JSON. NULL
 * means that no such container exists.
 */
export const replicaLimits = `
ALTER TABLE instances ADD COLUMN limits_pending INTEGER NOT NULL DEFAULT 0 CHECK (limits_pending IN (0, 1));
ALTER TABLE deployments ADD COLUMN release_limits TEXT;
UPDATE instances SET limits_pending = 1,
  limits = coalesce(limits, (SELECT json_extract(a.spec, '$.limits') FROM apps a WHERE a.id = app_id));
`;
