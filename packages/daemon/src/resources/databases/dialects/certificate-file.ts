import { DATABASE_FILES } from '../../../adapters/engine/made-images.ts';
import type { DatabaseCommand, DatabaseFacts } from './dialect.ts';

/**
 * Returns a command that replaces the certificate file in a running container. After a crash, the file is either the
 * old file or the new file. So a restarted server never reads an incomplete certificate.
 * @param load returns the command with which the server reads the file again
 */
export function replaceCertificateFile({ tls }: DatabaseFacts, load: () => DatabaseCommand): DatabaseCommand {
  // All users of the container may read the file, because a certificate is not secret.
  return writeAndMove(DATABASE_FILES.tlsCertificate, tls.certificate, load);
}

/**
 * Returns a command like `replaceCertificateFile`, for a file that also contains the private key. The command first
 * copies the owner and the mode of the old file. So no other user can ever read the private key.
 */
export function replaceKeyFile(path: string, content: string, load: () => DatabaseCommand): DatabaseCommand {
  const copy = { command: ['cp', '-p', path, newFile(path)], user: '0', stdin: '' };
  return { ...copy, followUp: () => writeAndMove(path, content, load) };
}

/** The command runs as root, because only root may write to the folder of the certificate files. */
function writeAndMove(path: string, content: string, load: () => DatabaseCommand): DatabaseCommand {
  const write = { command: ['tee', newFile(path)], user: '0', stdin: content };
  const move = { command: ['mv', '-f', newFile(path), path], user: '0', stdin: '' };
  return { ...write, followUp: () => ({ ...move, followUp: load }) };
}

/**
 * Returns a temporary path in the same folder. The file system can replace a file in one step only if both files are on
 * the same file system.
 */
function newFile(path: string): string {
  return `${path}.new`;
}
