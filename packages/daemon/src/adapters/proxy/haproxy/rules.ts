/**
 * Pure functions that encode the rules of all hosts as entries of one HAProxy map. Hosts with equal rules share an id
 * and its entries. The entries never change.
 */
import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { normalizeHost } from '@davit/api';
import type { RouteRules } from '../proxy.ts';
import { invalid } from './invalid.ts';

/**
 * Maximum length of an encoded map value in characters. A line of an HAProxy map must fit into a buffer of 16 KiB, so
 * the limit is lower.
 */
const LONGEST_VALUE = 12_000;
const LONGEST_MAINTENANCE = 1_000;
const LONGEST_HEADERS = 8_000;
const MOST_REQUESTS = 1_000_000;

/** Control characters, which are not allowed in texts of rules. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression must match control characters
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const HEADER_VALUE = /^[\x20-\x7e]*$/;
/**
 * HTTP response headers that users must not set in the rules of a host, because they control how the response is
 * transferred.
 */
const FRAMING = new Set(
  'connection content-encoding content-length keep-alive proxy-connection te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);

/**
 * Returns the id under which HAProxy finds the rules of a host in a map. Returns `null` if the map contains no rules of
 * the host.
 */
export function rulesId(rules: RouteRules): string | null {
  if (rulesLetters(rules).replace(LETTER.httpsOnly, '') === '') return null;
  const { httpsOnly, hsts, redirectTo, basicAuth, allow, requestsPerMinute, maintenance, headers } = rules;
  const words = [httpsOnly, hsts, redirectTo, basicAuth?.salt, basicAuth?.hashes, allow, requestsPerMinute];
  const text = JSON.stringify([...words, maintenance, Object.entries(headers)]);
  return `r${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}

/**
 * Letters in HAProxy's route map for the rules of a host. With the letters, HAProxy looks up only the rules that the
 * host has. No rule may use the letter `P`, because it marks a host with routes for paths.
 */
export const LETTER = {
  /**
   * Letter for a host that has rules other than the HTTPS redirect and HSTS. If a host lacks this letter, HAProxy
   * checks only the HTTPS redirect and HSTS.
   */
  more: 'M',
  httpsOnly: 'S',
  hsts: 'H',
  redirect: 'R',
  /** Letter for a host whose requests are all redirected to another host over HTTPS. */
  redirectSecurely: 'T',
  allow: 'A',
  rate: 'L',
  maintenance: 'D',
  password: 'B',
  headers: 'X',
} as const;

/**
 * Returns the letters of a host's rules for the route map, always in the same order. Returns an empty string if the
 * host has no rules.
 */
export function rulesLetters(rules: RouteRules): string {
  const { httpsOnly, hsts, redirectTo, basicAuth, allow, requestsPerMinute, maintenance, headers } = rules;
  const more = [
    ...(redirectTo ? [LETTER.redirect] : []),
    ...(redirectTo && httpsOnly ? [LETTER.redirectSecurely] : []),
    ...(allow.length > 0 ? [LETTER.allow] : []),
    ...(requestsPerMinute ? [LETTER.rate] : []),
    ...(maintenance ? [LETTER.maintenance] : []),
    ...(basicAuth ? [LETTER.password] : []),
    ...(Object.keys(headers).length > 0 ? [LETTER.headers] : []),
  ];
  const first = [
    ...(httpsOnly && !redirectTo ? [LETTER.httpsOnly] : []),
    ...(hsts ? [LETTER.hsts] : []),
    ...(more.length > 0 ? [LETTER.more] : []),
  ];
  return [...first, ...more].join('');
}

/**
 * Returns the rules of one host as a map from rule name, such as `hsts`, to value. The caller adds the id of the host's
 * rules as a prefix to each name.
 * @throws Error if HAProxy cannot accept a value
 */
export function ruleEntries(rules: RouteRules): Map<string, string> {
  const { hsts, redirectTo, basicAuth, allow, requestsPerMinute, maintenance, headers } = rules;
  const entries = new Map<string, string>();
  if (hsts) entries.set('hsts', encode(checkHsts(hsts)));
  if (redirectTo) entries.set('redirect', checkHost(redirectTo));
  if (allow.length > 0) entries.set('allow', allow.map(checkNetwork).join(','));
  if (requestsPerMinute) entries.set('rate', String(checkRate(requestsPerMinute)));
  if (maintenance) {
    entries.set('maintenance', encode(checkMaintenance(maintenance)));
    entries.set('page', encode(escapeHtml(maintenance)));
  }
  if (basicAuth) {
    entries.set('salt', encode(checkSalt(basicAuth.salt)));
    for (const hash of basicAuth.hashes) entries.set(`user-${checkHash(hash)}`, '1');
  }
  if (Object.keys(headers).length > 0) entries.set('headers', checkHeaders(headers));
  for (const [name, value] of entries)
    if (value.length > LONGEST_VALUE) throw refused(`the value of “${name}”, which is too long`);
  return entries;
}

/**
 * Percent-encodes all characters except letters, digits, `-`, `_`, `.` and `~`. Otherwise, a text from a user could end
 * a map entry or a command.
 */
function encode(text: string): string {
  if (!text.isWellFormed()) throw refused('text that is not valid Unicode');
  return encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}

function checkHsts(value: string): string {
  if (!HEADER_VALUE.test(value) || value.length > 200) throw refused(`the HSTS value ${JSON.stringify(value)}`);
  return value;
}

function checkHost(host: string): string {
  if (normalizeHost(host) !== host) throw refused(`a redirect to ${JSON.stringify(host)}, which is not a host name`);
  return host;
}

/**
 * Checks an IP address or a CIDR network and returns it in lower case.
 * @throws Error if the text is neither an IP address nor a CIDR network
 */
export function checkNetwork(network: string): string {
  const match = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(network);
  const family = match?.[1] === undefined ? 0 : isIP(match[1]);
  const bits = Number(match?.[2] ?? 0);
  if (family === 0 || bits > (family === 4 ? 32 : 128)) throw refused(`the network ${JSON.stringify(network)}`);
  return network.toLowerCase();
}

function checkRate(rate: number): number {
  if (!Number.isInteger(rate) || rate < 1 || rate > MOST_REQUESTS)
    throw refused(`a limit of ${rate} requests per minute`);
  return rate;
}

function checkMaintenance(sentence: string): string {
  if (CONTROL.test(sentence) || sentence.length > LONGEST_MAINTENANCE)
    throw refused('the text of the maintenance page');
  return sentence;
}

/**
 * Checks the salt of password hashes. An empty salt is not allowed, because HAProxy would then treat the host as a host
 * without a password.
 */
function checkSalt(salt: string): string {
  if (salt === '' || CONTROL.test(salt) || salt.length > 200) throw refused('the salt of a password');
  return salt;
}

function checkHash(hash: string): string {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw refused('the hash of a password');
  return hash;
}

/**
 * Checks the response headers that HAProxy must set for a host. Returns the headers as `name=value&…`, because
 * HAProxy's Lua script reads this format.
 */
function checkHeaders(headers: Record<string, string>): string {
  const pairs = Object.entries(headers).map(([name, value]) => {
    if (!HEADER_NAME.test(name)) throw refused(`the header name ${JSON.stringify(name)}`);
    if (FRAMING.has(name.toLowerCase())) throw refused(`the header ${name}, which controls the transfer of a response`);
    if (!HEADER_VALUE.test(value)) throw refused(`the value of the header ${name}`);
    return `${encode(name)}=${encode(value)}`;
  });
  const length = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (length > LONGEST_HEADERS) throw refused('headers of more than 8,000 characters');
  return pairs.join('&');
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

function refused(what: string): Error {
  return invalid(`rules: the proxy does not accept ${what}`);
}
