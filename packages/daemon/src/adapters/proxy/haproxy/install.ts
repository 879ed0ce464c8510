/** Adds TLS certificates to the running HAProxy and removes them, through HAProxy's runtime socket. */
import type { Log } from '../../engine/docker/context.ts';
import type { CertificateProblem, RouteCertificate } from '../proxy.ts';
import { answerCodeOf } from './answers.ts';
import { installing, missingCertificates, refusal, retiring, undoing } from './reconcile-certificates.ts';
import type { RunningCertificate } from './running.ts';
import { sendCommands } from './runtime.ts';

/**
 * Number of certificates that are sent to HAProxy in one batch. HAProxy can handle requests between two batches.
 * Batches also limit the number of private keys in the daemon's memory.
 */
const BATCH = 20;

export interface Installed {
  refused: CertificateProblem[];
  /**
   * `true` if a TLS certificate is too long for HAProxy's runtime socket. HAProxy then needs a reload to read the
   * certificate from its file.
   */
  needsReload: boolean;
}

/**
 * Installs the certificates that are missing in the running HAProxy.
 * @param read returns the PEM certificate chain and private key of a certificate
 */
export async function installCertificates(
  socket: string,
  desired: RouteCertificate[],
  running: RunningCertificate[],
  read: (name: string) => Promise<string>,
): Promise<Installed> {
  const installed: Installed = { refused: [], needsReload: false };
  const missing = missingCertificates(desired, running);
  for (let from = 0; from < missing.length; from += BATCH) {
    const batch = missing.slice(from, from + BATCH).map(async ({ certificate, isLoaded }) => ({
      name: certificate.name,
      commands: installing(certificate, isLoaded ? null : await read(certificate.name)),
    }));
    for (const result of await sendBatch(socket, await Promise.all(batch))) {
      if (result === 'too long') installed.needsReload = true;
      else installed.refused.push(result);
    }
  }
  return installed;
}

type CertificateCommands = { name: string; commands: string[] | null };

async function sendBatch(socket: string, batch: CertificateCommands[]): Promise<(CertificateProblem | 'too long')[]> {
  const answers = await sendCommands(
    socket,
    batch.flatMap(({ commands }) => commands ?? []),
  );
  const results: (CertificateProblem | 'too long')[] = [];
  let from = 0;
  for (const { name, commands } of batch) {
    if (commands === null) {
      results.push('too long');
      continue;
    }
    const reason = refusal(answers.slice(from, from + commands.length));
    from += commands.length;
    if (reason === null) continue;
    await sendCommands(socket, undoing(name));
    results.push({ name, reason: `The proxy rejects the certificate: ${reason}` });
  }
  return results;
}

/** Removes the TLS certificates that are not in the route table from the running HAProxy. */
export async function retireCertificates(
  socket: string,
  desired: RouteCertificate[],
  running: RunningCertificate[],
  log: Log,
): Promise<void> {
  const commands = retiring(desired, running);
  const answers = await sendCommands(socket, commands);
  for (const [index, answer] of answers.entries()) {
    if (answerCodeOf(answer) !== 'deleted')
      log.warn({ command: commands[index], answer }, 'a certificate could not be removed from the proxy');
  }
}
