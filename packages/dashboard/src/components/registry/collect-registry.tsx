import type { RegistryCollection } from '@davit/api';
import { useState } from 'react';
import { useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { Button } from '../../ui/button.tsx';
import { say, sayProblem } from '../../ui/toast.tsx';
import { bytes, count } from '../../util/amounts.ts';
import { CollectDialog, Lines } from './collect-dialog.tsx';

/** Shows what a garbage collection would remove before it starts. */
export function CollectRegistry({ running }: { running: boolean }) {
  const [plan, setPlan] = useState<RegistryCollection | null>(null);
  const forbidden = useForbidden('administer');
  const look = useCall('collectRegistry', { onDone: setPlan });
  const collect = useCall('collectRegistry', {
    changes: ['getOwnRegistry', 'listRepositories', 'listReleases'],
    onDone: ({ freed_bytes }) => {
      setPlan(null);
      say(`Freed ${bytes(freed_bytes)} in the registry.`);
    },
  });
  return (
    <>
      <Button
        busy={look.isPending}
        disabledBecause={forbidden ?? (running ? 'A collection is under way.' : null)}
        onClick={() => look.mutate({ query: { dry_run: 'true' } }, { onError: sayProblem })}
      >
        Collect garbage…
      </Button>
      {plan && (
        <CollectDialog
          title="Remove what nothing needs"
          isNothing={isNothing(plan)}
          busy={collect.isPending}
          error={collect.error}
          onConfirm={() => collect.mutate({ query: { dry_run: 'false' } })}
          onClose={() => setPlan(null)}
        >
          <Plan plan={plan} />
        </CollectDialog>
      )}
    </>
  );
}

function isNothing({ tags, repositories, manifests, blobs }: RegistryCollection): boolean {
  return tags.length + repositories.length + manifests + blobs === 0;
}

function Plan({ plan: { tags, repositories, manifests, blobs, freed_bytes, spared } }: { plan: RegistryCollection }) {
  return (
    <>
      <p>
        {count(tags.length, 'release')}, {count(repositories.length, 'repository', 'repositories')},{' '}
        {count(manifests, 'image')} and {count(blobs, 'layer')} go: {bytes(freed_bytes)}. What is live, can be gone back
        to or is being deployed stays. The registry takes no pushes for a moment.
      </p>
      <Lines label="Releases that go" lines={tags.map(({ repository, tag }) => `${repository}:${tag}`)} />
      <Lines label="Repositories that go" lines={repositories} />
      <Lines label="Left for the next time, since they were pushed to just now" lines={spared} />
    </>
  );
}
