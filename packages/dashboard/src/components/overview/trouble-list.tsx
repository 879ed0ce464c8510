import { Link } from '@tanstack/react-router';
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import type { Trouble } from './troubles.ts';

/**
 * Number of problems that the list shows at first. A single fault of the server can cause hundreds of problems. A
 * button shows the complete list.
 */
const AT_FIRST = 6;

/**
 * Lists the problems of the instance. Each problem has a link to the page where the user can solve it. If there are no
 * problems, a short message is shown.
 * @param isComplete whether all parts of the instance have been checked
 */
export function TroubleList({ troubles, isComplete }: { troubles: readonly Trouble[]; isComplete: boolean }) {
  const [all, setAll] = useState(false);
  if (troubles.length === 0 && !isComplete) {
    return (
      <p className="flex items-center gap-2 text-sm text-soft">
        <Spinner />
        Checking…
      </p>
    );
  }
  if (troubles.length === 0) {
    return (
      <p className="flex items-center gap-2 text-sm text-good">
        <CircleCheck className="size-4" aria-hidden />
        All systems normal.
      </p>
    );
  }
  const shown = all ? troubles : troubles.slice(0, AT_FIRST);
  return (
    <section aria-labelledby="troubles" className="overflow-hidden rounded-xl border border-line bg-panel shadow-panel">
      <h2 id="troubles" className="px-4 pt-3 pb-2 text-[0.9375rem]">
        Issues
      </h2>
      <ul className="divide-y divide-line border-t border-line">
        {shown.map((trouble) => (
          <Row key={trouble.key} trouble={trouble} />
        ))}
      </ul>
      {shown.length < troubles.length && (
        <Button kind="quiet" className="m-1" onClick={() => setAll(true)}>
          Show {troubles.length - shown.length} more
        </Button>
      )}
    </section>
  );
}

function Row({ trouble: { tone, what, why, to, search, mend } }: { trouble: Trouble }) {
  const isError = tone === 'error';
  const Icon = isError ? CircleAlert : TriangleAlert;
  return (
    <li className="flex items-start gap-2.5 px-4 py-2 text-sm">
      <Icon
        className={`mt-0.5 size-4 shrink-0 ${isError ? 'text-error' : 'text-warning'}`}
        role="img"
        aria-label={isError ? 'Error:' : 'Warning:'}
      />
      <div className="min-w-0 flex-1 break-words">
        <p className="font-medium">{what}</p>
        {why && <p className="line-clamp-2 text-soft">{why}</p>}
      </div>
      <Link
        to={to}
        search={(search ?? {}) as never}
        className="shrink-0 rounded py-0.5 font-medium text-accent underline-offset-2 hover:underline"
      >
        {mend}
        <span className="sr-only">: {what}</span>
      </Link>
    </li>
  );
}
