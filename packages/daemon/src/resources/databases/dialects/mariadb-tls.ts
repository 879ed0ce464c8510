import type { NetworkAccess } from './dialect.ts';

/**
 * Returns arguments with which MariaDB refuses connections from outside the environment without TLS. MariaDB has one
 * port for all connections, and `require_secure_transport` would also refuse apps of the environment. So the check
 * depends on the address of the client. MariaDB runs `init_connect` for each user without administrator permissions,
 * and closes the connection if the statement fails.
 */
export function refusePlain({ subnet, gateway }: NetworkAccess): string[] {
  const [network = '', bits = '32'] = subnet.split('/');
  const mask = 2 ** 32 - 2 ** (32 - Number(bits));
  const client = "SUBSTRING_INDEX(USER(), '@', -1)";
  // `INET_ATON` returns NULL for an IPv6 address. `COALESCE` then treats the client as one from outside.
  const inSubnet = `(INET_ATON(${client}) & ${mask}) = INET_ATON('${network}') AND ${client} <> '${gateway}'`;
  const isInside = `COALESCE(${client} IN ('localhost', '127.0.0.1') OR (${inSubnet}), FALSE)`;
  const hasTls =
    "EXISTS (SELECT 1 FROM information_schema.SESSION_STATUS WHERE VARIABLE_NAME = 'SSL_CIPHER' AND VARIABLE_VALUE <> '')";
  // A subquery with two rows is an error. With one of the conditions, the subquery has no rows.
  const check = `SELECT (SELECT 1 FROM (SELECT 1 UNION ALL SELECT 2) AS refused WHERE NOT (${isInside} OR ${hasTls}))`;
  // With name resolution, `USER()` would contain the host name of an app instead of its address.
  return ['--skip-name-resolve', `--init-connect=${check}`];
}
