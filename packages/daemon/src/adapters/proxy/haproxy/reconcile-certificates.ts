/**
 * Pure functions that create the HAProxy commands to replace TLS certificates. New certificates are added before old
 * certificates are removed, so each host always has a certificate.
 */
import type { RouteCertificate } from '../proxy.ts';
import { answerCodeOf } from './answers.ts';
import { certificateLine, certificatePath, DEFAULT_CERTIFICATE } from './certificates.ts';
import { CERTIFICATE_LIST } from './names.ts';
import type { RunningCertificate } from './running.ts';

/** Maximum length of an HAProxy command in characters. HAProxy reads a command into a buffer of 16 KiB. */
const LONGEST_COMMAND = 15_000;

/**
 * Returns the certificates that are missing in HAProxy's certificate list. `isLoaded` is `true` if HAProxy already has
 * the certificate chain and the private key.
 */
export function missingCertificates(
  desired: RouteCertificate[],
  running: RunningCertificate[],
): { certificate: RouteCertificate; isLoaded: boolean }[] {
  const lines = new Set(running.map(textOf));
  const paths = new Set(running.map(({ path }) => path));
  return desired
    .filter((certificate) => !lines.has(certificateLine(certificate)))
    .map((certificate) => ({ certificate, isLoaded: paths.has(certificatePath(certificate.name)) }));
}

/**
 * Returns the commands that install a certificate in HAProxy, or `null` if a command would be too long. The response to
 * the last command shows whether the installation failed.
 * @param pem certificate chain and private key, or `null` if HAProxy has already loaded them
 */
export function installing(certificate: RouteCertificate, pem: string | null): string[] | null {
  const path = certificatePath(certificate.name);
  const upload =
    pem === null ? [] : [`new ssl cert ${path}`, withPayload(`set ssl cert ${path}`, pem), `commit ssl cert ${path}`];
  const commands = [...upload, withPayload(`add ssl crt-list ${CERTIFICATE_LIST}`, certificateLine(certificate))];
  return commands.some((command) => command.length > LONGEST_COMMAND) ? null : commands;
}

/**
 * Returns an HAProxy command with a payload. Empty lines are removed from the payload, because an empty line would end
 * the payload.
 */
function withPayload(command: string, payload: string): string {
  const lines = payload.split(/\r?\n/).filter((line) => line.trim() !== '');
  return `${command} <<\n${lines.join('\n')}\n`;
}

/**
 * Returns HAProxy's error message from its responses to the commands that install a certificate. Returns `null` if the
 * installation succeeded.
 */
export function refusal(answers: string[]): string | null {
  const last = answers.at(-1) ?? '';
  if (answerCodeOf(last) === 'done') return null;
  const words = answers.filter((answer) => !['done', 'store_begun'].includes(answerCodeOf(answer) ?? ''));
  return words.join(' ').replaceAll(/\s+/g, ' ').trim() || 'HAProxy gave no reason';
}

/** Returns the HAProxy commands that remove a rejected certificate. */
export function undoing(name: string): string[] {
  const path = certificatePath(name);
  return [`abort ssl cert ${path}`, `del ssl cert ${path}`];
}

/**
 * Returns HAProxy commands that remove outdated lines from the certificate list. The last commands delete the
 * certificates that are no longer in the list.
 */
export function retiring(desired: RouteCertificate[], running: RunningCertificate[]): string[] {
  const lines = new Set(desired.map(certificateLine));
  const paths = new Set([...desired, { name: DEFAULT_CERTIFICATE }].map(({ name }) => certificatePath(name)));
  const stale = running.filter(
    (each) => !lines.has(textOf(each)) && each.path !== certificatePath(DEFAULT_CERTIFICATE),
  );
  const gone = new Set(stale.map(({ path }) => path).filter((path) => !paths.has(path)));
  return [
    ...stale.map(({ path, line }) => `del ssl crt-list ${CERTIFICATE_LIST} ${path}:${line}`),
    ...[...gone].map((path) => `del ssl cert ${path}`),
  ];
}

function textOf({ path, hosts }: RunningCertificate): string {
  return `${path} ${hosts.join(' ')}`;
}
