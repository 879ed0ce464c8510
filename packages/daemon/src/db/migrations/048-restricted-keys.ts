/** Adds `restricted` to `api_keys`. The value stays the same if the permissions of the key's owner change later. */
export const restrictedKeys = `
ALTER TABLE api_keys ADD COLUMN restricted INTEGER NOT NULL DEFAULT 0;
UPDATE api_keys SET restricted = 1 FROM users u WHERE u.id = api_keys.user_id AND (
  api_keys.expires_at IS NOT NULL
  OR (api_keys.role = 'member' AND u.role = 'admin')
  OR (api_keys.role = 'viewer' AND u.role <> 'viewer')
  OR (api_keys.projects IS NOT NULL AND (u.projects IS NULL OR EXISTS (
    SELECT 1 FROM json_each(u.projects) WHERE value NOT IN (SELECT value FROM json_each(api_keys.projects))))));
`;
