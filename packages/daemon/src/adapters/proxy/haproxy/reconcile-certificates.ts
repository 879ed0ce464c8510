/**
 * Computes the commands that change the running proxy's certificates to the desired certificates. Pure.
 *
 * A certificate with changed hosts gets its new line before its old line is removed. A replacement is installed before
 * the old certificate is removed. So every host has a certificate at every moment.
 */
import type { RouteCertificate } from '../proxy.ts';
import { answerCodeOf } from './answers.ts';
import { certificateLine, certificatePath, DEFAULT_CERTIFICATE } from './certificates.ts';
import { CERTIFICATE_LIST } from './names.ts';
import type { RunningCertificate } from './running.ts';

/** Maximum length of a command. The proxy reads a command into one buffer of 16 KiB. */
const LONGEST_COMMAND = 15_000;

/** Returns the certificates whose line is missing, and whether the proxy already has their chain and key. */
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
 * Returns the commands that install one certificate. The last response shows whether the certificate is served.
 * @param pem chain and key, or `null` if the proxy already has them
 * @returns `null` if the certificate is too long for the runtime socket
 */
export function installing(certificate: RouteCertificate, pem: string | null): string[] | null {
  const path = certificatePath(certificate.name);
  const upload =
    pem === null ? [] : [`new ssl cert ${path}`, withPayload(`set ssl cert ${path}`, pem), `commit ssl cert ${path}`];
  const commands = [...upload, withPayload(`add ssl crt-list ${CERTIFICATE_LIST}`, certificateLine(certificate))];
  return commands.some((command) => command.length > LONGEST_COMMAND) ? null : commands;
}

/** Returns a command with a payload. Empty lines are removed, because an empty line ends a payload. */
function withPayload(command: string, payload: string): string {
  const lines = payload.split(/\r?\n/).filter((line) => line.trim() !== '');
  return `${command} <<\n${lines.join('\n')}\n`;
}

/** Returns the proxy's reason in the responses to {@link installing}, or `null` if the certificate is served. */
export function refusal(answers: string[]): string | null {
  const last = answers.at(-1) ?? '';
  if (answerCodeOf(last) === 'done') return null;
  const words = answers.filter((answer) => !['done', 'store_begun'].includes(answerCodeOf(answer) ?? ''));
  return words.join(' ').replaceAll(/\s+/g, ' ').trim() || 'it gave no reason';
}

/** Returns the commands that remove a certificate that the proxy rejected. */
export function undoing(name: string): string[] {
  const path = certificatePath(name);
  return [`abort ssl cert ${path}`, `del ssl cert ${path}`];
}

/**
 * Returns the commands that remove lines that are not in the table. The last line of a certificate is removed with its
 * chain and key.
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
