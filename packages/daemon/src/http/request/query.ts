import { DavitError, invalidField } from '@davit/api';
import { quote } from '@davit/service';

/**
 * Parses a query string without `?`. Rejects duplicate names and invalid encoding, because other parsers may read them
 * differently.
 * @throws DavitError invalid_input
 */
export function parseQuery(text: string): Record<string, string> {
  const query: Record<string, string> = Object.create(null);
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    if (name in query)
      throw invalidField(quote(name), 'duplicate', 'The query contains this parameter twice. Send it once.');
    query[name] = equals < 0 ? '' : decode(pair.slice(equals + 1));
  }
  return query;
}

function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw new DavitError(
      'invalid_input',
      `The query contains an invalid percent-encoding: “${quote(text)}”. Encode % as %25.`,
      { cause },
    );
  }
}
