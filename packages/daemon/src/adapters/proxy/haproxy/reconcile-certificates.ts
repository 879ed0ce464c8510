/**
 * From the certificates that the proxy should present and those that it does to the commands between them. Pure.
 *
 * A certificate whose hosts changed gets a second line before it loses the first, and one that takes the place of another
 * comes before the other goes: no host is without one in between.
 */
import type { RouteCertificate } from '../proxy.ts';
import { answerCodeOf } from './answers.ts';
import { certificateLine, certificatePath, DEFAULT_CERTIFICATE } from './certificates.ts';
import { CERTIFICATE_LIST } from './names.ts';
import type { RunningCertificate } from './running.ts';

/** The proxy reads a command into one buffer of 16 KiB. */
const LONGEST_COMMAND = 15_000;

/** Certificates without their line, and whether the proxy has chain and key already. */
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
 * Brings one certificate in; the last answer says whether it is there.
 * @param pem chain and key; null when the proxy has them
 * @returns null when it is too long to be told to a running proxy
 */
export function installing(certificate: RouteCertificate, pem: string | null): string[] | null {
  const path = certificatePath(certificate.name);
  const upload =
    pem === null ? [] : [`new ssl cert ${path}`, withPayload(`set ssl cert ${path}`, pem), `commit ssl cert ${path}`];
  const commands = [...upload, withPayload(`add ssl crt-list ${CERTIFICATE_LIST}`, certificateLine(certificate))];
  return commands.some((command) => command.length > LONGEST_COMMAND) ? null : commands;
}

/** An empty line ends a payload, so it has none. */
function withPayload(command: string, payload: string): string {
  const lines = payload.split(/\r?\n/).filter((line) => line.trim() !== '');
  return `${command} <<\n${lines.join('\n')}\n`;
}

/** What the answers to {@link installing} come to: null when the certificate is served, else the proxy's reason. */
export function refusal(answers: string[]): string | null {
  const last = answers.at(-1) ?? '';
  if (answerCodeOf(last) === 'done') return null;
  const words = answers.filter((answer) => !['done', 'store_begun'].includes(answerCodeOf(answer) ?? ''));
  return words.join(' ').replaceAll(/\s+/g, ' ').trim() || 'it did not say why';
}

/** Takes away a certificate that was brought in and not taken. */
export function undoing(name: string): string[] {
  const path = certificatePath(name);
  return [`abort ssl cert ${path}`, `del ssl cert ${path}`];
}

/** Lines, and with the last of them chain and key, that the table does not ask for. */
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
