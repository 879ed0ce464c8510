/** Repairs that cannot delete data of users. Each repair runs reconcilers that also run regularly. */
import type { CheckName } from '@davit/api';
import type { Working } from './assemble-working.ts';

interface Repair {
  /** Reconcilers that run, in this order. */
  reconcilers: readonly string[];
  /** Sentence for the operator. */
  done: string;
}

const REPAIRS: Partial<Record<CheckName, Repair>> = {
  proxy: { reconcilers: ['routes', 'names'], done: 'Davit configured the proxy and the DNS resolver again.' },
  ports: {
    reconcilers: ['routes', 'registry'],
    done: 'Davit started missing containers of the proxy and the registry.',
  },
  registry: {
    reconcilers: ['registry'],
    done: 'Davit checked the container of the registry, and started it if it was missing.',
  },
  firewall: { reconcilers: ['firewall'], done: 'Davit set the firewall rules again.' },
  disk: { reconcilers: ['images', 'garbage', 'disk'], done: 'Davit removed images that no release needs.' },
  certificates: { reconcilers: ['certificates'], done: 'Davit requested the missing certificates again.' },
  backups: { reconcilers: ['backups'], done: 'Davit started overdue backups and verifications.' },
  platform_images: {
    reconcilers: ['platform-images'],
    done: 'Davit continued the installation of security updates.',
  },
  apps: {
    reconcilers: ['pushes', 'deleted', 'engine'],
    done: 'Davit started missing containers, and deployed waiting pushes.',
  },
};

/**
 * Returns the repair of each part of the instance that has one. A repair returns a sentence about what it did.
 * @param run runs a reconciler once and waits for its end
 */
export function repairsOf(
  working: () => Pick<Working, 'collector'>,
  run: (reconciler: string) => Promise<void>,
): Partial<Record<CheckName, () => Promise<string>>> {
  const repairs = Object.entries(REPAIRS).map(([name, { reconcilers, done }]) => [
    name,
    async () => {
      // The registry removes unused images only on a schedule or on request.
      if (name === 'disk') working().collector.isWanted = true;
      for (const reconciler of reconcilers) await run(reconciler);
      return done;
    },
  ]);
  return Object.fromEntries(repairs);
}
