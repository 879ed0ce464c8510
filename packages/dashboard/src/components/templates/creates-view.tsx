import { Boxes, Cog, Database, type LucideIcon, PackageOpen } from 'lucide-react';
import { Facts } from '../../ui/card.tsx';
import { type ThingKind, thingsOf } from './creates.ts';
import type { Manifest } from './manifest.ts';

const KINDS: Record<ThingKind, { noun: string; icon: LucideIcon }> = {
  app: { noun: 'App', icon: Boxes },
  database: { noun: 'Database', icon: Database },
  store: { noun: 'Object store', icon: PackageOpen },
  job: { noun: 'Job', icon: Cog },
};

export function CreatesView({ manifest }: { manifest: Manifest }) {
  return (
    <ul className="flex flex-col divide-y divide-line">
      {thingsOf(manifest).map(({ kind, name, facts }) => {
        const { noun, icon: Icon } = KINDS[kind];
        return (
          <li key={`${kind} ${name}`} className="flex flex-col gap-2 py-3 first:pt-0 last:pb-0">
            <h3 className="flex items-center gap-2 text-sm">
              <Icon className="size-4 text-soft" aria-hidden />
              <span className="font-normal text-soft">{noun}</span> <bdi className="min-w-0 break-words">{name}</bdi>
            </h3>
            <Facts rows={facts} />
          </li>
        );
      })}
    </ul>
  );
}
