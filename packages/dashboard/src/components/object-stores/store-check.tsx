import { Check, X } from 'lucide-react';
import { useCall } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Problem } from '../../ui/problem.tsx';
import { duration } from '../../ui/time.tsx';
import { useStoreOfPage } from './use-store.ts';

/**
 * Renders a button that tests the connection to an object store with the stored access key. The result of the test is
 * also shown.
 */
export function StoreCheckCard() {
  const { store, params, not } = useStoreOfPage();
  const check = useCall('checkObjectStore', { changes: ['getObjectStore', 'listObjectStores'] });
  const found = check.data;
  return (
    <Card
      title="Connection check"
      description={
        store.bucket === null
          ? 'Davit uses the stored keys to list the buckets.'
          : `Davit writes, reads, lists and deletes a small object in ${store.bucket}.`
      }
      actions={
        <Button
          busy={check.isPending}
          disabledBecause={not.operate ?? not.use}
          onClick={() => check.mutate({ params })}
        >
          Check connection
        </Button>
      }
    >
      <div aria-live="polite" className="text-sm">
        {check.error && <Problem error={check.error} />}
        {found && (
          <>
            <p className={found.ok ? 'text-good' : 'text-error'}>
              {found.ok ? 'The check succeeded' : 'The check failed'} after {duration(found.duration_ms)}.
            </p>
            <ul className="mt-2 flex flex-col gap-1">
              {found.steps.map(({ step, ok, message }) => (
                <li key={step} className="flex items-start gap-2">
                  {ok ? (
                    <Check className="mt-0.5 size-4 shrink-0 text-good" aria-label="done" />
                  ) : (
                    <X className="mt-0.5 size-4 shrink-0 text-error" aria-label="failed" />
                  )}
                  <span className="min-w-0 break-words">{message}</span>
                </li>
              ))}
            </ul>
          </>
        )}
        {!found && !check.error && (
          <p className="text-soft">
            Davit has not checked the connection to the object store since you opened this page.
          </p>
        )}
      </div>
    </Card>
  );
}
