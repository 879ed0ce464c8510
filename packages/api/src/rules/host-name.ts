/** Rules for host names. This module loads no schemas. */

const MAX_HOST_LENGTH = 253;
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
/**
 * Pattern for most canonical host names. A pattern check is faster than a conversion. The last label must start with a
 * letter, because a name with a number at the end may be an IP address.
 */
const PLAIN = /^(?:[a-z0-9_-]+\.)*[a-z][a-z0-9_-]*$/;
/** Canonical IPv4 address. `normalizeHost` converts all other spellings, such as `0x7f.1`, to this form. */
const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;

/**
 * Returns a host name in the same form as the proxy: in lower case, in Punycode and without a trailing dot. Returns
 * `null` for other texts, such as a wildcard.
 */
export function normalizeHost(input: string): string | null {
  // Rejects characters such as `/` and `?` first, because a URL parser would drop the text after such a character.
  if (/[\s:/?#@\\%*[\]]/.test(input)) return null;

  const isPlain = PLAIN.test(input) && !input.includes('xn--');
  const host = isPlain ? input : asciiHost(input).replace(/\.$/, '');
  if (host === '' || host.length > MAX_HOST_LENGTH) return null;
  return host.split('.').every((label) => LABEL.test(label)) ? host : null;
}

function asciiHost(input: string): string {
  const url = `http://${input}/`;
  return URL.canParse(url) ? new URL(url).hostname : '';
}

/**
 * Returns the normalized form of a host name that a domain can have. For any other text, returns the reason as the end
 * of a sentence, such as `must be a host name`.
 */
export function readHost(input: string): { host: string } | { problem: string } {
  if (input.includes('*')) return { problem: 'must be one host name, such as shop.example.com, without a wildcard' };
  const host = normalizeHost(input);
  if (host === null) return { problem: 'must be a host name, such as shop.example.com' };
  if (IPV4.test(host)) return { problem: 'must be a host name, such as shop.example.com, and not an IP address' };
  if (!host.includes('.')) return { problem: 'must be a full host name with a dot, such as shop.example.com' };
  return { host };
}
