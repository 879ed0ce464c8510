/** Parses the `WWW-Authenticate` header in a registry's response. */

export type Challenge = { scheme: 'basic' } | { scheme: 'bearer'; realm: string; service: string | null };

const PARAMETER = /\s*(?:,\s*)?([A-Za-z]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/y;
const SCHEME = /\s*(?:,\s*)?([A-Za-z]+)(?=\s|$|,)/y;

/**
 * Returns the authentication method that a registry requires. If there are several methods, Bearer has priority over
 * Basic. Returns `null` if the daemon supports none of the methods.
 */
export function challengeOf(header: string | undefined): Challenge | null {
  const found = parse(header ?? '');
  const bearer = found.find(({ scheme, parameters }) => scheme === 'bearer' && parameters.has('realm'));
  if (bearer !== undefined) {
    const { parameters } = bearer;
    return { scheme: 'bearer', realm: parameters.get('realm') ?? '', service: parameters.get('service') ?? null };
  }
  return found.some(({ scheme }) => scheme === 'basic') ? { scheme: 'basic' } : null;
}

function parse(header: string): { scheme: string; parameters: Map<string, string> }[] {
  const found: { scheme: string; parameters: Map<string, string> }[] = [];
  let at = 0;
  for (;;) {
    PARAMETER.lastIndex = at;
    const parameter = PARAMETER.exec(header);
    if (parameter !== null) {
      const [, name = '', quoted, plain = ''] = parameter;
      found.at(-1)?.parameters.set(name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, '$1') ?? plain);
      at = PARAMETER.lastIndex;
      continue;
    }
    SCHEME.lastIndex = at;
    const scheme = SCHEME.exec(header);
    if (scheme === null) {
      // The syntax of this authentication scheme is unknown, so the text up to the next comma is skipped.
      const comma = header.indexOf(',', at);
      if (comma < 0) return found;
      at = comma + 1;
      continue;
    }
    found.push({ scheme: (scheme[1] ?? '').toLowerCase(), parameters: new Map() });
    at = SCHEME.lastIndex;
  }
}
