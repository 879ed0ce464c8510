import type { DomainPatch } from '@davit/api';
import { pairsOf, wholeNumber } from '../../arguments/values.ts';
import { CliError } from '../../errors/exit.ts';
import type { Ask } from '../../prompts/ask.ts';
import { oneSecret } from '../../prompts/one-secret.ts';

/** Options for the rules of a domain. "none" removes a rule. */
export const RULES = {
  port: { value: 'port', description: 'the app’s port for it; «none»: the app’s own' },
  protocol: { value: 'protocol', choices: ['http', 'h2c'], description: 'how the app is spoken to; h2c for gRPC' },
  https: { value: 'when', choices: ['auto', 'only', 'both'], description: 'whether plain HTTP is sent to HTTPS' },
  hsts: { value: 'seconds', description: 'for how long browsers keep to HTTPS' },
  redirectTo: { value: 'host', description: 'send every request there, such as www to the bare name' },
  basicAuth: { value: 'user', description: 'who may enter; the password is asked for, or read from stdin' },
  allow: { value: 'address', repeatable: true, description: 'only from this address or network' },
  rateLimit: { value: 'n', description: 'requests a minute of one client address' },
  maintenance: { value: 'message', description: 'answer 503 with a page that says this' },
  header: { value: 'name=value', repeatable: true, description: 'set on every answer' },
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
 * Returns a merge patch of the given rules.
 * @throws CliError usage
 */
export async function rulesPatch(given: GivenRules, ask: Ask): Promise<DomainPatch> {
  const { port, protocol, https, hsts, redirectTo, basicAuth, allow, rateLimit, maintenance, header } = given;
  if (allow.includes('none') && allow.length > 1) throw new CliError('usage', 'Say either --allow none or addresses.');
  const password =
    basicAuth === undefined || basicAuth === 'none' ? '' : await oneSecret(ask, `Password of ${basicAuth}:`);
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
    ...(header.length > 0 && { headers: pairsOf(header) }),
  };
}

function rule<const K extends string, T>(
  name: K,
  given: string | undefined,
  read: (text: string) => T,
): { [N in K]?: T | null } {
  return (given === undefined ? {} : { [name]: given === 'none' ? null : read(given) }) as { [N in K]?: T | null };
}
