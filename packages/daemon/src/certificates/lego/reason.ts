import { LegoFailed } from './lego.ts';

/** Of what it wrote, in characters. */
const LONGEST = 500;

/**
 * Why lego ended without a certificate, from what it wrote: the last line that says so, without the time before it.
 * @param secrets what must not be in it, whatever a provider's library wrote
 */
export function reasonOf(output: string, secrets: readonly string[]): LegoFailed {
  const lines = output
    .split('\n')
    .map((line) => line.replace(/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d /, '').trim())
    .filter((line) => line !== '' && !line.startsWith('[INFO]'));
  const told = lines.findLast((line) => /error|could not|failed|unable/i.test(line)) ?? lines.at(-1) ?? '';
  const plain = secrets
    .toSorted((a, b) => b.length - a.length)
    .reduce((text, secret) => text.replaceAll(secret, '…'), told)
    .replace(/^Could not obtain certificates:\s*/, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this takes out
    .replace(/[\u0000-\u001f\u007f]/g, ' ');
  const isLimited = /rateLimited|429/.test(plain);
  return new LegoFailed(
    plain.slice(0, LONGEST) || 'The program that writes the records ended without a reason.',
    isLimited,
  );
}
