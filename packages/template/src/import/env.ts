import { referencesIn } from '../references.ts';
import { rewriteCredentials } from './credentials.ts';
import type { KnownDatabase } from './databases.ts';
import type { Hosts } from './hosts.ts';
import type { Inputs } from './inputs.ts';
import type { Teller } from './notes.ts';
import { isExternalSecret, isSecretName, isSecretValue } from './secrets.ts';
import { pairsOf, type Values } from './values.ts';
import type { Variable, Variables } from './variables.ts';

const DOMAIN_NAME =
  /(?:^|_)(?:DOMAIN|DOMAIN_NAME|FQDN|HOSTNAME|VIRTUAL_HOST|SERVER_NAME|(?:APP|SITE|PUBLIC|WEB)_HOST)$/;
const FOR_PROXIES = /^(?:VIRTUAL_(?:HOST|PORT|PATH|PROTO)|LETSENCRYPT_(?:HOST|EMAIL))$/;
const OWN_ADDRESS = /^https?:\/\/(?:localhost|127\.0\.0\.1)(?::(\d{1,5}))?(?=[/?#]|$)/;

/** Data that is necessary to convert the environment variables of a Compose service. */
export interface EnvMaking {
  variables: Variables;
  inputs: Inputs;
  hosts: Hosts;
  databases: readonly KnownDatabase[];
  /**
   * Map from published port in the Compose file to the key of the template input for the domain. Port 0 means the app's
   * own domain.
   */
  domains: ReadonlyMap<number, string>;
  /** Paths of the secrets in the container of the Compose service. */
  secretPaths: readonly string[];
}

export interface MadeEnv {
  env: Record<string, string>;
  /** Keys of the databases to which the environment variables refer. */
  databases: Set<string>;
}

/** Converts the environment variables of a Compose service to environment variables of an app in the template. */
export function envOf(service: Values, dependsOn: readonly string[], making: EnvMaking, report: Teller): MadeEnv {
  const { variables, hosts, databases } = making;
  const pairs = pairsOf(service.environment).map(
    ([name, value]) => [name, variables.mark(value ?? `\${${name}}`)] as const,
  );
  const spoken = new Set(pairs.flatMap(([name, marked]) => hosts.rewrite(marked, name).databases));
  const linked = databases.filter(({ key }) => spoken.has(key) || dependsOn.includes(key));
  const others = databases.filter((database) => !linked.includes(database));
  const env: Record<string, string> = {};
  for (const [name, marked] of pairs) {
    const value = valueOf(name, marked, [...linked, ...others.filter(hasVariables)], making, report);
    if (value !== null) env[name] = value;
  }
  const used = new Set(
    Object.values(env).flatMap((value) => referencesIn(value).flatMap(({ kind, key }) => (kind === 'db' ? [key] : []))),
  );
  const count = Object.keys(env).length;
  if (count > 0) report.carried('environment', `${count} ${count === 1 ? 'variable is' : 'variables are'} in \`env\`.`);
  reportPasswords(env, databases, report);
  return { env, databases: used };
}

/**
 * Converts a command or a file from a Compose file. Template inputs replace Compose variables. References to apps or
 * databases replace host names of services.
 */
export function fillText(marked: string, making: EnvMaking): string {
  return fill(making.hosts.rewrite(marked, null).text, making);
}

function valueOf(
  name: string,
  marked: string,
  linked: KnownDatabase[],
  making: EnvMaking,
  report: Teller,
): string | null {
  if (FOR_PROXIES.test(name)) return null;
  if (!/^[A-Za-z_][A-Za-z0-9_.]*$/.test(name)) {
    report.leftOut('environment', `“${name.slice(0, 60)}” is not a valid name of a variable.`);
    return null;
  }
  if (/_FILE$/.test(name) && marked.startsWith('/run/secrets/') && !making.secretPaths.includes(marked)) {
    report.leftOut(
      'environment',
      `${name} contains the path of a secret that the service does not have. Use the variable without _FILE and an input of type secret.`,
    );
    return null;
  }
  if (referencesIn(marked).length > 0) {
    report.leftOut(
      'environment',
      `The value of ${name} looks like a template reference, so the variable was not converted.`,
    );
    return null;
  }
  const rewritten = making.hosts.rewrite(marked, name);
  const { text, database } = rewriteCredentials(rewritten.text, name, linked);
  for (const missing of rewritten.missing) {
    report.changed(
      'environment',
      `${name} names the database “${missing.slice(0, 60)}”, which the template does not create. Create it after the installation.`,
    );
  }
  const key = database ?? rewritten.databases[0];
  if (key !== undefined) report.changed('environment', `${name} now refers to the database “${key}”.`);
  else if (rewritten.apps[0] !== undefined)
    report.changed('environment', `${name} now refers to the app “${rewritten.apps[0]}”.`);
  if (text === marked && isWrittenSecret(name, marked, making)) return secretReference(name, marked, making, report);
  return fill(ownAddress(name, text, making, report), making);
}

/**
 * Returns whether a variable contains a secret as plain text. Such a secret becomes a template input, because all users
 * can read the template.
 */
function isWrittenSecret(name: string, marked: string, { variables }: EnvMaking): boolean {
  return isSecretName(name) && variables.in(marked).length === 0 && isSecretValue(marked);
}

function secretReference(name: string, value: string, { inputs }: EnvMaking, report: Teller): string {
  const key = inputs.secret(name, value);
  const how = isExternalSecret(name) ? 'requested' : 'generated';
  report.changed(
    'environment',
    `The value of ${name} is ${how} during the installation, as the input “${key}”. The value in the file was removed.`,
  );
  return `\${input.${key}}`;
}

/**
 * Replaces the app's own address in an environment variable with the domain of the app. An example of such an address
 * is `http://localhost:8080`.
 */
function ownAddress(name: string, text: string, { variables, domains }: EnvMaking, report: Teller): string {
  const plain =
    variables.in(text).length === 1 && /^\ue000\d+\ue001$/.test(text)
      ? variables.fill(text, ({ fallback }) => fallback ?? '')
      : text;
  const [whole, port] = OWN_ADDRESS.exec(plain) ?? [];
  const domain = whole === undefined ? undefined : domains.get(Number(port ?? 80));
  if (whole === undefined || domain === undefined) return text;
  report.changed('environment', `${name} now contains the address of the domain from the input “${domain}”.`);
  return `https://\${input.${domain}}${plain.slice(whole.length)}`;
}

function fill(marked: string, { variables, inputs, domains }: EnvMaking): string {
  return variables.fill(
    marked,
    (variable) => `\${input.${isDomain(variable) && domains.has(0) ? domains.get(0) : inputs.variable(variable)}}`,
  );
}

function isDomain({ name }: Variable): boolean {
  return DOMAIN_NAME.test(name.toUpperCase());
}

/**
 * Returns whether a database password contains a Compose variable. Such a password can also be found in other services.
 */
function hasVariables({ passwords }: KnownDatabase): boolean {
  return passwords.some((password) => password.includes('\ue000'));
}

/**
 * Adds a note about databases without a password in the Compose file. A managed database always has a password, so the
 * app must use the password.
 */
function reportPasswords(env: Record<string, string>, databases: readonly KnownDatabase[], report: Teller): void {
  const all = Object.values(env).join('\n');
  for (const { key, passwords } of databases) {
    const isUsed = all.includes(`\${db.${key}.host}`) && !all.includes(`\${db.${key}.password}`);
    if (!isUsed || passwords.length > 0) continue;
    report.changed(
      'environment',
      `The database “${key}” now has a password. Set the variable of the app to \${db.${key}.password}.`,
    );
  }
}
