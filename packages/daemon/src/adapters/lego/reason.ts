import { RecordsRefused } from './lego.ts';

/** Maximum length of an error message from lego, the ACME client, in characters. */
const LONGEST = 500;

/**
 * Minimum length in characters of a secret's line that Davit removes from error messages. Shorter lines contain only
 * characters such as brackets.
 */
const SHORTEST_LINE = 6;

/**
 * Returns the error for a failed lego command. The error message is the last output line that mentions an error.
 * @param secrets strings that are replaced with `…`
 */
export function legoFailure(output: string, secrets: readonly string[]): RecordsRefused {
  const lines = output
    .split('\n')
    .map((line) => line.replace(/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d /, '').trim())
    .filter((line) => line !== '' && !line.startsWith('[INFO]'));
  const errorLine = lines.findLast((line) => /error|could not|failed|unable/i.test(line)) ?? lines.at(-1) ?? '';
  const plain = secrets
    .flatMap(spellings)
    .toSorted((a, b) => b.length - a.length)
    .reduce((text, secret) => text.replaceAll(secret, '…'), errorLine)
    .replace(/^Could not obtain certificates:\s*/, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression must match control characters
    .replace(/[\u0000-\u001f\u007f]/g, ' ');
  const code = /urn:ietf:params:acme:error:([A-Za-z]{1,40})/.exec(output)?.[1] ?? null;
  return new RecordsRefused(
    plain.slice(0, LONGEST) || 'The certificate request failed: the ACME client lego exited without an error message.',
    code,
  );
}

/**
 * Returns all forms in which a library may print a secret. The forms are plain text, URL-encoded text, JSON string,
 * Base64, and each line of the secret.
 */
function spellings(secret: string): string[] {
  const lines = secret.split(/\r?\n/).filter((line) => line.trim().length >= SHORTEST_LINE);
  return [...new Set([secret, ...lines])].flatMap((text) => {
    const inAddress = encodeURIComponent(text.toWellFormed());
    const quoted = JSON.stringify(text).slice(1, -1);
    return [text, inAddress, inAddress.replaceAll('%20', '+'), quoted, Buffer.from(text).toString('base64')];
  });
}
