/** Creates SQL text for MySQL and MariaDB: quoted strings, quoted names, and statements that define a view. */

export function mysqlIdentifier(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

export function mysqlLiteral(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** Returns a comma-separated list of SQL string literals, for example for `IN (…)`. */
export function mysqlList(texts: readonly string[]): string {
  return texts.map(mysqlLiteral).join(', ');
}

/** Decodes a hexadecimal text in the output of an SQL statement. */
export function fromHex(hex: string): string {
  return Buffer.from(hex, 'hex').toString('utf8');
}

/**
 * Returns an SQL expression that creates the statement for a view. The expression uses the row of the view in
 * `information_schema.views`.
 * @param beginning statement up to `SQL SECURITY`
 */
export function viewStatement(beginning: string): string {
  return `CONCAT(${mysqlLiteral(`${beginning} SQL SECURITY `)}, security_type,
      ' VIEW \`', REPLACE(table_schema, '\`', '\`\`'), '\`.\`', REPLACE(table_name, '\`', '\`\`'), '\` AS ',
      view_definition, IF(check_option = 'NONE', '', CONCAT(' WITH ', check_option, ' CHECK OPTION')))`;
}
