import { RecordsRefused } from './lego.ts';

/** Of what it wrote, in characters. */
const LONGEST = 500;

/** Of a secret of several lines; what is shorter is a bracket and not a secret. */
const SHORTEST_LINE = 6;

/**
 * Why lego ended without a certificate, from what it wrote: the last line that says so, without the time before it.
 * @param secrets what must not be in it, whatever a provider's library wrote
 */
export function legoFailure(output: string, secrets: readonly string[]): RecordsRefused {
  const lines = output
    .split('\n')
    .map((line) => line.replace(/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d /, '').trim())
    .filter((line) => line !== '' && !line.startsWith('[INFO]'));
  const told = lines.findLast((line) => /error|could not|failed|unable/i.test(line)) ?? lines.at(-1) ?? '';
  const plain = secrets
    .flatMap(spellings)
    .toSorted((a, b) => b.length - a.length)
    .reduce((text, secret) => text.replaceAll(secret, '…'), told)
    .replace(/^Could not obtain certificates:\s*/, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this takes out
    .replace(/[\u0000-\u001f\u007f]/g, ' ');
  const code = /urn:ietf:params:acme:error:([A-Za-z]{1,40})/.exec(output)?.[1] ?? null;
  return new RecordsRefused(
    plain.slice(0, LONGEST) || 'The program that writes the records ended without a reason.',
    code,
  );
}

/** As a secret is met in what a library says: itself, in an address, in quotes, in a header, and line by line. */
function spellings(secret: string): string[] {
  const lines = secret.split(/\r?\n/).filter((line) => line.trim().length >= SHORTEST_LINE);
  return [...new Set([secret, ...lines])].flatMap((text) => {
    const inAddress = encodeURIComponent(text.toWellFormed());
    const quoted = JSON.stringify(text).slice(1, -1);
    return [text, inAddress, inAddress.replaceAll('%20', '+'), quoted, Buffer.from(text).toString('base64')];
  });
}
