/**
 * Adds the time of a user's last request to the table `users`. Sessions, API keys and OAuth grants also contain the
 * time of their last request, but they may be deleted.
 */
export const seen = `
ALTER TABLE users ADD COLUMN seen_at INTEGER;
UPDATE users SET seen_at = (
  SELECT max(at) FROM (
    SELECT max(seen_at) AS at FROM sessions WHERE user_id = users.id
    UNION ALL SELECT max(used_at) FROM api_keys WHERE user_id = users.id
    UNION ALL SELECT max(used_at) FROM oauth_grants WHERE user_id = users.id
  )
);
`;
