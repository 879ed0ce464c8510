/**
 * `limits` of instances: what its project has reserved for the container, which has at most that. limits_pending is 1 until
 * the engine has confirmed that the container has exactly these limits. All replicas begin with 1: concurrent changes may
 * have left other limits than those on record. release_limits of deployments: JSON of the limits of the container of the
 * release command; null: none runs.
 */
export const replicaLimits = `
ALTER TABLE instances ADD COLUMN limits_pending INTEGER NOT NULL DEFAULT 0 CHECK (limits_pending IN (0, 1));
ALTER TABLE deployments ADD COLUMN release_limits TEXT;
UPDATE instances SET limits_pending = 1,
  limits = coalesce(limits, (SELECT json_extract(a.spec, '$.limits') FROM apps a WHERE a.id = app_id));
`;
