/**
 * Adds the app id to the binary column `traffic_counts.data`. This column contains one record of numbers (f64) for each
 * HAProxy backend. Each record gets a sixth number: the id of the app whose requests were counted. The number is 0 if
 * the app is unknown.
 */
export const countedApps = `
UPDATE traffic_counts SET data = (
  WITH RECURSIVE backend (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM backend WHERE 40 * (n + 2) <= length(data))
  SELECT unhex(group_concat(hex(substr(data, 40 * n + 1, 40)) || hex(zeroblob(8)), '' ORDER BY n)) FROM backend
) WHERE length(data) >= 40;
`;
