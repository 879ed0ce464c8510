/** MACs of the rows that direct traffic, or hold secrets or rights. The next start writes them for existing rows. */
export const rowMacs = `
CREATE TABLE row_macs (
  table_name TEXT NOT NULL,
  row_key TEXT NOT NULL,
  mac BLOB NOT NULL,
  PRIMARY KEY (table_name, row_key)
) STRICT, WITHOUT ROWID;
`;
