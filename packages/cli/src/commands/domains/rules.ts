import type { DomainPatch } from '@davit/api';
import { pairsOf, wholeNumber } from '../../arguments/values.ts';
import { CliError } from '../../errors/exit.ts';
import { oneSecret } from '../../prompts/one-secret.ts';
import type { Prompter } from '../../prompts/prompter.ts';

/** Options for the settings of a domain. For most of these options, the value `none` removes the setting. */
export const RULES = {
  port: { value: 'port', description: 'port of the app for this domain ("none": the default port of the app)' },
  protocol: {
    value: 'protocol',
    choices: ['http', 'h2c'],
    description: 'protocol between the proxy and the app; use h2c for gRPC',
  },
  https: {
    value: 'when',
    choices: ['auto', 'only', 'both'],
    description: 'redirection of HTTP to HTTPS; auto: if the domain has a certificate, only: always, both: never',
  },
  hsts: { value: 'seconds', description: 'number of seconds for which browsers use only HTTPS (HSTS)' },
  redirectTo: { value: 'host', description: 'host that all requests are redirected to' },
  basicAuth: {
    value: 'user',
    description:
      'user name for basic authentication; the command prompts for the password or reads the password from stdin',
  },
  allow: {
    value: 'address',
    repeatable: true,
    description: 'IP address or network that may send requests; all others are refused',
  },
  rateLimit: { value: 'n', description: 'maximum number of requests per minute from one client address' },
  maintenance: { value: 'message', description: 'show a maintenance page with this message and status 503' },
  header: {
    value: 'name=value',
    repeatable: true,
    description: 'header to set in every response; an empty value removes the header from the responses of the app',
  },
} as const;

interface GivenRules {
  port: string | undefined;
  protocol: 'http' | 'h2c' | undefined;
  https: 'auto' | 'only' | 'both' | undefined;
  hsts: string | undefined;
  redirectTo: string | undefined;
  basicAuth: string | undefined;
  allow: string[];
  rateLimit: string | undefined;
  maintenance: string | undefined;
  header: string[];
}

/**
 * Converts the options for domain settings to a JSON merge patch. If `--basic-auth` contains a user name, prompts for
 * the password.
 * @throws CliError with exit `usage`
 */
export async function rulesPatch(given: GivenRules, prompter: Prompter): Promise<DomainPatch> {
  const { port, protocol, https, hsts, redirectTo, basicAuth, allow, rateLimit, maintenance, header } = given;
  if (allow.includes('none') && allow.length > 1)
    throw new CliError('usage', '--allow none cannot be combined with addresses.');
  if (header.includes('none') && header.length > 1)
    throw new CliError('usage', '--header none cannot be combined with other headers.');
  const password =
    basicAuth === undefined || basicAuth === 'none' ? '' : await oneSecret(prompter, `Password of ${basicAuth}:`);
  return {
    ...rule('port', port, (text) => wholeNumber(text, 'port')),
    ...(protocol !== undefined && { protocol }),
    ...(https !== undefined && { https }),
    ...rule('hsts', hsts, (text) => ({ max_age_s: wholeNumber(text, 'number of seconds') })),
    ...rule('redirect_to', redirectTo, (host) => host),
    ...rule('basic_auth', basicAuth, (user) => ({ users: { [user]: password } })),
    ...(allow.length > 0 && { allow: allow[0] === 'none' ? [] : allow }),
    ...rule('rate_limit', rateLimit, (text) => ({ requests_per_minute: wholeNumber(text, 'number of requests') })),
    ...rule('maintenance', maintenance, (message) => ({ message })),
    ...(header.length > 0 && { headers: header[0] === 'none' ? null : pairsOf(header, 'header') }),
  };
}

function rule<const K extends string, T>(
  name: K,
  given: string | undefined,
  read: (text: string) => T,
): { [N in K]?: T | null } {
  return (given === undefined ? {} : { [name]: given === 'none' ? null : read(given) }) as { [N in K]?: T | null };
}
