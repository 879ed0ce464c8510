import { DATABASE_FILES } from '../../../adapters/engine/made-images.ts';
import type { DatabaseCommand, DatabaseFacts } from './dialect.ts';

/**
 * Returns a command that replaces the certificate file of a running container. A crash leaves the old or the new file,
 * so a restarted server never reads a part of a certificate.
 * @param load returns the command that makes the server read the file again
 */
export function replaceCertificateFile({ tls }: DatabaseFacts, load: () => DatabaseCommand): DatabaseCommand {
  // Each user may read the file: a certificate is no secret.
  return writeAndMove(DATABASE_FILES.tlsCertificate, tls.certificate, load);
}

/**
 * Returns a command like `replaceCertificateFile`, for a file that also contains the private key. First copies the
 * owner and the mode of the old file, so that no other user can ever read the key.
 */
export function replaceKeyFile(path: string, content: string, load: () => DatabaseCommand): DatabaseCommand {
  const copy = { command: ['cp', '-p', path, newFile(path)], user: '0', stdin: '' };
  return { ...copy, followUp: () => writeAndMove(path, content, load) };
}

/** Runs as root, because only root may write to the folder of the files. */
function writeAndMove(path: string, content: string, load: () => DatabaseCommand): DatabaseCommand {
  const write = { command: ['tee', newFile(path)], user: '0', stdin: content };
  const move = { command: ['mv', '-f', newFile(path), path], user: '0', stdin: '' };
  return { ...write, followUp: () => ({ ...move, followUp: load }) };
}

/** Returns a path in the same folder, because a file can replace another one in one step only within a file system. */
function newFile(path: string): string {
  return `${path}.new`;
}
