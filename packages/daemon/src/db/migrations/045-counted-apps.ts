/**
 * Adds an app id to the data of each HAProxy backend in `traffic_counts.data`. The app id is the sixth 64-bit
 * floating-point number of a backend. The value 0 means that the app is unknown.
 */
export const countedApps = `
UPDATE traffic_counts SET data = (
  WITH RECURSIVE backend (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM backend WHERE 40 * (n + 2) <= length(data))
  SELECT unhex(group_concat(hex(substr(data, 40 * n + 1, 40)) || hex(zeroblob(8)), '' ORDER BY n)) FROM backend
) WHERE length(data) >= 40;
`;
