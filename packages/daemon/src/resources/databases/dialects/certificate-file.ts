import { DATABASE_FILES } from '../../../adapters/engine/made-images.ts';
import type { DatabaseCommand, DatabaseFacts } from './dialect.ts';

const NEW_FILE = `${DATABASE_FILES.tlsCertificate}.new`;

/**
 * Returns a command that replaces the certificate file of a running container. A crash leaves the old or the new file,
 * so a restarted server never reads a part of a certificate.
 * @param load returns the command that makes the server read the file again
 */
export function replaceCertificateFile({ tls }: DatabaseFacts, load: () => DatabaseCommand): DatabaseCommand {
  // Run as root, because only root may write to this folder. Each user may read the file: a certificate is no secret.
  const write: DatabaseCommand = { command: ['tee', NEW_FILE], user: '0', stdin: tls.certificate };
  const move = { command: ['mv', '-f', NEW_FILE, DATABASE_FILES.tlsCertificate], user: '0', stdin: '' };
  return { ...write, followUp: () => ({ ...move, followUp: load }) };
}
