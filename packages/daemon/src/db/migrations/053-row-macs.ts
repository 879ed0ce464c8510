/** MACs of rows that direct traffic, or contain secrets or permissions. The next start writes them for all rows. */
export const rowMacs = `
CREATE TABLE row_macs (
  table_name TEXT NOT NULL,
  row_key TEXT NOT NULL,
  mac BLOB NOT NULL,
  PRIMARY KEY (table_name, row_key)
) STRICT, WITHOUT ROWID;
`;
