import { bytes, count, type RegistryCollection } from '@davit/api';
import { useState } from 'react';
import { useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { Button } from '../../ui/button.tsx';
import { say, sayProblem } from '../../ui/toast.tsx';
import { CollectDialog, Lines } from './collect-dialog.tsx';

/**
 * Renders the button for a garbage collection of the registry. Before the garbage collection starts, a dialog lists
 * what will be deleted.
 */
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
        disabledBecause={forbidden ?? (running ? 'A garbage collection is running.' : null)}
        onClick={() => look.mutate({ query: { dry_run: 'true' } }, { onError: sayProblem })}
      >
        Remove unused images…
      </Button>
      {plan && (
        <CollectDialog
          title="Remove unused images from the registry"
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
        This deletes {count(tags.length, 'release')}, {count(repositories.length, 'repository', 'repositories')},{' '}
        {count(manifests, 'image')} and {count(blobs, 'layer')}, {bytes(freed_bytes)} in total. Images that are live,
        being deployed or needed for a rollback are kept. The registry accepts no pushes for a short time.
      </p>
      <Lines label="Releases to delete" lines={tags.map(({ repository, tag }) => `${repository}:${tag}`)} />
      <Lines label="Repositories to delete" lines={repositories} />
      <Lines label="Recently pushed images, kept until the next garbage collection" lines={spared} />
    </>
  );
}
